import type { UpstreamFacts } from '@fairlead/core/provider'
import type { Credential } from './credential-pool.ts'
import type { HttpClientOptions } from './http-client-options.ts'
import type {
  BytesGet,
  BytesPost,
  HttpRequests,
  JsonGet,
  JsonPoll,
  JsonPost,
  ReadEvents,
  ReadReply,
  StreamedReply,
  StreamPost,
} from './http-requests.ts'
import { notDone, type Polled, pollUntilDone } from './poll.ts'
import { PostedEvents } from './posted-events.ts'
import { isSuccess, openStream, readWhole, type WholeReply, requireNoEncoding } from './read-reply.ts'
import { receiveBytes, receiveChunks } from './reply-bytes.ts'
import { type Connect, type SentRequest, Upstream } from './upstream.ts'
import { type Reply, upstreamFacts } from './upstream-exchange.ts'
import { readRetryAfter } from './upstream-failure.ts'

/** A client of one upstream. */
export interface HttpClient extends HttpRequests {
  /**
   * The same requests, all with one of the keys, for work of several requests: only the account that began it may ask about
   * it.
   */
  withOneKey(): HttpRequests
  /** Closes all connections. */
  close(): Promise<void>
}

const maxJsonBytes = 4 * 1024 * 1024
const maxReplyBytes = 32 * 1024 * 1024
const maxChunkedBytes = 256 * 1024 * 1024

const json = 'application/json'

/** A client over connections that `connect` opens. */
export function openClient(options: HttpClientOptions, connect: Connect): HttpClient {
  const upstream = new Upstream(options, connect)
  return {
    ...createRequests(upstream, (quota) => upstream.credentials.take(quota)),
    withOneKey() {
      let credential: Credential | undefined
      return createRequests(upstream, (quota) => (credential ??= upstream.credentials.take(quota)))
    },
    close: () => upstream.close(),
  }
}

function createRequests(upstream: Upstream, take: (quota: string) => Credential): HttpRequests {
  const { credentials, reading } = upstream
  const { clock } = reading

  /** The answer that is read from a whole reply. */
  async function ask<Whole, Answer>(
    request: SentRequest['request'],
    accept: string,
    receive: (reply: Reply) => Whole | Promise<Whole>,
    read: (whole: Whole) => Answer | Promise<Answer>,
    hasFacts = false,
  ): Promise<Answer> {
    const { quota = '' } = request
    const credential = take(quota)
    const sent: SentRequest = { request, accept, credential, authorized: {}, reply: undefined }
    try {
      let reply = await upstream.open(sent)
      if (!isSuccess(reply)) reply = await upstream.retried(sent, reply)
      requireNoEncoding(reply)
      sent.reply = reply
      const received = receive(reply)
      const found = read(received instanceof Promise ? await received : received)
      const answer = found instanceof Promise ? await found : found
      credentials.worked(credential, quota)
      return hasFacts ? withFacts(answer, upstreamFacts(reply.headers, reading.rateLimitHeaders)) : answer
    } catch (error) {
      throw upstream.failure(error, sent)
    }
  }

  /** The items that are read from a reply as it arrives. */
  function stream<Item>(
    request: SentRequest['request'],
    accept: string,
    open: (reply: Reply) => AsyncIterable<Item> | Promise<AsyncIterable<Item>>,
    hasFacts = false,
  ): PostedEvents<Item> {
    const { quota = '' } = request
    let sent: SentRequest | undefined
    return new PostedEvents<Item>({
      async open() {
        sent = { request, accept, credential: take(quota), authorized: {}, reply: undefined }
        let reply = await upstream.open(sent)
        if (!isSuccess(reply)) reply = await upstream.retried(sent, reply)
        requireNoEncoding(reply)
        sent.reply = reply
        const opened = open(reply)
        const items = opened instanceof Promise ? await opened : opened
        const facts = hasFacts ? upstreamFacts(reply.headers, reading.rateLimitHeaders) : undefined
        return { items: items[Symbol.asyncIterator](), facts }
      },
      failed: (error) => (sent ? upstream.failure(error, sent) : error),
      ended: () => sent && credentials.worked(sent.credential, quota),
    })
  }

  function askForJson<Output, Answer = Output, Event = never>(
    request: JsonGet<Output> | JsonPost<Output>,
    read?: ReadReply<Output, Answer>,
    streamed?: StreamedReply<Event, Answer>,
  ): Promise<Answer> {
    return ask(
      request,
      json,
      (reply) => readWhole(reply, request.schema, request.maxBytes ?? maxJsonBytes, streamed, reading),
      (whole) => {
        if ('events' in whole) return streamed!.collect(whole.events)
        return read ? read(whole.value) : (whole.value as unknown as Answer)
      },
      read !== undefined,
    )
  }

  /** A stream of events, or of lines. */
  function streamOf(form: 'events' | 'lines', accept: string) {
    return <Output, Event = Output>(post: StreamPost<Output>, read?: ReadEvents<Output, Event>) =>
      stream(
        post,
        accept,
        (reply) => {
          const events = openStream(reply, post, reading, form)
          return read ? read(events) : (events as unknown as AsyncIterable<Event>)
        },
        read !== undefined,
      )
  }

  function askForBytes(request: BytesGet | BytesPost) {
    const receive = (reply: Reply) => receiveBytes(reply, request.maxBytes ?? maxReplyBytes, reading)
    return ask(request, '*/*', receive, (bytes) => bytes)
  }

  return {
    getJson: askForJson,
    postJson: askForJson,
    postForEvents: streamOf('events', 'text/event-stream'),
    postForLines: streamOf('lines', 'application/x-ndjson, application/json'),
    getBytes: askForBytes,
    postForBytes: askForBytes,
    postForChunks: (post) =>
      stream(post, '*/*', (reply) => receiveChunks(reply, post.maxBytes ?? maxChunkedBytes, reading)),
    poll<Output, Answer = Output>(poll: JsonPoll<Output>, read?: ReadReply<Output, Answer>): Promise<Answer> {
      const { schema, maxBytes = maxJsonBytes, until } = poll
      const askOnce = async (): Promise<Polled<Answer>> => {
        let retryAfterMs: number | undefined
        const answer = await ask<WholeReply<Output, never>, Answer | typeof notDone>(
          poll,
          json,
          (reply) => {
            retryAfterMs = readRetryAfter(reply.headers, clock.now())
            return readWhole(reply, schema, maxBytes, undefined, reading)
          },
          (whole) => {
            const { value } = whole as { readonly value: Output }
            if (!until(value)) return notDone
            return read ? read(value) : (value as unknown as Answer)
          },
          read !== undefined,
        )
        return { answer, retryAfterMs }
      }
      return pollUntilDone(askOnce, poll, clock)
    },
  }
}

function withFacts<Answer>(answer: Answer, facts: UpstreamFacts | undefined): Answer {
  if (!facts || typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  const { response } = answer as { readonly response?: object }
  return { ...answer, response: { ...response, ...facts } }
}
