import { Deadlines, ProviderError, systemClock, type UpstreamFacts } from '@fairlead/core/provider'
import { type Credential, CredentialPool } from './credential-pool.ts'
import { exchange, type Reply, upstreamFacts } from './upstream-exchange.ts'
import type { HttpClientOptions } from './http-client-options.ts'
import { openPool } from './open-pool.ts'
import { PostedEvents } from './posted-events.ts'
import { readApiKeys, readBaseUrl, readHeaders, readRateLimitHeaders, readTimeouts } from './read-options.ts'
import {
  type EventForm,
  readFailure,
  isSuccess,
  openStream,
  type ReplySchema,
  requireNoEncoding,
  readWhole,
} from './read-reply.ts'
import { createRedactor, tidyError } from './redact.ts'
import { writeJson } from './write-json.ts'

/** A client of one upstream. Every method rejects with a `ProviderError` that holds no secret, or with the signal's reason. */
export interface HttpClient {
  getJson<Output>(get: JsonGet<Output>): Promise<Output>
  postJson<Output>(post: JsonPost<Output>): Promise<Output>
  /**
   * @param read maps the reply. Its `ProviderError`s are redacted like the client's own. An answer that is an object gets
   * the upstream's id of the request in `response`, and its rate limits if the option says so.
   * @param streamed reads the events that some servers send although a whole reply was asked for. Default: an error.
   */
  postJson<Output, Answer, Event = never>(
    post: JsonPost<Output>,
    read: ReadReply<Output, Answer>,
    streamed?: StreamedReply<Event, Answer>,
  ): Promise<Answer>
  /** The values of the events that the reply streams, as they arrive. */
  postForEvents<Output>(post: StreamPost<Output>): PostedEvents<Output>
  /**
   * @param read maps the events. Its `ProviderError`s are redacted like the client's own. Its event `start` gets the same
   * facts. If there are any, and it has none, one comes before its other events.
   */
  postForEvents<Output, Event>(post: StreamPost<Output>, read: ReadEvents<Output, Event>): PostedEvents<Event>
  /** Closes all connections. */
  close(): Promise<void>
}

export interface JsonGet<Output> {
  /** Below the base URL; begins with a slash. */
  readonly path: string
  /** The documented reply or event. A value that does not match is read as an error. */
  readonly schema: ReplySchema<Output>
  readonly signal: AbortSignal
  /**
   * The part of the upstream's service that it limits separately, such as the model. Default: one limit for all calls.
   */
  readonly quota?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The maximum size of the reply, in bytes. Default: 4 MiB. */
  readonly maxBytes?: number
}

export interface JsonPost<Output> extends JsonGet<Output> {
  readonly body: unknown
}

export interface StreamPost<Output> extends Omit<JsonPost<Output>, 'maxBytes'>, EventForm<Output> {}

/** How the events of a stream are read as an answer. */
export interface StreamedReply<Event, Answer> extends EventForm<Event> {
  readonly collect: (events: AsyncIterable<Event>) => Promise<Answer>
}

export type ReadReply<Output, Answer> = (reply: Output) => Answer | Promise<Answer>
export type ReadEvents<Output, Event> = (events: AsyncIterable<Output>) => AsyncIterable<Event>

const maxJsonBytes = 4 * 1024 * 1024
const userAgent = 'fairlead'

/**
 * A client of one upstream. It never retries, because the router does.
 *
 * @throws TypeError that names the invalid option and never repeats its value, which may be a secret
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { id, clock = systemClock, explainError = () => undefined } = options
  const timeouts = readTimeouts(options)
  const rateLimitHeaders = readRateLimitHeaders(options)
  const apiKeys = readApiKeys(options)
  const headers = { 'user-agent': userAgent, 'accept-encoding': 'identity', ...readHeaders(options) }
  const postHeaders = { 'content-type': 'application/json', ...headers }
  const { origin, path } = readBaseUrl(options)
  const { dispatcher, proxy } = options.dispatcher
    ? { dispatcher: options.dispatcher }
    : openPool(origin, timeouts.connectMs)
  const credentials = new CredentialPool(id, apiKeys, clock)
  const line = { dispatcher, proxy, deadlines: new Deadlines(clock), timeouts }
  const reading = { explainError, clock, rateLimitHeaders }
  const redact = createRedactor([...apiKeys, ...Object.values(options.headers ?? {})])
  const authorize = options.authorize ?? bearer

  function send(
    request: JsonGet<unknown> & { readonly body?: unknown },
    accept: string,
    { apiKey }: Credential,
  ): Promise<Reply> {
    const isPost = 'body' in request
    const sent = {
      origin,
      path: path + request.path,
      method: isPost ? 'POST' : 'GET',
      headers: {
        accept,
        ...(isPost ? postHeaders : headers),
        ...request.headers,
        ...(apiKey !== undefined && authorize(apiKey)),
      },
      body: isPost ? writeJson(request.body) : null,
      // The exchange has its own timeouts, with the given clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    return exchange(line, sent, request.signal)
  }

  function failure(
    error: unknown,
    credential: Credential,
    { signal, quota = '' }: JsonGet<unknown>,
    reply: Reply | undefined,
  ): unknown {
    if (signal.aborted) return signal.reason
    if (!(error instanceof ProviderError)) return error
    const head = reply && { status: reply.status, ...upstreamFacts(reply.headers, rateLimitHeaders) }
    return credentials.failed(credential, quota, tidyError(error, id, redact, head))
  }

  async function askForJson<Output, Answer = Output, Event = never>(
    request: JsonGet<Output>,
    read?: ReadReply<Output, Answer>,
    streamed?: StreamedReply<Event, Answer>,
  ): Promise<Answer> {
    const { schema, quota = '', maxBytes = maxJsonBytes } = request
    const credential = credentials.take(quota)
    let reply: Reply | undefined
    try {
      const sent = await send(request, 'application/json', credential)
      if (!isSuccess(sent)) throw await readFailure(sent, reading)
      requireNoEncoding(sent)
      reply = sent
      const sentReply = readWhole(reply, schema, maxBytes, streamed, reading)
      const whole = sentReply instanceof Promise ? await sentReply : sentReply
      const found =
        'events' in whole
          ? streamed!.collect(whole.events)
          : read
            ? read(whole.value)
            : (whole.value as unknown as Answer)
      const answer = found instanceof Promise ? await found : found
      credentials.worked(credential, quota)
      return read ? withFacts(answer, upstreamFacts(reply.headers, rateLimitHeaders)) : answer
    } catch (error) {
      throw failure(error, credential, request, reply)
    }
  }

  function askForEvents<Output, Event = Output>(
    post: StreamPost<Output>,
    read?: ReadEvents<Output, Event>,
  ): PostedEvents<Event> {
    const { quota = '' } = post
    let credential: Credential | undefined
    let reply: Reply | undefined
    return new PostedEvents<Event>({
      async open() {
        credential = credentials.take(quota)
        const sent = await send(post, 'text/event-stream', credential)
        if (!isSuccess(sent)) throw await readFailure(sent, reading)
        requireNoEncoding(sent)
        reply = sent
        const events = openStream(reply, post, reading)
        const mapped = read ? read(events) : (events as unknown as AsyncIterable<Event>)
        return { items: mapped[Symbol.asyncIterator](), facts: read && upstreamFacts(reply.headers, rateLimitHeaders) }
      },
      failed: (error) => (credential ? failure(error, credential, post, reply) : error),
      ended: () => credential && credentials.worked(credential, quota),
    })
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

function withFacts<Answer>(answer: Answer, facts: UpstreamFacts | undefined): Answer {
  if (!facts || typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  const { response } = answer as { readonly response?: object }
  return { ...answer, response: { ...response, ...facts } }
}

function bearer(apiKey: string) {
  return { authorization: `Bearer ${apiKey}` }
}
