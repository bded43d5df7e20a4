import { type Fields, invalid, isObject, isPresent, listAt, objectAt } from '@fairlead/http'

/** Text, or parts of a message in the form of core. */
export type Content = string | readonly object[]

/** Receives the fields of a request that only a provider of the client's API can do as asked. */
export type Required = string[]

/** The content of a user's message or of a tool's result: text, images, and files. */
export function toContent(content: unknown, path: string, required: Required, read = toPart): Content {
  if (typeof content === 'string') return content
  const parts = listAt(content, path).map((part, index) => {
    const partPath = `${path}[${index}]`
    return read(objectAt(part, partPath), partPath, required)
  })
  return parts.length === 0 ? '' : parts
}

/** A part that only OpenAI's API has: core knows its name alone. */
export function onlyThere(type: unknown, path: string, required: Required): object {
  if (typeof type !== 'string') throw invalid(`${path}.type`, 'is required')
  required.push(`${path}.type`)
  return { type: 'text', text: `[${type.slice(0, maxNameLength)}]` }
}

const maxNameLength = 64

function toPart(part: Fields, path: string, required: Required): object {
  const options = partOptions(part)
  switch (part['type']) {
    case 'text':
      return { type: 'text', text: part['text'], ...options }
    case 'refusal':
      return { type: 'text', text: part['refusal'], ...options }
    case 'image_url': {
      const image = part['image_url']
      const { url, detail } = isObject(image) ? image : { url: image, detail: undefined }
      return toImage({ url, detail }, `${path}.image_url`, options)
    }
    case 'file': {
      const { file_id, file_data, filename } = objectAt(part['file'], `${path}.file`)
      return toFile({ file_id, file_data, filename }, `${path}.file`, options, required)
    }
    default:
      return onlyThere(part['type'], path, required)
  }
}

type Options = ReturnType<typeof partOptions>

/** `detail` is for the provider `openai`. */
export function toImage({ url, detail }: Fields, path: string, options: Options): object {
  if (typeof url !== 'string') throw invalid(`${path}.url`, 'is required')
  const own = options.providerOptions
  const providerOptions =
    isPresent(detail) && detail !== 'auto' ? { ...own, openai: { ...own?.['openai'], detail } } : own
  return { type: 'image', url, ...(providerOptions && { providerOptions }) }
}

/** A file of the request, or one that OpenAI has stored. */
export function toFile(
  { file_id, file_data, file_url, filename }: Fields,
  path: string,
  options: Options,
  required: Required,
): object {
  if (isPresent(file_id)) return storedFile(path, required)
  const url = file_data ?? file_url
  if (typeof url !== 'string') throw invalid(`${path}.file_data`, 'is required')
  const [, mediaType = 'application/pdf'] = /^data:([^;,]+)[;,]/i.exec(url.slice(0, 200)) ?? []
  const isAddress = /^(?:data|https?):/i.test(url.slice(0, 6))
  const name = typeof filename === 'string' && filename !== '' && { filename }
  return { type: 'file', ...(isAddress ? { url } : { data: url }), mediaType, ...name, ...options }
}

/** A file in the operator's account: core has nothing of it. */
export function storedFile(path: string, required: Required): object {
  required.push(`${path}.file_id`)
  return { type: 'text', text: '[file]' }
}

/** Options for single providers: `provider_options`, and the marks for Anthropic's prompt cache. */
export function partOptions({ provider_options: given, cache_control: mark }: Fields): {
  readonly providerOptions?: Readonly<Record<string, Fields>>
} {
  if (!isObject(given) && !isObject(mark)) return {}
  const options = (isObject(given) ? given : {}) as Readonly<Record<string, Fields>>
  if (!isObject(mark)) return { providerOptions: options }
  return { providerOptions: { ...options, anthropic: { ...options['anthropic'], cache_control: mark } } }
}

/** The content with the options of its message, whose last part they belong to: a mark for a cache is about all before it. */
export function addSentOptions(sent: Fields, content: Content): Content {
  const { providerOptions } = partOptions(sent)
  if (!providerOptions || content === '') return content
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return parts.map((part, index) => (index === parts.length - 1 ? addOptions(part, providerOptions) : part))
}

type ProviderOptions = Readonly<Record<string, Fields>>

/** The options of the part take precedence. */
export function addOptions(part: object, added: ProviderOptions): object {
  const own = (part as { readonly providerOptions?: ProviderOptions }).providerOptions ?? {}
  const merged = Object.entries(own).map(([id, options]) => [id, { ...added[id], ...options }])
  return { ...part, providerOptions: { ...added, ...Object.fromEntries(merged) } }
}

/** Fields of core's parts that OpenAI spells otherwise. */
export const spelledInParts: Readonly<Record<string, string>> = {
  '.providerOptions': '.provider_options',
  '.url': '',
  '.data': '',
  '.mediaType': '',
}

/** Splits a field of core's messages, such as `messages[1].content[2].id`. An index that it does not have is NaN. */
export function splitField(field: string) {
  const [, message, inContent = '', part, below = ''] =
    /^messages\[(\d+)\](\.content(?:\[(\d+)\])?)?(.*)$/s.exec(field) ?? []
  return { message: Number(message), inContent, part: Number(part), below }
}
