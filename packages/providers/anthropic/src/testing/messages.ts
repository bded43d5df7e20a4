import type { Message } from '@fairlead/core/provider'
import type { RecordedEvent } from '@fairlead/testing'

/** A message of one text. */
export function said(role: 'system' | 'user' | 'assistant', text: string): Message {
  return { role, content: [{ type: 'text', text }] }
}

/** A reply in the form of the API reference. */
export function wireMessage({ usage, ...facts }: { readonly usage?: object; readonly [field: string]: unknown } = {}) {
  return {
    id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-5-5',
    container: null,
    content: [{ type: 'text', text: 'Hello there.', citations: null }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    stop_details: null,
    ...facts,
    usage: {
      input_tokens: 12,
      output_tokens: 6,
      cache_creation_input_tokens: null,
      cache_read_input_tokens: null,
      output_tokens_details: null,
      service_tier: 'standard',
      ...usage,
    },
  }
}

export interface WireEvent {
  readonly type: string
  readonly [field: string]: unknown
}

/** Events as the API sends them. */
export function named(...events: readonly WireEvent[]): RecordedEvent[] {
  return events.map((event) => ({ event: event.type, data: event }))
}

type WireMessage = ReturnType<typeof wireMessage>
type Block = Readonly<Record<string, unknown>>

/** The events that the streaming guide documents for a reply. */
export function toEvents(message: WireMessage): RecordedEvent[] {
  const { content, stop_reason, stop_sequence, stop_details, usage } = message
  return named(
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    },
    { type: 'ping' },
    ...content.flatMap((block, index) => blockEvents(block, index)),
    { type: 'message_delta', delta: { stop_reason, stop_sequence, stop_details, container: null }, usage },
    { type: 'message_stop' },
  )
}

function blockEvents(block: Block, index: number): readonly WireEvent[] {
  const { start, deltas } = blockDeltas(block)
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

function blockDeltas(block: Block): { readonly start: Block; readonly deltas: readonly Block[] } {
  switch (block.type) {
    case 'text':
      return { start: { ...block, text: '' }, deltas: halves(block.text, (text) => ({ type: 'text_delta', text })) }
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          ...halves(block.thinking, (thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature },
        ],
      }
    case 'tool_use': {
      const json = JSON.stringify(block.input)
      const deltas = halves(json === '{}' ? '' : json, (partial_json) => ({ type: 'input_json_delta', partial_json }))
      return { start: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json: '' }, ...deltas] }
    }
    default:
      return { start: block, deltas: [] }
  }
}

function halves(text: unknown, delta: (half: string) => Block): readonly Block[] {
  const whole = String(text)
  const middle = Math.ceil(whole.length / 2)
  return [whole.slice(0, middle), whole.slice(middle)].filter((half) => half !== '').map(delta)
}
