import { type MediaPart, ProviderError, type TextPart } from '@fairlead/core/provider'
import type { Block } from './wire.ts'

export type ContentPart = TextPart | MediaPart

/**
 * A text, an image or a file as a block, with the provider's own options of the part, such as `cache_control`.
 *
 * @throws ProviderError for a file that the API does not take
 */
export function toBlock(part: ContentPart, id: string): Block {
  const own = part.providerOptions?.[id]
  // Only this API has such a block: the text is for other models.
  if (part.type === 'text' && own?.['type'] === 'tool_reference') return { ...own, type: 'tool_reference' }
  if (part.type === 'text') return { ...own, type: 'text', text: part.text }
  if (part.type === 'image' || part.source.mediaType?.startsWith('image/')) {
    return { ...own, type: 'image', source: toSource(part) }
  }
  const title = part.filename === undefined ? {} : { title: part.filename }
  return { ...title, ...own, type: 'document', source: toDocument(part) }
}

function toDocument(file: MediaPart): object {
  const { source } = file
  if (source.mediaType === 'application/pdf') return toSource(file)
  if (!isText.test(source.mediaType ?? '')) throw unusable(file, 'must be a PDF document, an image or a text')
  if (source.kind === 'url') throw unusable(file, 'must be sent as data, because the API loads only PDF documents')
  if (source.data.length > maxTextData) throw unusable(file, 'must have at most 10 MB')
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(source.data, 'base64').toString() }
}

/** In base64. More exceeds the context of every model, and decoding it would block the event loop. */
const maxTextData = (10_000_000 / 3) * 4

const isText = /^text\/|^application\/(?:json|xml|yaml|x-yaml|toml|javascript|sql)$|\+(?:json|xml)$/

function toSource({ source }: MediaPart): object {
  return source.kind === 'url'
    ? { type: 'url', url: source.url }
    : { type: 'base64', media_type: source.mediaType, data: source.data }
}

function unusable({ source }: MediaPart, advice: string): ProviderError {
  const detail = `a file of type ${source.mediaType} ${advice}`
  return new ProviderError('invalid_request', detail, { field: 'messages', detail })
}
