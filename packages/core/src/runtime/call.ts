import type { Caller } from '../access/caller.ts'
import type { ListedRecord, PageMeta } from '../values/envelope.ts'
import type { Event } from '../values/event.ts'
import type { NewId } from '../values/id.ts'
import type { Issue } from '../values/issue.ts'
import type { Services } from './services.ts'
import type { IfMatch } from '../values/version.ts'

/** One run of one operation, as the operation sees it. */
export interface Call {
  readonly requestId: string
  readonly caller: Caller
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal
  /** The network address of the caller. */
  readonly address: string
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
