import { type Fields, invalid, isObject, isPresent, listAt, objectAt } from '@fairlead/http'

/** Text, or parts of a message in the form of core. */
export type Content = string | readonly object[]

/** The content of a user's message or of a tool's result: text, images, and files. */
export function toContent(content: unknown, path: string, read = toPart): Content {
  if (typeof content === 'string') return content
  return listAt(content, path).map((part, index) => read(objectAt(part, `${path}[${index}]`), `${path}[${index}]`))
}

function toPart(part: Fields, path: string): object {
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
      return toFile({ file_id, file_data, filename }, `${path}.file`, options)
    }
    default:
      throw invalid(`${path}.type`, 'must be "text", "image_url" or "file"')
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

/** Files are sent with the request: there are no stored ones. */
export function toFile({ file_id, file_data, file_url, filename }: Fields, path: string, options: Options): object {
  if (isPresent(file_id)) {
    throw invalid(`${path}.file_id`, 'is not supported: send the file itself as "file_data"')
  }
  const url = file_data ?? file_url
  if (typeof url !== 'string') throw invalid(`${path}.file_data`, 'is required')
  const [, mediaType = 'application/pdf'] = /^data:([^;,]+)[;,]/i.exec(url.slice(0, 200)) ?? []
  const isAddress = /^(?:data|https?):/i.test(url.slice(0, 6))
  const name = typeof filename === 'string' && filename !== '' && { filename }
  return { type: 'file', ...(isAddress ? { url } : { data: url }), mediaType, ...name, ...options }
}

/** What single providers understand: `provider_options`, and the marks for Anthropic's prompt cache. */
export function partOptions({ provider_options: given, cache_control: mark }: Fields): {
  readonly providerOptions?: Readonly<Record<string, Fields>>
} {
  if (!isObject(given) && !isObject(mark)) return {}
  const options = (isObject(given) ? given : {}) as Readonly<Record<string, Fields>>
  if (!isObject(mark)) return { providerOptions: options }
  return { providerOptions: { ...options, anthropic: { ...options['anthropic'], cache_control: mark } } }
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
