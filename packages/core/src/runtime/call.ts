import type { Caller } from './access.ts'
import type { Clock } from './clock.ts'
import type { ListedRecord, PageMeta } from './envelope.ts'
import type { Issue } from './errors.ts'
import type { NewId } from './id.ts'
import type { Event, RuntimeStores, RuntimeTransaction } from './stores.ts'

/** One run of one operation, as the operation sees it. */
export interface Call {
  readonly requestId: string
  readonly caller: Caller
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal
  /** The network address of the caller. */
  readonly address: string
  /** The path under which the transport is mounted, such as `/ai`. Empty at the root. */
  readonly basePath: string
  /** When the run began, in milliseconds since the epoch. */
  readonly at: number
  readonly newId: NewId
  /** The versions of the record under which the caller wants the operation done; undefined where any will do. */
  readonly ifMatch: IfMatch | undefined
  /** Tells the caller, in the answer's meta, what was not honoured. */
  warn(issues: readonly Issue[]): void
  /** Adds what is known of the model call; the latest word on each counts. */
  note(facts: Partial<ModelCall>): void
  /**
   * Announces something that happened. It is kept in the transaction that closes the run, or not at all.
   *
   * @param userId whose hooks and streams hear of it, null for nobody's; default: the caller's
   */
  emit(type: string, data: Event['data'], userId?: string | null): void
  /** Does something once the run's transaction is kept; not at all where it is rolled back. A failure is only logged. */
  afterCommit(act: AfterCommit): void
  /** Tells, in the answer's meta, which page of a list the answer is, and beside it what belongs to each record. */
  page(page: PageMeta, records?: () => readonly ListedRecord[]): void
  /** Tells which version of its record the answer is, so that the caller can ask for a change of just that one. */
  version(version: number): void
}

/** The form of a method, so that a feature may name the services that it adds. */
export type AfterCommit = { act(services: Services): void | Promise<void> }['act']

/** What becomes known of a model call while it runs. */
export interface ModelCall {
  readonly provider: string
  readonly model: string
  readonly attempts: number
  readonly cached: boolean
  readonly costUsd: number
  readonly promptTokens: number
  readonly completionTokens: number
}

/** What operations get as their first argument. Features add services of their own. */
export interface Services {
  readonly stores: RuntimeStores
  /** The URL under which clients reach the service, without a trailing slash. Empty where the embedding program sets none. */
  readonly baseUrl: string
  /** Removes what all features keep for a user, in the transaction that deletes the user. */
  removeUserData(tx: RuntimeTransaction, call: Call, userId: string): Promise<void>
  readonly clock: Clock
}

/** Versions of a record that a caller accepts: some, or any as long as there is a record (RFC 9110, 13.1.1). */
export type IfMatch = 'any' | readonly number[]
