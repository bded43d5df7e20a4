import {
  type AnswerPart,
  type Citation,
  isObject,
  type JsonObject,
  ProviderError,
  type ProviderOptions,
  readToolInput,
  type TextAnswer,
  type TextEvent,
} from '@fairlead/core/provider'
import { factsOf, nativeOf, readFinish, type Reading, readUsage, refusalOf, type WireFacts } from './finish.ts'
import type { Block, MessageReply, StreamEvent, WireBlock, WireDelta } from './wire.ts'

/** The answer of a reply. */
export function fromWire(reply: MessageReply, reading: Reading): TextAnswer {
  const parts = [...reply.content.map((block) => toPart(block, reading.id)), ...refusalOf(reply)]
  return { parts, ...readFinish(reply, reading) }
}

/** The API requires signatures, redacted thinking, and the callers of tools back unchanged. */
function toPart(block: WireBlock, id: string): AnswerPart {
  switch (block.type) {
    case 'text': {
      const { type, text, citations, ...rest } = block
      const isCited = citations && citations.length > 0
      return {
        type,
        text,
        ...(isCited && { citations: citations.map(toCitation) }),
        ...nativeOf(isCited || citations === undefined ? rest : { citations, ...rest }),
      }
    }
    case 'thinking': {
      const { type: _type, thinking, signature, ...rest } = block
      return { type: 'reasoning', text: thinking, ...signed(signature, id), ...nativeOf(rest) }
    }
    case 'redacted_thinking': {
      const { type: _type, data, ...rest } = block
      return { type: 'reasoning', text: '', providerOptions: { [id]: { data } }, ...nativeOf(rest) }
    }
    case 'tool_use': {
      const { type: _type, id: callId, name, input, ...rest } = block
      return { type: 'tool_call', id: callId, name, ...inputOf(input), ...ownOf(rest, id), ...nativeOf(rest) }
    }
    case 'other': {
      const { value } = block
      return { type: 'opaque', provider: id, dialect: 'anthropic', kind: value.type, data: value }
    }
  }
}

/** The API's places are those in the source; the cited text is the whole block. */
function toCitation(citation: JsonObject): Citation {
  const { url, source, title, document_title, document_index: index, cited_text } = citation
  return {
    url: textIn(url, source),
    title: textIn(title, document_title),
    ...(typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 && { document: index }),
    quote: textIn(cited_text),
    native: { anthropic: citation },
  }
}

function textIn(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string')
}

/** A server that only speaks this API may send what the model wrote instead of an object. */
function inputOf(input: unknown): ReturnType<typeof readToolInput> {
  return readToolInput(typeof input === 'string' ? input : (JSON.stringify(input) ?? ''))
}

function signed(signature: string | null | undefined, id: string): { providerOptions?: ProviderOptions } {
  return signature ? { providerOptions: { [id]: { signature } } } : {}
}

/** The further fields of a tool call; none for a usual call, whose caller is the model. */
function ownOf(fields: JsonObject, id: string): { providerOptions?: ProviderOptions } {
  const kept = Object.entries(fields).filter(
    ([name, value]) => value !== null && !(name === 'caller' && isObject(value) && value['type'] === 'direct'),
  )
  return kept.length === 0 ? {} : { providerOptions: { [id]: Object.fromEntries(kept) } }
}

/** The events of one stream, which is complete only after `message_stop`. */
export async function* fromEvents(
  events: AsyncIterable<StreamEvent>,
  reading: Reading,
): AsyncGenerator<TextEvent, void, undefined> {
  const { id, body } = reading
  const open = new Map<number, OpenBlock>()
  let reply: WireFacts = {}
  let next = 0
  for await (const event of events) {
    switch (event.type) {
      case 'message_start': {
        reply = event.message
        yield { type: 'start', response: factsOf(reply) }
        const usage = readUsage({ output_tokens: 0, ...reply.usage }, body, reply.usage)
        if (usage) yield { type: 'usage', usage }
        break
      }
      case 'content_block_start': {
        const { index, content_block: block } = event
        next = Math.max(next, index + 1)
        const part = emptied(toPart(block, id))
        open.set(index, { data: part.type === 'opaque' ? (part.data as Block) : undefined, isChanged: false, json: '' })
        yield { type: 'part_start', index, part }
        break
      }
      case 'content_block_delta':
        yield toDelta(event.index, event.delta, openBlock(open, event.index))
        break
      case 'content_block_stop':
        yield toEnd(event.index, openBlock(open, event.index), id)
        open.delete(event.index)
        break
      case 'message_delta': {
        const { type: _type, delta, usage, ...rest } = event
        const container = delta['container'] ?? reply['container']
        reply = {
          ...reply,
          ...delta,
          ...(container !== undefined && { container }),
          ...present(rest),
          // Counts are cumulative; a missing count is unchanged.
          usage: { ...reply.usage, ...present(usage ?? {}) },
        }
        const counted = usage && readUsage(reply.usage ?? {}, body, usage)
        yield counted ? { type: 'usage', usage: counted } : { type: 'alive' }
        break
      }
      case 'message_stop': {
        // Some servers that speak the API do not end the last block.
        for (const [index, block] of open) yield toEnd(index, block, id)
        for (const part of refusalOf(reply)) {
          yield { type: 'part_start', index: next, part }
          yield { type: 'part_end', index: next }
        }
        yield { type: 'finish', ...readFinish(reply, reading) }
        return
      }
      case 'other':
        yield { type: 'alive' }
    }
  }
  throw new ProviderError('retry', 'the stream ended before message_stop')
}

/** A block of a stream that has not ended. */
interface OpenBlock {
  /** An opaque block as far as it is known. */
  data: Block | undefined
  isChanged: boolean
  /** The input of an opaque block so far. */
  json: string
  signature?: string
  /** What deltas of unknown types say of another block. */
  native?: JsonObject
}

function openBlock(open: ReadonlyMap<number, OpenBlock>, index: number): OpenBlock {
  const block = open.get(index)
  if (block) return block
  throw new ProviderError('retry', `the stream continues block ${index}, which has not begun`, { mayBill: true })
}

/** The input of a call follows in deltas: it begins as an empty object. */
function emptied(part: AnswerPart): AnswerPart {
  if (part.type !== 'tool_call' || part.inputText !== '{}') return part
  const { input: _input, ...call } = part
  return { ...call, inputText: '' }
}

function toDelta(index: number, delta: WireDelta, block: OpenBlock): TextEvent {
  if (block.data) return toOpaqueDelta(index, delta, block)
  switch (delta.type) {
    case 'text_delta':
      return { type: 'part_delta', index, text: delta.text }
    case 'thinking_delta':
      return { type: 'part_delta', index, text: delta.thinking }
    case 'input_json_delta':
      return { type: 'part_delta', index, text: delta.partial_json }
    case 'citations_delta':
      return { type: 'part_delta', index, citation: toCitation(delta.citation) }
    // The last delta of a block of thinking.
    case 'signature_delta':
      block.signature = delta.signature
      return { type: 'alive' }
    case 'other': {
      const { type: _type, ...fields } = delta.value
      block.native = { ...block.native, ...fields }
      return { type: 'part_delta', index, data: delta.value }
    }
  }
}

/** Inputs come in pieces. Any other delta has the value of its fields. */
function toOpaqueDelta(index: number, delta: WireDelta, block: OpenBlock): TextEvent {
  const data = delta.type === 'other' ? delta.value : delta
  block.isChanged = true
  if (delta.type === 'input_json_delta') block.json += delta.partial_json
  else block.data = { ...block.data, ...data, type: block.data!.type }
  return { type: 'part_delta', index, data }
}

function toEnd(index: number, { data, isChanged, json, signature, native }: OpenBlock, id: string): TextEvent {
  const input = json === '' ? undefined : (readToolInput(json).input ?? json)
  const own = isChanged ? { ...data, ...(input !== undefined && { input }) } : native
  return { type: 'part_end', index, ...signed(signature, id), ...(own && { native: { anthropic: own } }) }
}

function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
}
