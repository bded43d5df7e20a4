import type { z } from 'zod'
import type { Caller } from './access.ts'
import type { Clock } from './clock.ts'
import type { ListedRecord, PageMeta } from './envelope.ts'
import type { Issue, UpstreamFacts } from './errors.ts'
import type { NewId } from './id.ts'
import type { EventSchema, EventType } from './event-type.ts'
import type { RuntimeStores, RuntimeTransaction } from './stores.ts'

/** One run of an operation: the second argument of its functions. */
export interface Call {
  readonly requestId: string
  readonly caller: Caller
  /** Aborts when the caller closes the request. */
  readonly signal: AbortSignal
  /** The network address of the caller. */
  readonly address: string
  /** The path under which the transport is mounted, such as `/ai`. Empty at the root. */
  readonly basePath: string
  /** The longest result that the transport can write, as JSON. Infinity if there is no limit. */
  readonly maxResultBytes: number
  /** When the run began, in milliseconds since the epoch. */
  readonly at: number
  readonly newId: NewId
  /** What the request says in the form of its own API. Absent unless the transport has one that providers may share. */
  readonly native: NativeRequest | undefined
  /** The versions of the record that the caller accepts; undefined means any. */
  readonly ifMatch: IfMatch | undefined
  /** Adds warnings to the metadata of the response, such as parameters that the model ignored. Each is added once. */
  warn(issues: readonly Issue[]): void
  /** Adds facts about the model call to the metadata and the usage record. Later values replace earlier ones. */
  note(facts: Partial<ModelCall>): void
  /**
   * Emits an event. It is stored in the transaction that settles the run, or not at all.
   *
   * @param data as core spells it; stored in the JSON form of the REST wire
   * @param userId the user that it belongs to; null if the embedding program caused it for no user. Default: the caller
   */
  emit<Data extends EventSchema>(event: EventType<Data>, data: z.output<Data>, userId?: string | null): void
  /** Calls a function after the run's transaction is committed, but not after a rollback. Its errors are only logged. */
  afterCommit(act: AfterCommit): void
  /** Sets the page metadata of a list, and the cursor and version of each of its records. */
  page(page: PageMeta, records?: () => readonly ListedRecord[]): void
  /** Sets the version of the returned record, which callers can send in `If-Match`. */
  version(version: number): void
}

/** A request in the form of an API that providers may share with the client. */
export interface NativeRequest {
  /** The name of the API, such as `anthropic`. */
  readonly dialect: string
  /** The fields that the operation does not interpret, and its tools as the client wrote them. */
  readonly fields: Readonly<Record<string, unknown>>
  /** For each message of the input, those of the client that it stands for. Absent for one that must be written anew. */
  readonly messages: readonly (readonly Readonly<Record<string, unknown>>[] | undefined)[]
  /** The fields that change the answer, so that only a provider of the dialect can answer. Default: none. */
  readonly required?: readonly string[]
}

/** Declared as a method, so that a feature can narrow `services` to its own (bivariance). */
export type AfterCommit = { act(services: Services): void | Promise<void> }['act']

/** Facts about a model call. */
export interface ModelCall {
  readonly provider: string
  readonly model: string
  readonly attempts: number
  readonly cached: boolean
  readonly costUsd: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly reasoningTokens: number
  readonly cachedPromptTokens: number
  /** The headers of the upstream's reply, while the run lasts. Undefined if another target was tried after it. */
  readonly upstream: UpstreamFacts | undefined
}

/** The first argument of operations. Features add their own services. */
export interface Services {
  readonly stores: RuntimeStores
  /** The public URL of the service, without a trailing slash. Empty if the embedding program sets none. */
  readonly baseUrl: string
  /** Calls `removeUserData` of all features, in the transaction that deletes the user. */
  removeUserData(tx: RuntimeTransaction, call: Call, userId: string): Promise<void>
  readonly clock: Clock
}

/** The versions of a record that a caller accepts: a list, or any as long as the record exists (RFC 9110, 13.1.1). */
export type IfMatch = 'any' | readonly number[]
