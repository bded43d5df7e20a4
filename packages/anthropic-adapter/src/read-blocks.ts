import type { ProviderOptions } from '@fairlead/core/provider'
import { toolInputOf } from '@fairlead/http'
import { invalid, requireList, requireObject } from './checks.ts'
import type { Block, ProviderData } from './provider-data.ts'

/** A part of a message as `generate` takes it, which checks its values. */
export interface Part {
  readonly type: string
  readonly [field: string]: unknown
  providerOptions?: ProviderOptions | undefined
}

/** A part, and the name of the field that it was read from. */
export interface PlacedPart {
  readonly part: Part
  readonly field: string
}

/** Reads the content of a message: a text, or blocks. */
export function readContent(content: unknown, field: string, data: ProviderData): readonly PlacedPart[] {
  if (typeof content === 'string') return [{ part: { type: 'text', text: content }, field }]
  const blocks = requireList(content, field)
  if (blocks.length === 0) throw invalid(field, 'must not be empty')
  const parts: PlacedPart[] = []
  for (const [index, raw] of blocks.entries()) {
    const blockField = `${field}[${index}]`
    const block = requireObject(raw, blockField)
    if (block['type'] === 'redacted_thinking') addRedacted(block, blockField, data, parts)
    else parts.push({ part: readBlock(block, blockField, data), field: blockField })
  }
  return parts
}

/** Adds reasoning without a text, or gives the data of another provider back to the part that it belongs to. */
function addRedacted(block: Block, field: string, data: ProviderData, parts: PlacedPart[]): void {
  const sealed = data.ofOther(block['data'], `${field}.data`)
  if (!sealed?.of) {
    const options = sealed?.options ?? data.forAnthropic({ data: block['data'] })
    parts.push({ part: withData({ type: 'reasoning', text: '' }, options), field })
    return
  }
  const { of, id, options } = sealed
  const last = parts.at(-1)?.part
  const owner =
    of === 'tool_call'
      ? parts.find(({ part }) => part.type === 'tool_call' && part['id'] === id)?.part
      : last?.type === 'text' && !last.providerOptions
        ? last
        : undefined
  if (owner) owner.providerOptions = { ...owner.providerOptions, ...options }
  else if (of === 'text') parts.push({ part: { type: 'text', text: '', providerOptions: options }, field })
}

function readBlock({ type, ...block }: Block, field: string, data: ProviderData): Part {
  switch (type) {
    case 'text': {
      const { text, ...rest } = block
      return withData({ type: 'text', text }, data.forAnthropic(rest))
    }
    case 'image': {
      const { source, ...rest } = block
      return withData({ type: 'image', ...readSource(source, `${field}.source`) }, data.forAnthropic(rest))
    }
    case 'document':
      return readDocument(block, field, data)
    case 'thinking': {
      const { thinking, signature } = block
      const options =
        data.ofOther(signature, `${field}.signature`)?.options ??
        (signature ? data.forAnthropic({ signature }) : undefined)
      return withData({ type: 'reasoning', text: thinking }, options)
    }
    case 'tool_use': {
      const { id, name, input, input_text: inputText, caller, ...rest } = block
      const isDirect = typeof caller === 'object' && caller !== null && 'type' in caller && caller.type === 'direct'
      const options = data.forAnthropic(isDirect || caller === undefined ? rest : { ...rest, caller })
      const written = typeof input === 'string' ? toolInputOf(input, `${field}.input`, data.parse) : { input }
      return withData({ type: 'tool_call', id, name, ...written, ...(inputText != null && { inputText }) }, options)
    }
    case 'tool_result': {
      const { tool_use_id: toolCallId, content, is_error: isError, ...rest } = block
      const parts = content === undefined || content === null || isEmptyList(content) ? '' : content
      const read = readContent(parts, `${field}.content`, data).map(({ part }) => part)
      const flag = isError === undefined || isError === null ? {} : { isError }
      return withData({ type: 'tool_result', toolCallId, content: read, ...flag }, data.forAnthropic(rest))
    }
    case 'tool_reference': {
      const { tool_name: name } = block
      if (typeof name !== 'string') throw invalid(`${field}.tool_name`, 'is required')
      return { type: 'text', text: `The tool ${name} is available.`, providerOptions: data.only({ type, ...block }) }
    }
    default:
      throw invalid(`${field}.type`, `"${String(type).slice(0, 64)}" is not supported; ${supported}`)
  }
}

const supported =
  'supported are text, image, document, thinking, redacted_thinking, tool_use, tool_result, and tool_reference, without files of the Files API'

function isEmptyList(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0
}

function withData(part: Part, providerOptions: ProviderOptions | undefined): Part {
  return providerOptions ? { ...part, providerOptions } : part
}

function readSource(raw: unknown, field: string): Block {
  const source = requireObject(raw, field)
  if (source['type'] === 'base64') return { data: source['data'], mediaType: source['media_type'] }
  if (source['type'] === 'url') return { url: source['url'] }
  throw invalid(`${field}.type`, `must be base64 or url: files of the Files API are not supported`)
}

const maxFilename = 255

/** A document of text becomes a file; one of blocks becomes its text. */
function readDocument({ source: raw, title, ...rest }: Block, field: string, data: ProviderData): Part {
  const source = requireObject(raw, `${field}.source`)
  const options = data.forAnthropic({ ...rest, ...(title === undefined ? {} : { title }) })
  const isName = typeof title === 'string' && title !== '' && title.length <= maxFilename
  const named = { type: 'file', ...(isName && { filename: title }) }
  if (source['type'] === 'text') {
    const { data: text } = source
    if (typeof text !== 'string') throw invalid(`${field}.source.data`, 'must be a text')
    const encoded = Buffer.from(text).toString('base64')
    return withData({ ...named, data: encoded, mediaType: 'text/plain' }, options)
  }
  if (source['type'] === 'content') {
    const parts = readContent(source['content'], `${field}.source.content`, data)
    const texts = parts.map(({ part, field: partField }) => {
      if (part.type !== 'text') throw invalid(partField, 'must be a text: images in documents are not supported')
      return String(part['text'])
    })
    return withData({ type: 'text', text: texts.join('\n\n') }, undefined)
  }
  return withData({ ...named, mediaType: 'application/pdf', ...readSource(source, `${field}.source`) }, options)
}
