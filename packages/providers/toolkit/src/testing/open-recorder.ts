import { type RecordedExchange, type RecordedReply, eventsIn, openTestUpstream } from '@fairlead/testing'
import { request as send } from 'undici'
import { createRedactor } from '../http/redact.ts'

/** Stands between a provider and its real upstream, and keeps what they say to each other. */
export interface Recorder {
  /** Takes the place of the upstream's origin in the provider's base URL. */
  readonly url: string
  /** The recorded exchanges so far, without secrets. */
  exchanges(): readonly RecordedExchange[]
  close(): Promise<void>
}

export interface RecorderOptions {
  /** The real upstream: `https://api.example.com`. */
  readonly origin: string
  /** Keys, account names and whatever else may not be kept. What the provider sends as its key is not kept in any case. */
  readonly secrets: readonly string[]
}

/** Headers of replies that mean something to a provider; all others may tell whose account it is. */
const keptHeaders = /^(retry-after|retry-after-ms|x-should-retry)$/
/** Headers of requests that the real upstream needs. */
const sentHeaders = /^(authorization|api-key|x-api-key|x-goog-api-key|content-type|accept|anthropic-.*|openai-.*)$/

export async function openRecorder({ origin, secrets }: RecorderOptions): Promise<Recorder> {
  const exchanges: RecordedExchange[] = []
  const redact = createRedactor(secrets)
  const proxy = await openTestUpstream()
  proxy.answer(async (response, { method, path, headers, body }) => {
    const upstream = await send(origin + path, {
      method: method as 'POST',
      headers: kept(headers, sentHeaders),
      body: body === '' ? null : JSON.stringify(body),
    })
    const text = await upstream.body.text()
    const contentType = String(upstream.headers['content-type'] ?? '')
    response.writeHead(upstream.statusCode, { 'content-type': contentType, ...kept(upstream.headers, keptHeaders) })
    response.end(text)
    const said = body === '' ? {} : { body }
    const reply = {
      ...(upstream.statusCode === 200 ? {} : { status: upstream.statusCode }),
      headers: kept(upstream.headers, keptHeaders),
      ...asRecorded(text, contentType),
    }
    exchanges.push(scrubbed({ request: { method, path, ...said }, reply }, redact))
  })
  return { url: proxy.url, exchanges: () => exchanges, close: () => proxy.close() }
}

function kept(headers: Readonly<Record<string, unknown>>, names: RegExp): Record<string, string> {
  const entries = Object.entries(headers).filter(([name, value]) => names.test(name) && typeof value === 'string')
  return Object.fromEntries(entries) as Record<string, string>
}

function asRecorded(text: string, contentType: string): RecordedReply {
  if (contentType.includes('json')) return { json: JSON.parse(text) as unknown }
  if (!contentType.includes('event-stream')) return { text }
  return { events: eventsIn(text).map(({ id: _id, ...event }) => event) }
}

/** Every text in an exchange, without secrets. */
function scrubbed<Value>(value: Value, redact: (text: string) => string): Value {
  const scrub = (_name: string, inner: unknown) => (typeof inner === 'string' ? redact(inner) : inner)
  return JSON.parse(JSON.stringify(value, scrub)) as Value
}
