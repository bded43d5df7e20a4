import type { ProviderOptions } from '@fairlead/core/provider'
import { toolInputOf } from '@fairlead/http'
import { invalid, requireList, requireObject } from './checks.ts'
import { isCitedElsewhere } from './own-blocks.ts'
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

/** Reads the content of a message: a text, or blocks. @param isAnswer whether the blocks are those of a model */
export function readContent(
  content: unknown,
  field: string,
  data: ProviderData,
  isAnswer = false,
): readonly PlacedPart[] {
  if (typeof content === 'string') return [{ part: { type: 'text', text: content }, field }]
  const blocks = requireList(content, field)
  if (blocks.length === 0) throw invalid(field, 'must not be empty')
  const parts: PlacedPart[] = []
  for (const [index, raw] of blocks.entries()) {
    const blockField = `${field}[${index}]`
    const block = requireObject(raw, blockField)
    if (block['type'] === 'redacted_thinking') addRedacted(block, blockField, data, parts)
    else parts.push({ part: readBlock(block, blockField, data, isAnswer), field: blockField })
  }
  return parts
}

/** Adds reasoning without a text, or gives the data of another provider back to the part that it belongs to. */
function addRedacted(block: Block, field: string, data: ProviderData, parts: PlacedPart[]): void {
  const sealed = data.ofOther(block['data'], `${field}.data`)
  if (sealed?.block) {
    parts.push({ part: { ...sealed.block, type: 'opaque' }, field })
    return
  }
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

function readBlock(whole: Block, field: string, data: ProviderData, isAnswer: boolean): Part {
  const { type, ...block } = whole
  switch (type) {
    case 'text': {
      const { text, citations, ...rest } = block
      const isOwn = citations !== undefined && !isCitedElsewhere(citations)
      return withData({ type: 'text', text }, data.forAnthropic(isOwn ? { citations, ...rest } : rest))
    }
    case 'image': {
      const { source, ...rest } = block
      return isFile(source)
        ? onlyThere(type, `${field}.source.file_id`, data)
        : withData({ type: 'image', ...readSource(source, `${field}.source`) }, data.forAnthropic(rest))
    }
    case 'document':
      return isFile(block['source'])
        ? onlyThere(type, `${field}.source.file_id`, data)
        : readDocument(block, field, data)
    case 'search_result':
      return readSearchResult(block, field, data)
    case 'compaction': {
      // What it summarizes is not in the request any more.
      const { content } = block
      return { type: 'text', text: typeof content === 'string' ? content : '' }
    }
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
    default: {
      if (typeof type !== 'string') throw invalid(`${field}.type`, 'is required')
      const kind = type.slice(0, maxKind)
      return isAnswer
        ? { type: 'opaque', provider: '', dialect: 'anthropic', kind, data: whole }
        : onlyThere(kind, `${field}.type`, data)
    }
  }
}

const maxKind = 256

/** A block that only Anthropic's API has: no other provider gets the text. */
function onlyThere(type: string, field: string, data: ProviderData): Part {
  data.required.add(field)
  return { type: 'text', text: `[${type}]` }
}

function isFile(source: unknown): boolean {
  return typeof source === 'object' && source !== null && 'type' in source && source.type === 'file'
}

/** Other providers get its text. */
function readSearchResult({ source, title, content, ...rest }: Block, field: string, data: ProviderData): Part {
  const texts = readContent(content, `${field}.content`, data).map(({ part }) => String(part['text'] ?? ''))
  const head = [title, source].filter((each) => typeof each === 'string')
  return withData({ type: 'text', text: [...head, ...texts].join('\n') }, data.forAnthropic({ ...rest }))
}

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
  throw invalid(`${field}.type`, 'must be base64, url, or file')
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
    const other = parts.find(({ part }) => part.type !== 'text')
    if (other) return onlyThere(other.part.type, other.field, data)
    const texts = parts.map(({ part }) => String(part['text']))
    return withData({ type: 'text', text: texts.join('\n\n') }, undefined)
  }
  return withData({ ...named, mediaType: 'application/pdf', ...readSource(source, `${field}.source`) }, options)
}
