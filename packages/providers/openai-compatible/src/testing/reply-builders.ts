import type { FinishReason } from '@fairlead/core/provider'
import type { RecordedReply } from '@fairlead/testing'

/**
 * Where a reply comes from: the types of the vendor's SDK, a public report of a client, the documentation or source of the
 * server, or an assumption.
 */
export type Origin = 'SDK types' | 'a report' | 'documentation' | 'assumed'

export interface RealReply {
  readonly of: string
  readonly origin: Origin
  /** Whether it answers a request for a whole reply or for a stream. */
  readonly asked: 'whole' | 'stream'
  readonly api?: 'responses'
  readonly reply: RecordedReply
  /** Undefined for a call that fails. */
  readonly answer?: {
    readonly text: string
    readonly reasoning?: string
    readonly calls?: readonly (readonly [name: string, inputText: string])[]
    readonly finishReason?: FinishReason
    readonly completionTokens?: number
    /** Whether there is a warning about the end. */
    readonly warns?: true
  }
  readonly fails?: object
}

export const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
export const greeting = { text: 'Hello there', completionTokens: 3 }
export const head = { id: 'chatcmpl-1', object: 'chat.completion', created: 1_795_000_000, model: 'any' }
export const chunkHead = { ...head, object: 'chat.completion.chunk' }

export function whole(message: object, finish_reason: unknown = 'stop', about: object = {}): RecordedReply {
  return { json: { ...head, choices: [{ index: 0, message, finish_reason }], usage, ...about } }
}

export const chunk = (delta: object, finish_reason: unknown = null, about: object = {}) => ({
  ...chunkHead,
  choices: [{ index: 0, delta, finish_reason }],
  ...about,
})
export const pieces = [chunk({ role: 'assistant', content: 'Hello' }), chunk({ content: ' there' })]
export const stop = chunk({}, 'stop')
export const counts = { ...chunkHead, choices: [], usage }
export const call = (args: unknown, about: object = {}) => ({
  id: 'call_a',
  type: 'function',
  function: { name: 'get_weather', arguments: args },
  ...about,
})
export const city = '{"city":"Lisbon"}'

export const sse = { 'content-type': 'text/event-stream' }
export const json = { 'content-type': 'application/json' }

/** Server-sent events as bytes. */
export function bytes(
  events: readonly (object | string)[],
  { line = '\n', field = 'data: ', mark = true } = {},
): string {
  const datas = events.map((event) => (typeof event === 'string' ? event : `${field}${JSON.stringify(event)}`))
  return [...datas, ...(mark ? [`${field}[DONE]`] : [])].map((data) => data + line + line).join('')
}

export function streamed(events: readonly object[], done = true): RecordedReply {
  return { text: bytes(events, { mark: done }), headers: sse }
}

export const message = { role: 'assistant', content: 'Hello there' }
/** A pattern for the path of a field in an error. */
export function naming(path: string) {
  return { asymmetricMatch: (text: unknown) => typeof text === 'string' && text.includes(path) }
}
