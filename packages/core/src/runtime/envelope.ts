import { type ErrorCode, type Issue } from './errors.ts'

/** What every answer says of itself; the later fields only where they apply. */
export interface Meta {
  readonly requestId: string
  /** ISO 8601 in UTC. */
  readonly timestamp: string
  /** Who answered a model call. */
  readonly provider?: string
  readonly costUsd?: number
  readonly cached?: boolean
  /** How often a provider was asked, retries included. */
  readonly attempts?: number
  /** Settings of the request that the model did not honor. */
  readonly warnings?: readonly Issue[]
  /** Of a list: where its next page begins. */
  readonly page?: PageMeta
}

export interface PageMeta {
  /** Asks for the next page; null on the last. */
  readonly nextCursor: string | null
  readonly hasMore: boolean
  readonly limit: number
}

/** What is known of a record on a page beside what is shown of it. */
export interface ListedRecord {
  /** Asks for what follows it in the list. */
  readonly cursor: string
  /** Where it has versions. */
  readonly version?: number
}

/** Where a limited caller stands after an answer. */
export interface Limits {
  /** Units a month. */
  readonly limit: number
  readonly remaining: number
  /** When the counter starts anew, in milliseconds since the epoch. */
  readonly resetAt: number
  /** The length of the running month in milliseconds. */
  readonly windowMs: number
}

/** Where a caller with a burst limit stands after an answer. */
export interface BurstLimit {
  /** Requests in each window. */
  readonly limit: number
  readonly windowMs: number
  /** Requests that may be sent at once. */
  readonly remaining: number
  /** When one more may be sent, in milliseconds since the epoch. */
  readonly resetAt: number
}

export interface Success<Data> {
  readonly success: true
  readonly data: Data
  readonly meta: Meta
  /** Absent where the caller or the operation has no limit. */
  readonly limits?: Limits
  /** Absent where no burst limit holds for the caller, or nothing was counted. */
  readonly burst?: BurstLimit
  /** The version of the one record that is answered with, where it has one. */
  readonly version?: number
  /** Of a list: what belongs to each of its records, in their order. */
  readonly records?: () => readonly ListedRecord[]
  /** Set where the answer is that of an earlier request with the same Idempotency-Key. */
  readonly replayed?: true
}

export interface ErrorDetails {
  readonly field: string | null
  readonly issue: string | null
  readonly issues: readonly { readonly field: string | null; readonly issue: string }[]
  readonly [fact: string]: unknown
}

export interface Failure {
  readonly success: false
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails }
  readonly meta: Meta
  readonly limits?: Limits
  readonly burst?: BurstLimit
  readonly retryAfterMs?: number
}

/** A stream that has begun: its first chunk is there. */
export interface Streaming<Data, Chunk> {
  readonly success: true
  /** Ends with `done` or `error`. Leaving the loop early ends the work behind it. */
  readonly events: AsyncIterable<StreamEvent<Data, Chunk>>
  readonly meta: Meta
  readonly limits?: Limits
  readonly burst?: BurstLimit
  /** Set where the answer is that of an earlier request with the same Idempotency-Key. */
  readonly replayed?: true
}

export type StreamEvent<Data, Chunk> =
  | { readonly type: 'chunk'; readonly chunk: Chunk }
  | { readonly type: 'done'; readonly reply: Success<Data> }
  | { readonly type: 'error'; readonly reply: Failure }
