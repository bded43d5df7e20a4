import type { components } from '../../api/schema.d.ts'
import { readServerSentEvents } from '../../api/server-sent-events.ts'
import type { Delta } from './streamed-parts.ts'

type Schemas = components['schemas']
export type Generation = Schemas['Generation']
export type Image = Schemas['Image']
export type Analysis = Schemas['Analysis']
export type CallMeta = Schemas['ModelCallMeta']

/** The result of a call, by its mode. */
export type Output = Generation | Image | Analysis

export interface Reply {
  readonly data: Output
  readonly meta: CallMeta
}

export interface CallRequest {
  /** Such as `/generate`. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface CallOptions {
  readonly serviceUrl: string
  send(request: Request): Promise<Response>
  readonly signal: AbortSignal
  /** Receives what a stream adds. */
  onDelta(delta: Delta): void
}

/** Calls a model. Rejects with the error body of the service, or with a failure of the network. */
export async function callModel(
  { path, body }: CallRequest,
  { serviceUrl, send, signal, onDelta }: CallOptions,
): Promise<Reply> {
  const response = await send(
    new Request(`${serviceUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    }),
  )
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (streamed && response.body) return readStream(response.body, onDelta)
  const reply: unknown = await response.json()
  if (!response.ok) throw reply
  return reply as Reply
}

/** The events that add to an answer. */
const deltas: ReadonlySet<string> = new Set(['chunk', 'reasoning', 'refusal', 'tool_call'])

async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onDelta: (delta: Delta) => void,
): Promise<Reply> {
  for await (const { event, data } of readServerSentEvents(body)) {
    const value: unknown = JSON.parse(data)
    if (deltas.has(event ?? '')) onDelta(value as Delta)
    if (event === 'done') return value as Reply
    if (event === 'error') throw value
  }
  // A proxy or a restart of the service can end the connection.
  throw new TypeError('the stream ended before its last event')
}
