import type { JsonObject, MediaPart, ProviderOptions, TextPart } from '@fairlead/core/provider'

/** The options of a part, tool or request that are meant for this provider. */
export type OptionsOf = (one: { readonly providerOptions?: ProviderOptions | undefined }) => Options | undefined
export type Options = JsonObject

/** @param id of the provider */
export function optionsFor(id: string): OptionsOf {
  return ({ providerOptions }) => providerOptions?.[id]
}

export type ContentPart = TextPart | MediaPart

/** The content of a message as a string, if it can be one: the chat templates of some servers take nothing else. */
export function plainText(parts: readonly ContentPart[], optionsOf: OptionsOf): string | undefined {
  const only = parts[0]
  return parts.length === 1 && only?.type === 'text' && !optionsOf(only) ? only.text : undefined
}

/** An image or a file as an address, which contains its bytes unless the upstream loads it. */
export function dataUrl({ source }: MediaPart): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`
}

const textType = /^text\/|^application\/(?:json|xml|yaml|x-yaml|toml|javascript|sql)$|\+(?:json|xml)$/

/** The text of a file that is one, with its name; undefined for any other file, and for an address. */
export function textIn({ source, filename }: MediaPart): string | undefined {
  if (source.kind !== 'data' || !textType.test(source.mediaType)) return undefined
  const text = Buffer.from(source.data, 'base64').toString()
  return filename === undefined ? text : `${filename}:\n\n${text}`
}

/** OpenAI rejects a file without a name. */
export function fileName({ filename, source }: MediaPart): string {
  return filename ?? `file.${source.mediaType?.split('/')[1] ?? 'bin'}`
}

/** The fields of an object other than the named ones. */
export function without(fields: object, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

/** The fields with a value; undefined if none has one. */
export function filled(fields: JsonObject): JsonObject | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}
