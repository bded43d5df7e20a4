import { ProviderError, systemClock } from '@fairlead/core/provider'
import { Pool } from 'undici'
import type { z } from 'zod'
import { createCredentialPool, type Lease } from './credential-pool.ts'
import { exchange, type Reply } from './exchange.ts'
import type { HttpClientOptions } from './http-client-options.ts'
import { readApiKeys, readBaseUrl, readHeaders, readTimeouts } from './read-options.ts'
import { failureOf, isSuccess, openStream, readJson, requireNoEncoding } from './read-reply.ts'
import { createRedactor } from './redactor.ts'
import { tidyError } from './tidy-error.ts'

/** Speaks to one upstream. Every method rejects with a `ProviderError` that holds no secret, or with the signal's reason. */
export interface HttpClient {
  getJson<Output>(get: JsonGet<Output>): Promise<Output>
  postJson<Output>(post: JsonPost<Output>): Promise<Output>
  /** @param read what the reply comes to. A `ProviderError` of this is tidied like all others; one outside is not. */
  postJson<Output, Answer>(post: JsonPost<Output>, read: ReadReply<Output, Answer>): Promise<Answer>
  /** The values of the events that the reply streams, as they come. */
  postForEvents<Output>(post: StreamPost<Output>): AsyncGenerator<Output, void, undefined>
  /** @param read what the events come to. A `ProviderError` of this is tidied like all others; one outside is not. */
  postForEvents<Output, Event>(
    post: StreamPost<Output>,
    read: ReadEvents<Output, Event>,
  ): AsyncGenerator<Event, void, undefined>
  /** Ends all connections. */
  close(): Promise<void>
}

export interface JsonGet<Output> {
  /** Below the base URL; begins with a slash. */
  readonly path: string
  /** The documented reply, or event. What breaks it is read as an error. */
  readonly schema: z.ZodType<Output>
  readonly signal: AbortSignal
  /** What the upstream counts by itself: the model. Default: it counts everything together. */
  readonly quota?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The longest reply, in bytes. Default: 4 MiB. */
  readonly maxBytes?: number
}

export interface JsonPost<Output> extends JsonGet<Output> {
  readonly body: unknown
}

export interface StreamPost<Output> extends Omit<JsonPost<Output>, 'maxBytes'> {
  /** Data that ends the stream and says nothing else: `[DONE]`. Default: none. */
  readonly endMark?: string
  /** The event that ends the stream. Default: none, the stream ends with the reply. */
  readonly isLast?: (event: Output) => boolean
}

export type ReadReply<Output, Answer> = (reply: Output) => Answer | Promise<Answer>
export type ReadEvents<Output, Event> = (events: AsyncIterable<Output>) => AsyncIterable<Event>

const maxJsonBytes = 4 * 1024 * 1024
const userAgent = 'fairlead'

/**
 * A client of one upstream. It never retries: that is for the router to decide.
 *
 * @throws TypeError that names the option at fault and never repeats its value, which may be a secret
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { id, clock = systemClock, explainError = () => undefined } = options
  const timeouts = readTimeouts(options)
  const apiKeys = readApiKeys(options)
  const headers = { 'user-agent': userAgent, 'accept-encoding': 'identity', ...readHeaders(options) }
  const { origin, path } = readBaseUrl(options)
  const dispatcher = options.dispatcher ?? openPool(origin, timeouts.connectMs)
  const credentials = createCredentialPool(id, apiKeys, clock)
  const redact = createRedactor([...apiKeys, ...Object.values(options.headers ?? {})])
  const authorize = options.authorize ?? bearer

  async function send(
    request: JsonGet<unknown> & { readonly body?: unknown },
    accept: string,
    lease: Lease,
  ): Promise<Reply> {
    const isPost = 'body' in request
    const sent = {
      origin,
      path: path + request.path,
      method: isPost ? 'POST' : 'GET',
      headers: {
        accept,
        ...(isPost ? { 'content-type': 'application/json' } : {}),
        ...headers,
        ...request.headers,
        ...(lease.apiKey === undefined ? {} : authorize(lease.apiKey)),
      },
      body: isPost ? JSON.stringify(request.body) : null,
      // The exchange keeps the time itself, by the clock that it is given.
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    const reply = await exchange({ dispatcher, clock, timeouts }, sent, request.signal)
    if (!isSuccess(reply)) throw await failureOf(reply, explainError, clock)
    requireNoEncoding(reply)
    return reply
  }

  const failure = (error: unknown, lease: Lease, signal: AbortSignal): unknown => {
    if (signal.aborted) return signal.reason
    return error instanceof ProviderError ? lease.failed(tidyError(error, id, redact)) : error
  }

  async function askForJson<Output, Answer = Output>(
    request: JsonGet<Output>,
    read: ReadReply<Output, Answer> = asItIs,
  ): Promise<Answer> {
    const lease = credentials.take(request.quota ?? '')
    try {
      const reply = await send(request, 'application/json', lease)
      const reading = { ...request, explainError, clock }
      const answer = await read(await readJson(reply, reading, request.maxBytes ?? maxJsonBytes))
      lease.worked()
      return answer
    } catch (error) {
      throw failure(error, lease, request.signal)
    }
  }

  async function* askForEvents<Output, Event = Output>(
    post: StreamPost<Output>,
    read: ReadEvents<Output, Event> = asItIs,
  ): AsyncGenerator<Event, void, undefined> {
    const lease = credentials.take(post.quota ?? '')
    let hasFailed = false
    try {
      const reply = await send(post, 'text/event-stream', lease)
      yield* read(await openStream(reply, { ...post, explainError, clock }, post))
    } catch (error) {
      hasFailed = true
      throw failure(error, lease, post.signal)
    } finally {
      // Who leaves in the middle has seen it work.
      if (!hasFailed) lease.worked()
    }
  }

  return {
    getJson: askForJson,
    postJson: askForJson,
    postForEvents: askForEvents,
    async close() {
      if (!options.dispatcher) await dispatcher.destroy()
    },
  }
}

function asItIs<Answer>(reply: unknown): Answer {
  return reply as Answer
}

function bearer(apiKey: string) {
  return { authorization: `Bearer ${apiKey}` }
}

/**
 * As many connections to the one origin as there are calls, so that no call waits behind a stream. HTTP/1.1: an abort
 * is then the end of a socket, which no upstream overlooks, and costs no other call its connection.
 */
function openPool(origin: string, connectMs: number): Pool {
  return new Pool(origin, { connections: null, pipelining: 1, allowH2: false, connect: { timeout: connectMs } })
}
