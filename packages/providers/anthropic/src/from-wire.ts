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
import { type EventReader, isNoReason, mapEvents } from '@fairlead/provider-toolkit'
import {
  readFacts,
  toNative,
  readPartFacts,
  readFinish,
  type Reading,
  readUsage,
  readRefusal,
  type WireFacts,
} from './finish.ts'
import type { Block, MessageReply, StreamEvent, WireBlock, WireDelta } from './wire.ts'

/** The answer of a reply. */
export function fromWire(reply: MessageReply, reading: Reading): TextAnswer {
  const parts = [...reply.content.map((block) => toPart(block, reading.id)), ...readRefusal(reply)]
  return { parts, ...readFinish(reply, reading, readPartFacts(parts)) }
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
        ...toNative(isCited || citations === undefined ? rest : { citations, ...rest }),
      }
    }
    case 'thinking': {
      const { type: _type, thinking, signature, ...rest } = block
      return { type: 'reasoning', text: thinking, ...signed(signature, id), ...toNative(rest) }
    }
    case 'redacted_thinking': {
      const { type: _type, data, ...rest } = block
      return { type: 'reasoning', text: '', providerOptions: { [id]: { data } }, ...toNative(rest) }
    }
    case 'tool_use': {
      const { type: _type, id: callId, name, input, ...rest } = block
      return { type: 'tool_call', id: callId, name, ...readInput(input), ...toOwnOptions(rest, id), ...toNative(rest) }
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
function readInput(input: unknown): ReturnType<typeof readToolInput> {
  return readToolInput(typeof input === 'string' ? input : (JSON.stringify(input) ?? ''))
}

function signed(signature: string | null | undefined, id: string): { providerOptions?: ProviderOptions } {
  return signature ? { providerOptions: { [id]: { signature } } } : {}
}

/** The further fields of a tool call; none for a usual call, whose caller is the model. */
function toOwnOptions(fields: JsonObject, id: string): { providerOptions?: ProviderOptions } {
  const kept = Object.entries(fields).filter(
    ([name, value]) => value !== null && !(name === 'caller' && isObject(value) && value['type'] === 'direct'),
  )
  return kept.length === 0 ? {} : { providerOptions: { [id]: Object.fromEntries(kept) } }
}

/** The events of one stream. */
export function fromEvents(events: AsyncIterable<StreamEvent>, reading: Reading): AsyncIterable<TextEvent> {
  return mapEvents(events, new StreamedMessage(reading))
}

/** The answer of one stream, which is complete only after `message_stop`. */
class StreamedMessage implements EventReader<StreamEvent, TextEvent> {
  readonly #reading: Reading
  readonly #open = new Map<number, OpenBlock>()
  #reply: WireFacts = {}
  #next = 0
  #last = 0
  #calls = 0
  /** Number of blocks that say something. */
  #said = 0
  #hasUnreadableCall = false
  #hasStopped = false

  constructor(reading: Reading) {
    this.#reading = reading
  }

  read(event: StreamEvent): readonly TextEvent[] {
    switch (event.type) {
      case 'message_start':
        return this.#start(event.message)
      case 'content_block_start':
        return [this.#startBlock(event.index ?? this.#next, event.content_block)]
      case 'content_block_delta':
        return this.#continueBlock(event.index, event.delta)
      case 'content_block_stop': {
        const index = event.index ?? this.#last
        return this.#open.has(index) ? [this.#endBlock(index)] : [{ type: 'alive' }]
      }
      case 'message_delta':
        return [this.#change(event)]
      case 'message_stop':
        return this.#stop()
      case 'other': {
        const { value } = event
        // A comment reads as a ping.
        return [value.type === 'ping' ? { type: 'alive' } : { type: 'native', dialect: 'anthropic', data: value }]
      }
    }
  }

  end(): readonly TextEvent[] {
    if (this.#hasStopped) return []
    // Some servers that speak the API end without it.
    if (!isNoReason(this.#reply.stop_reason)) return this.#stop()
    throw new ProviderError('retry', 'the stream ended before message_stop')
  }

  #start(message: WireFacts): readonly TextEvent[] {
    this.#reply = message
    const usage = readUsage({ output_tokens: 0, ...message.usage }, this.#reading.body, message.usage)
    const start: TextEvent = { type: 'start', response: readFacts(message) }
    return usage ? [start, { type: 'usage', usage }] : [start]
  }

  #startBlock(index: number, block: WireBlock): TextEvent {
    this.#next = Math.max(this.#next, index + 1)
    this.#last = index
    const part = emptied(toPart(block, this.#reading.id))
    const data = part.type === 'opaque' ? (part.data as Block) : undefined
    const isCall = part.type === 'tool_call'
    if (isCall) this.#calls += 1
    const input = isCall ? part.inputText : undefined
    if (!('text' in part) || part.text !== '' || part.providerOptions) this.#said += 1
    this.#open.set(index, { data, isChanged: false, json: '', input, isEmpty: 'text' in part && part.text === '' })
    return { type: 'part_start', index, part }
  }

  /** A text without an index, and without a block, begins with its first piece. */
  #continueBlock(sentIndex: number | null | undefined, delta: WireDelta): readonly TextEvent[] {
    const index = sentIndex ?? this.#last
    const isText = delta.type === 'text_delta'
    const isNew = typeof sentIndex !== 'number' && isText && !this.#open.has(index)
    if (isNew) return [this.#startBlock(this.#next, { type: 'text', text: '' }), this.#grow(this.#last, delta)]
    return [this.#grow(index, delta)]
  }

  #grow(index: number, delta: WireDelta): TextEvent {
    const block = this.#openBlock(index)
    const event = toDelta(index, delta, block)
    if ('text' in event && event.text && block.isEmpty) {
      block.isEmpty = false
      this.#said += 1
    }
    return event
  }

  #endBlock(index: number): TextEvent {
    const block = this.#openBlock(index)
    this.#open.delete(index)
    const { input } = block
    if (input !== undefined && readToolInput(input).input === undefined) this.#hasUnreadableCall = true
    return toEnd(index, block, this.#reading.id)
  }

  #change({ type: _type, delta, usage, ...rest }: MessageDelta): TextEvent {
    const reply = this.#reply
    const container = delta?.['container'] ?? reply['container']
    this.#reply = {
      ...reply,
      ...(isNoReason(delta?.stop_reason) ? present(delta ?? {}) : delta),
      ...(container !== undefined && { container }),
      ...present(rest),
      // Counts are cumulative; a missing count is unchanged.
      usage: { ...reply.usage, ...present(usage ?? {}) },
    }
    const counted = usage && readUsage(this.#reply.usage ?? {}, this.#reading.body, usage)
    return counted ? { type: 'usage', usage: counted } : { type: 'alive' }
  }

  #stop(): readonly TextEvent[] {
    this.#hasStopped = true
    // Some servers that speak the API do not end the last block.
    const ends = Array.from(this.#open.keys(), (index) => this.#endBlock(index))
    const refusals = readRefusal(this.#reply).flatMap((part): TextEvent[] => [
      { type: 'part_start', index: this.#next, part },
      { type: 'part_end', index: this.#next },
    ])
    const said = this.#said + refusals.length
    const facts = { said, calls: this.#calls, hasUnreadableCall: this.#hasUnreadableCall }
    return [...ends, ...refusals, { type: 'finish', ...readFinish(this.#reply, this.#reading, facts) }]
  }

  #openBlock(index: number): OpenBlock {
    const block = this.#open.get(index)
    if (block) return block
    throw new ProviderError('retry', `the stream continues block ${index}, which has not begun`, { mayBill: true })
  }
}

type MessageDelta = Extract<StreamEvent, { readonly type: 'message_delta' }>

/** A block of a stream that has not ended. */
interface OpenBlock {
  /** An opaque block as far as it is known. */
  data: Block | undefined
  isChanged: boolean
  /** The input of an opaque block so far. */
  json: string
  /** The input of a tool call so far. */
  input: string | undefined
  /** Whether it is a text that has no piece yet. */
  isEmpty: boolean
  signature?: string
  /** The data of another block from deltas of unknown types. */
  native?: JsonObject
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
      if (block.input !== undefined) block.input += delta.partial_json
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
