import type { PostedEvents } from './posted-events.ts'
import type { EventForm, ReplySchema } from './read-reply.ts'

/** The requests of a client. Every method rejects with a `ProviderError` that holds no secret, or with the signal's reason. */
export interface HttpRequests {
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
  /** The values of the server-sent events that the reply streams, as they arrive. */
  postForEvents<Output>(post: StreamPost<Output>): PostedEvents<Output>
  /**
   * @param read maps the events. Its `ProviderError`s are redacted like the client's own. Its event `start` gets the same
   * facts. If there are any, and it has none, one comes before its other events.
   */
  postForEvents<Output, Event>(post: StreamPost<Output>, read: ReadEvents<Output, Event>): PostedEvents<Event>
  /** The values of a stream of JSON, as they arrive: one on each line (NDJSON), or the elements of a list. */
  postForLines<Output>(post: StreamPost<Output>): PostedEvents<Output>
  postForLines<Output, Event>(post: StreamPost<Output>, read: ReadEvents<Output, Event>): PostedEvents<Event>
  /** A reply that is bytes, such as an image. JSON and web pages are errors. */
  getBytes(get: BytesGet): Promise<ReplyBytes>
  postForBytes(post: BytesPost): Promise<ReplyBytes>
  /** The pieces of a reply that is bytes, as they arrive. */
  postForChunks(post: BytesPost): PostedEvents<Uint8Array>
  /**
   * Repeats a GET until the reply says that the work is done, and returns this reply. Waits longer if the upstream says so
   * with `Retry-After`. Three failures in a row that are temporary end it, because the router would begin the work again.
   */
  poll<Output>(poll: JsonPoll<Output>): Promise<Output>
  poll<Output, Answer>(poll: JsonPoll<Output>, read: ReadReply<Output, Answer>): Promise<Answer>
}

/** What every request has. */
export interface UpstreamRequest {
  /** Below the base URL; begins with a slash. */
  readonly path: string
  readonly signal: AbortSignal
  /**
   * The part of the upstream's service that it limits separately, such as the model. Default: one limit for all calls.
   */
  readonly quota?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface JsonGet<Output> extends UpstreamRequest {
  /** The documented reply or event. A value that does not match is read as an error. */
  readonly schema: ReplySchema<Output>
  /** The maximum size of the reply, in bytes. Default: 4 MiB. */
  readonly maxBytes?: number
}

export interface Post {
  /**
   * Sent as JSON. `FormData`, `URLSearchParams`, `Blob`, bytes, and streams of bytes are sent as they are; a stream only once,
   * also if the upstream rejects it with 401. The header `content-type` overrides their type.
   */
  readonly body: unknown
  /** The maximum size of a body that is not JSON, in bytes. Default: 64 MiB. Above it, the call fails with `invalid_request`. */
  readonly maxUploadBytes?: number
}

export interface JsonPost<Output> extends JsonGet<Output>, Post {}

export interface StreamPost<Output> extends Omit<JsonPost<Output>, 'maxBytes'>, EventForm<Output> {}

export interface BytesGet extends UpstreamRequest {
  /** The maximum size of the reply, in bytes. Default: 32 MiB. */
  readonly maxBytes?: number
}

export interface BytesPost extends BytesGet, Post {}

export interface ReplyBytes {
  readonly bytes: Uint8Array
  /** As the upstream says, without parameters: `image/png`. */
  readonly mediaType: string | undefined
}

export interface JsonPoll<Output> extends JsonGet<Output> {
  /** Whether the work is done, or has failed. */
  readonly until: (reply: Output) => boolean
  /** The time between two requests, in milliseconds. */
  readonly everyMs: number
}

/** How the events of a stream are read as an answer. */
export interface StreamedReply<Event, Answer> extends EventForm<Event> {
  readonly collect: (events: AsyncIterable<Event>) => Promise<Answer>
}

export type ReadReply<Output, Answer> = (reply: Output) => Answer | Promise<Answer>
export type ReadEvents<Output, Event> = (events: AsyncIterable<Output>) => AsyncIterable<Event>
