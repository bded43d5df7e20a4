import type { UpstreamFacts } from '@fairlead/core/provider'
import type { Credential } from './credential-pool.ts'
import type { HttpClientOptions } from './http-client-options.ts'
import type {
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
import {
  isSuccess,
  openStream,
  readWhole,
  type ReplyReading,
  requireNoEncoding,
  type WholeReply,
} from './read-reply.ts'
import { openChunks, receiveBytes } from './reply-bytes.ts'
import { type Connect, notAuthorized, type SentRequest, Upstream } from './upstream.ts'
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

/** Reads a reply as a whole. */
type Receive<Request, Value, Event> = (
  reply: Reply,
  request: Request,
  reading: ReplyReading,
  streamed?: StreamedReply<Event, unknown>,
) => WholeReply<Value, Event> | Promise<WholeReply<Value, Event>>

/** Reads a reply as it arrives. */
type Open<Request, Item> = (
  reply: Reply,
  request: Request,
  reading: ReplyReading,
) => AsyncIterable<Item> | Promise<AsyncIterable<Item>>

function createRequests(upstream: Upstream, take: (quota: string) => Credential): HttpRequests {
  const { credentials, reading } = upstream

  async function ask<Request extends SentRequest['request'], Value, Answer = Value, Event = never>(
    request: Request,
    accept: string,
    receive: Receive<Request, Value, Event>,
    read?: ReadReply<Value, Answer>,
    streamed?: StreamedReply<Event, Answer>,
  ): Promise<Answer> {
    const { quota = '' } = request
    const sent: SentRequest = { request, accept, credential: take(quota), authorized: notAuthorized, reply: undefined }
    try {
      let reply = await upstream.open(sent)
      if (!isSuccess(reply)) reply = await upstream.retried(sent, reply)
      requireNoEncoding(reply)
      sent.reply = reply
      const received = receive(reply, request, reading, streamed)
      const whole = received instanceof Promise ? await received : received
      const found =
        'events' in whole
          ? streamed!.collect(whole.events)
          : read
            ? read(whole.value)
            : (whole.value as unknown as Answer)
      const answer = found instanceof Promise ? await found : found
      credentials.worked(sent.credential, quota)
      return read ? withFacts(answer, upstreamFacts(reply.headers, reading.rateLimitHeaders)) : answer
    } catch (error) {
      throw upstream.failure(error, sent)
    }
  }

  function stream<Request extends SentRequest['request'], Item, Event = Item>(
    request: Request,
    accept: string,
    open: Open<Request, Item>,
    read?: ReadEvents<Item, Event>,
  ): PostedEvents<Event> {
    const { quota = '' } = request
    let sent: SentRequest | undefined
    return new PostedEvents<Event>({
      async open() {
        sent = { request, accept, credential: take(quota), authorized: notAuthorized, reply: undefined }
        let reply = await upstream.open(sent)
        if (!isSuccess(reply)) reply = await upstream.retried(sent, reply)
        requireNoEncoding(reply)
        sent.reply = reply
        const opened = open(reply, request, reading)
        const items = opened instanceof Promise ? await opened : opened
        const events = read ? read(items) : (items as unknown as AsyncIterable<Event>)
        const facts = read && upstreamFacts(reply.headers, reading.rateLimitHeaders)
        return { items: events[Symbol.asyncIterator](), facts }
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
    return ask<typeof request, Output, Answer, Event>(request, json, receiveJson, read, streamed)
  }

  return {
    getJson: askForJson,
    postJson: askForJson,
    postForEvents: <Output, Event = Output>(post: StreamPost<Output>, read?: ReadEvents<Output, Event>) =>
      stream(post, 'text/event-stream', openEvents<Output>, read),
    postForLines: <Output, Event = Output>(post: StreamPost<Output>, read?: ReadEvents<Output, Event>) =>
      stream(post, 'application/x-ndjson, application/json', openLines<Output>, read),
    getBytes: (get) => ask(get, '*/*', receiveBytes),
    postForBytes: (post) => ask(post, '*/*', receiveBytes),
    postForChunks: (post) => stream(post, '*/*', openChunks),
    poll<Output, Answer = Output>(poll: JsonPoll<Output>, read?: ReadReply<Output, Answer>): Promise<Answer> {
      const askOnce = async (): Promise<Polled<Answer>> => {
        let retryAfterMs: number | undefined
        const receive: Receive<JsonPoll<Output>, Output, never> = (reply) => {
          retryAfterMs = readRetryAfter(reply.headers, reading.clock.now())
          return receiveJson(reply, poll, reading)
        }
        const readOnce = (value: Output) => {
          if (!poll.until(value)) return notDone
          return read ? read(value) : (value as unknown as Answer)
        }
        const answer = await ask<JsonPoll<Output>, Output, Answer | typeof notDone>(poll, json, receive, readOnce)
        return { answer, retryAfterMs }
      }
      return pollUntilDone(askOnce, poll, reading.clock)
    },
  }
}

function receiveJson<Output, Event = never>(
  reply: Reply,
  { schema, maxBytes = maxJsonBytes }: JsonGet<Output>,
  reading: ReplyReading,
  streamed?: StreamedReply<Event, unknown>,
) {
  return readWhole(reply, schema, maxBytes, streamed, reading)
}

function openEvents<Output>(reply: Reply, post: StreamPost<Output>, reading: ReplyReading) {
  return openStream(reply, post, reading)
}

function openLines<Output>(reply: Reply, post: StreamPost<Output>, reading: ReplyReading) {
  return openStream(reply, post, reading, 'lines')
}

function withFacts<Answer>(answer: Answer, facts: UpstreamFacts | undefined): Answer {
  if (!facts || typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  const { response } = answer as { readonly response?: object }
  return { ...answer, response: { ...response, ...facts } }
}
