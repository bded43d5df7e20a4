import type { ErrorCode, Issue, UpstreamFailure } from '../errors.ts'

export interface Meta {
  readonly requestId: string
  /** Of a replay: the id of the request whose stored response this is. */
  readonly originalRequestId?: string
  /** ISO 8601 in UTC. */
  readonly timestamp: string
  readonly provider?: string
  readonly costUsd?: number
  readonly cached?: boolean
  /** Number of calls to providers, including retries. */
  readonly attempts?: number
  /** Warnings, such as settings that the model does not support. */
  readonly warnings?: readonly Issue[]
  /** Only for lists. */
  readonly page?: PageMeta
}

export interface PageMeta {
  /** The cursor of the next page; null on the last page. */
  readonly nextCursor: string | null
  readonly hasMore: boolean
  readonly limit: number
}

export interface ListedRecord {
  /** The cursor of the page that starts after this record. */
  readonly cursor: string
  /** Absent if the record has no versions. */
  readonly version?: number
}

/** A limit of the caller after a response. */
export interface Limits {
  /** Units per window: per month for a quota. */
  readonly limit: number
  readonly windowMs: number
  readonly remaining: number
  /** When the quota resets, or one more request may be sent, in milliseconds since the epoch. */
  readonly resetAt: number
  /** The API key whose quota it is, if it is one that the caller's key descends from. */
  readonly keyId?: string
}

/** The limit of requests per minute. It recovers continuously. */
export type BurstLimit = Limits

interface ReplyHead {
  readonly meta: Meta
  /** Absent if the caller or the operation has no quota. */
  readonly limits?: Limits
  /** Absent if the caller has no burst limit or the request was not counted. */
  readonly burst?: BurstLimit
}

interface SuccessHead extends ReplyHead {
  readonly success: true
  /** Set if this is the stored response of an earlier request with the same Idempotency-Key. */
  readonly replayed?: true
}

export interface Success<Data> extends SuccessHead {
  readonly data: Data
  /** The version of the returned record; absent if it has none. */
  readonly version?: number
  /** Only for lists: the metadata of each record, in order. */
  readonly records?: () => readonly ListedRecord[]
}

export interface ErrorDetails {
  readonly field: string | null
  readonly issue: string | null
  readonly issues: readonly { readonly field: string | null; readonly issue: string }[]
  readonly [fact: string]: unknown
}

export interface Failure extends ReplyHead {
  readonly success: false
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails }
  readonly retryAfterMs?: number
  /** The upstream's answer to a failed model call, for surfaces that speak a vendor's API. */
  readonly upstream?: UpstreamFailure
}

/** A stream that has begun. */
export interface Streaming<Data, Chunk> extends SuccessHead {
  /** The last event is `done` or `error`. Leaving the loop early cancels the work. */
  readonly events: AsyncIterable<StreamEvent<Data, Chunk>>
}

export type StreamEvent<Data, Chunk> =
  | { readonly type: 'chunk'; readonly chunk: Chunk }
  | { readonly type: 'done'; readonly reply: Success<Data> }
  | { readonly type: 'error'; readonly reply: Failure }

export type AnyReply = Success<unknown> | Failure | Streaming<unknown, unknown>
