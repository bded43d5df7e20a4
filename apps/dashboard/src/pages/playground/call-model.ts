import type { components } from '../../api/schema.d.ts'
import { readServerSentEvents } from '../../api/server-sent-events.ts'

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
  /** Receives the next part of a streamed text. */
  onText(text: string): void
}

/** Calls a model. Rejects with the error body of the service, or with a failure of the network. */
export async function callModel(
  { path, body }: CallRequest,
  { serviceUrl, send, signal, onText }: CallOptions,
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
  if (streamed && response.body) return readStream(response.body, onText)
  const reply: unknown = await response.json()
  if (!response.ok) throw reply
  return reply as Reply
}

async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onText: (text: string) => void,
): Promise<Reply> {
  for await (const { event, data } of readServerSentEvents(body)) {
    const value: unknown = JSON.parse(data)
    if (event === 'chunk') onText((value as { readonly content: string }).content)
    if (event === 'done') return value as Reply
    if (event === 'error') throw value
  }
  // A proxy or a restart of the service can end the connection.
  throw new TypeError('the stream ended before its last event')
}
