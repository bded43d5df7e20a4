import type { FilePart, ImagePart, ProviderOptions } from '@fairlead/core/provider'

/** The options of a part, tool or request that are meant for this provider. */
export type OptionsOf = (one: { readonly providerOptions?: ProviderOptions | undefined }) => Options | undefined
export type Options = Readonly<Record<string, unknown>>

/** @param id of the provider */
export function optionsFor(id: string): OptionsOf {
  return ({ providerOptions }) => providerOptions?.[id]
}

/** An image or a file as an address, which contains its bytes unless the upstream loads it. */
export function dataUrl({ url, data, mediaType }: ImagePart | FilePart): string {
  return url ?? `data:${mediaType};base64,${data}`
}

/** OpenAI rejects a file without a name. */
export function fileName({ filename, mediaType }: FilePart): string {
  return filename ?? `file.${mediaType.split('/')[1]}`
}

/**
 * The body of a request with the options of the caller: their objects add fields to those of the body, their lists add
 * items, and all else replaces.
 */
export function withOptions(body: Options, options: Options | undefined): Options {
  if (!options) return body
  const merged = Object.entries(options).map(([name, value]) => {
    const own = body[name]
    if (Array.isArray(own) && Array.isArray(value)) return [name, [...own, ...value]]
    return [name, isObject(own) && isObject(value) ? { ...own, ...value } : value]
  })
  return { ...body, ...Object.fromEntries(merged) }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
