import type { ProviderOptions } from '@fairlead/core/provider'
import { invalid, isObject, isPresent, listAt, objectAt, readToolInput } from '@fairlead/http'
import { isCitedElsewhere } from './own-blocks.ts'
import type { Block, ProviderData } from './provider-data.ts'

/** A part of a message as `generate` takes it, which checks its values. */
export interface Part {
  readonly type: string
  readonly [field: string]: unknown
  providerOptions?: ProviderOptions | undefined
}

/** A part, and the name of the field that it was read from. */
export interface LocatedPart {
  readonly part: Part
  readonly field: string
}

/** Reads the content of a message: a text, or blocks. @param isAnswer whether a model wrote the blocks */
export function readContent(
  content: unknown,
  field: string,
  data: ProviderData,
  isAnswer = false,
): readonly LocatedPart[] {
  if (typeof content === 'string') return [{ part: { type: 'text', text: content }, field }]
  const blocks = listAt(content, field)
  if (blocks.length === 0) throw invalid(field, 'must not be empty')
  const parts: LocatedPart[] = []
  for (const [index, raw] of blocks.entries()) {
    const blockField = `${field}[${index}]`
    const block = objectAt(raw, blockField)
    if (block['type'] === 'redacted_thinking') addRedacted(block, blockField, data, parts)
    else parts.push({ part: readBlock(block, blockField, data, isAnswer), field: blockField })
  }
  return parts
}

/** Adds reasoning without a text, or gives the data of another provider back to the part that it belongs to. */
function addRedacted(block: Block, field: string, data: ProviderData, parts: LocatedPart[]): void {
  const sealed = data.ofOther(block['data'], `${field}.data`)
  if (sealed?.block) {
    parts.push({ part: { ...sealed.block, type: 'opaque' }, field })
    return
  }
  if (!sealed?.of) {
    const options = sealed?.options ?? data.forAnthropic({ data: block['data'] })
    parts.push({ part: { type: 'reasoning', text: '', providerOptions: options }, field })
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
      return { type, text, providerOptions: data.forAnthropic(isOwn ? { citations, ...rest } : rest) }
    }
    case 'image':
    case 'document':
      if (isObject(block['source']) && block['source']['type'] === 'file') {
        return onlyThere(type, `${field}.source.file_id`, data)
      }
      return type === 'image' ? readImage(block, field, data) : readDocument(block, field, data)
    case 'search_result':
      return readSearchResult(block, field, data)
    case 'compaction': {
      // The summarized messages are no longer in the request.
      const { content } = block
      return { type: 'text', text: typeof content === 'string' ? content : '' }
    }
    case 'thinking': {
      const { thinking, signature } = block
      const other = data.ofOther(signature, `${field}.signature`)?.options
      const providerOptions = other ?? (signature ? data.forAnthropic({ signature }) : undefined)
      return { type: 'reasoning', text: thinking, providerOptions }
    }
    case 'tool_use': {
      const { id, name, input, input_text: inputText, caller, ...rest } = block
      const isDirect = caller === undefined || (isObject(caller) && caller['type'] === 'direct')
      const providerOptions = data.forAnthropic(isDirect ? rest : { ...rest, caller })
      const written = typeof input === 'string' ? readToolInput(input, `${field}.input`, data.parse) : { input }
      return { type: 'tool_call', id, name, ...written, ...(isPresent(inputText) && { inputText }), providerOptions }
    }
    case 'tool_result': {
      const { tool_use_id: toolCallId, content, is_error: isError, ...rest } = block
      const given = isEmptyList(content) ? '' : (content ?? '')
      const read = readContent(given, `${field}.content`, data).map(({ part }) => part)
      const providerOptions = data.forAnthropic(rest)
      return { type, toolCallId, content: read, isError: isError ?? undefined, providerOptions }
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

/** Other providers get its text. */
function readSearchResult({ source, title, content, ...rest }: Block, field: string, data: ProviderData): Part {
  const texts = readContent(content, `${field}.content`, data).map(({ part }) => String(part['text'] ?? ''))
  const head = [title, source].filter((each) => typeof each === 'string')
  return { type: 'text', text: [...head, ...texts].join('\n'), providerOptions: data.forAnthropic(rest) }
}

export function isEmptyList(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0
}

function readImage({ source, ...rest }: Block, field: string, data: ProviderData): Part {
  return { type: 'image', ...readSource(source, `${field}.source`), providerOptions: data.forAnthropic(rest) }
}

function readSource(raw: unknown, field: string): Block {
  const source = objectAt(raw, field)
  if (source['type'] === 'base64') return { data: source['data'], mediaType: source['media_type'] }
  if (source['type'] === 'url') return { url: source['url'] }
  throw invalid(`${field}.type`, 'must be base64, url, or file')
}

const maxFilename = 255

/** A document of text becomes a file; one of blocks becomes its text. */
function readDocument({ source: raw, title, ...rest }: Block, field: string, data: ProviderData): Part {
  const source = objectAt(raw, `${field}.source`)
  const providerOptions = data.forAnthropic({ ...rest, ...(title !== undefined && { title }) })
  const isName = typeof title === 'string' && title !== '' && title.length <= maxFilename
  const named = { type: 'file', ...(isName && { filename: title }), providerOptions }
  if (source['type'] === 'text') {
    const { data: text } = source
    if (typeof text !== 'string') throw invalid(`${field}.source.data`, 'must be a text')
    return { ...named, data: Buffer.from(text).toString('base64'), mediaType: 'text/plain' }
  }
  if (source['type'] === 'content') {
    const parts = readContent(source['content'], `${field}.source.content`, data)
    const other = parts.find(({ part }) => part.type !== 'text')
    if (other) return onlyThere(other.part.type, other.field, data)
    return { type: 'text', text: parts.map(({ part }) => String(part['text'])).join('\n\n') }
  }
  return { ...named, mediaType: 'application/pdf', ...readSource(source, `${field}.source`) }
}
