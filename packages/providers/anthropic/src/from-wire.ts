import {
  type AnswerPart,
  type Issue,
  ProviderError,
  type ProviderOptions,
  readToolInput,
  type TextAnswer,
  type PartEvent,
  type TextEvent,
} from '@fairlead/core/provider'
import { readFinish, readUsage, refusalOf } from './finish.ts'
import type { MessageReply, MessageRequest, StreamEvent, WireBlock, WireUsage } from './wire.ts'

/** The answer of a reply, without blocks of unknown types. @param id the key of the provider's own options */
export function fromWire(
  reply: MessageReply,
  id: string,
  warnings: readonly Issue[],
  asked?: MessageRequest,
): TextAnswer {
  const parts = reply.content.flatMap((block): readonly AnswerPart[] => toPart(block, id))
  const content = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const finish = readFinish(reply, reply.usage, asked)
  const all = [...parts, ...refusalOf(reply)]
  const isMore = all.some(({ type }) => type !== 'text')
  return { content, ...(isMore && { parts: all }), ...finish, warnings: [...warnings, ...finish.warnings] }
}

/** The API requires signatures, redacted thinking, and the callers of tools back unchanged. */
function toPart(block: WireBlock, id: string): readonly AnswerPart[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [block]
    case 'thinking':
      return [{ type: 'reasoning', text: block.thinking, ...signed(block.signature, id) }]
    case 'redacted_thinking':
      return [{ type: 'reasoning', text: '', providerOptions: { [id]: { data: block.data } } }]
    case 'tool_use': {
      const { type: _type, id: callId, name, input, ...rest } = block
      return [{ type: 'tool_call', id: callId, name, ...inputOf(input), ...ownOf(rest, id) }]
    }
    case 'other':
      return []
  }
}

/** A server that only speaks this API may send what the model wrote instead of an object. */
function inputOf(input: unknown): ReturnType<typeof readToolInput> {
  return readToolInput(typeof input === 'string' ? input : (JSON.stringify(input) ?? ''))
}

function signed(signature: string | null | undefined, id: string): { providerOptions?: ProviderOptions } {
  return signature ? { providerOptions: { [id]: { signature } } } : {}
}

/** The further fields of a tool call; none for a usual call, whose caller is the model. */
function ownOf(fields: Readonly<Record<string, unknown>>, id: string): { providerOptions?: ProviderOptions } {
  const kept = Object.entries(fields).filter(
    ([name, value]) => value !== null && !(name === 'caller' && isDirect(value)),
  )
  return kept.length === 0 ? {} : { providerOptions: { [id]: Object.fromEntries(kept) } }
}

function isDirect(caller: unknown): boolean {
  return typeof caller === 'object' && caller !== null && 'type' in caller && caller.type === 'direct'
}

/** The events of one stream, which is complete only after `message_stop`. @param id the key of the provider's own options */
export async function* fromEvents(
  events: AsyncIterable<StreamEvent>,
  id: string,
  warnings: readonly Issue[],
  asked?: MessageRequest,
): AsyncGenerator<TextEvent, void, undefined> {
  let usage: Partial<WireUsage> = {}
  let ending: Parameters<typeof readFinish>[0] = {}
  const read = partReader(id)
  for await (const event of events) {
    if (event.type === 'message_start') {
      usage = event.message.usage
      const counted = readUsage({ output_tokens: 0, ...usage }, asked)
      if (counted) yield { type: 'usage', usage: counted }
    }
    if (event.type === 'message_delta') {
      ending = { ...ending, ...event.delta }
      usage = withLatest(usage, event.usage)
    }
    const part = read(event)
    if (part) {
      yield part
    }
    if (event.type !== 'message_stop') {
      if (!part) yield { type: 'alive' }
      continue
    }
    yield* refusalOf(ending)
    const finish = readFinish(ending, usage, asked)
    yield { type: 'finish', ...finish, warnings: [...warnings, ...finish.warnings] }
    return
  }
  throw new ProviderError('retry', 'the stream ended before message_stop')
}

/** Reads the parts of a stream. Deltas name their block by its index, and pieces of an input belong to its tool call. */
function partReader(id: string): (event: StreamEvent) => PartEvent | undefined {
  const calls = new Map<number, { readonly id: string; readonly name: string }>()
  return (event) => {
    if (event.type === 'content_block_start') {
      const [part] = toPart(event.content_block, id)
      if (part?.type !== 'tool_call') return part?.type === 'reasoning' && isEmpty(part) ? undefined : part
      const { input: _input, ...call } = part
      calls.set(event.index, { id: part.id, name: part.name })
      return { ...call, inputDelta: '' }
    }
    if (event.type !== 'content_block_delta') return undefined
    const { delta, index } = event
    switch (delta.type) {
      case 'text_delta':
        return delta.text === '' ? undefined : { type: 'text', text: delta.text }
      case 'thinking_delta':
        return delta.thinking === '' ? undefined : { type: 'reasoning', text: delta.thinking }
      // The last delta of a block of thinking.
      case 'signature_delta':
        return { type: 'reasoning', text: '', ...signed(delta.signature, id) }
      case 'input_json_delta': {
        const call = calls.get(index)
        if (!call || delta.partial_json === '') return undefined
        return { type: 'tool_call', ...call, inputDelta: delta.partial_json }
      }
      case 'other':
        return undefined
    }
  }
}

function isEmpty(part: Extract<AnswerPart, { type: 'reasoning' }>): boolean {
  return part.text === '' && !part.providerOptions
}

/** Counts are cumulative; a missing count is unchanged. */
function withLatest(usage: Partial<WireUsage>, latest: WireUsage | undefined): Partial<WireUsage> {
  const reported = Object.entries(latest ?? {}).filter(([, count]) => count !== undefined && count !== null)
  return { ...usage, ...Object.fromEntries(reported) }
}
