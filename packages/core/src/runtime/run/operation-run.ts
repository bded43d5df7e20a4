import type * as z from 'zod'
import type { Access, Account, Caller } from '../access.ts'
import { type AuditedChange, type AuditEntryRow, type AuditedTarget, auditEntry } from '../audit-entry.ts'
import type { Clock } from '../clock.ts'
import type { BurstLimit, Limits, ListedRecord, PageMeta } from './envelope.ts'
import { FairleadError, type Issue } from '../errors.ts'
import { type EventSchema, type EventType, createEvent, type EventRow } from '../events/event-type.ts'
import type { NewId } from '../id.ts'
import { addEstimates, type Estimate } from '../budgets/estimate.ts'
import type { CallObserver, ObservedCall } from '../observer.ts'
import type { Lease } from '../quota/rate-limit.ts'
import type { Outcome } from '../quota/usage.ts'
import type { IfMatch, ModelCall, NativeRequest, RunOptions, FieldNameMapper } from './run-options.ts'
import type { RuntimeStores, RuntimeTransaction } from '../stores/stores.ts'
import { type InFlight, Task } from './task.ts'

/** The operation of a call, as far as each call depends on it. */
interface CalledOperation {
  readonly name: string
  readonly kind: string
  readonly access: Access
  readonly metered: boolean
}

/** Keeps camelCase. */
export const asIs: FieldNameMapper = (field) => field

/**
 * One run of an operation: the second argument of its functions. It ends with the caller's request; a stream and a
 * subscription can end before.
 *
 * The fields from `runId` on are the state of the run, for core alone. What few runs need is undefined until it is needed.
 */
export class OperationRun<Called extends CalledOperation = CalledOperation> extends Task implements ObservedCall {
  readonly requestId: string
  /** When the run began, in milliseconds since the epoch. */
  readonly at: number
  readonly newId: NewId
  /** Set before the caller is known. */
  services!: Services
  /** Counts the run. Of the runs that began before a reconfiguration, or after it. */
  readonly inFlight: InFlight
  /** Anonymous until the credentials are authenticated. */
  caller: Caller = { kind: 'anonymous' }

  /** Unique to this run: its usage record can be added only once. */
  readonly runId: string
  readonly operation: Called
  readonly options: RunOptions
  /** The request in the form of the client's API. Undefined unless the transport has one that providers may share. */
  native: NativeRequest | undefined = undefined
  clientClosed = false
  /** Changes when the call fails. */
  outcome: Outcome = 'ok'
  /** Returns the field of the input that a field of the prepared request is from. */
  inputField: FieldNameMapper = asIs
  modelCall: Partial<ModelCall> = noFacts
  warnings: readonly Issue[] = none
  events: readonly EventRow[] = none
  audited: readonly AuditEntryRow[] = none
  /** The subject of a failure, if the audit log records failures of the run. */
  auditedFailure: AuditedTarget | undefined = undefined
  hooks: readonly AfterCommit[] = none
  /** The user who signs in by the run, which counts apart from the other changes of the user. */
  signedIn: string | undefined = undefined
  replyFacts: ReplyFacts = noFacts
  /** The caller's quota, once its counter was read. */
  limits: Limits | undefined = undefined
  /** The caller's burst limit, once the run was counted. */
  burst: BurstLimit | undefined = undefined
  /** The share of its API key's limits that the run holds. Undefined without such limits. */
  held: HeldLimits | undefined = undefined
  /** The most that it may cost by an estimate, in US dollars. Infinity without a budget. */
  reservedUsd = Infinity
  /** The most that the texts of `text.prepare` may use. Undefined without any: the operations of the gateway estimate themselves. */
  estimate: Estimate | undefined = undefined
  /** The streamed answer of a provider, until it is complete. */
  unfinished: Unfinished | undefined = undefined
  /** When the stream had its first chunk, in milliseconds since the epoch. */
  firstChunkAt: number | undefined = undefined
  #isReported = false
  readonly #clock: Clock

  constructor(clock: Clock, newId: NewId, inFlight: InFlight, operation: Called, options: RunOptions) {
    super()
    this.inFlight = inFlight
    this.requestId = options.requestId ?? newId('req')
    this.at = clock.now()
    this.newId = newId
    this.runId = newId('run')
    this.operation = operation
    this.options = options
    this.#clock = clock
    options.onCall?.(this)
    const { signal } = options
    if (signal?.aborted) this.leave(signal.reason)
    else signal?.addEventListener('abort', this)
  }

  /** Aborts when the caller closes the request. */
  get signal(): AbortSignal {
    return this.openSignal()
  }

  /** The network address of the caller. */
  get address(): string {
    return this.options.address ?? 'unknown'
  }

  /** The path under which the transport is mounted, such as `/ai`. Empty at the root. */
  get basePath(): string {
    return this.options.basePath ?? ''
  }

  /** The longest result that the transport can write, as JSON. Infinity if there is no limit. */
  get maxResultBytes(): number {
    return this.options.maxResultBytes ?? Infinity
  }

  /** The versions of the record that the caller accepts; undefined means any. */
  get ifMatch(): IfMatch | undefined {
    return this.options.ifMatch
  }

  /** Adds warnings to the metadata of the response, such as parameters that the model ignored. Each is added once. */
  warn(issues: readonly Issue[]): void {
    for (const issue of issues) {
      const isKnown = this.warnings.some((known) => known.field === issue.field && known.issue === issue.issue)
      if (!isKnown) this.warnings = [...this.warnings, issue]
    }
  }

  /** Adds facts about the model call to the metadata and the usage record. Later values replace earlier ones. */
  note(facts: Partial<ModelCall>): void {
    this.modelCall = Object.assign(this.modelCall === noFacts ? {} : this.modelCall, facts)
  }

  /** Adds to what the run may use. It counts if it comes from `prepare`, and the operation has no `estimate`. */
  mayUse(more: Estimate): void {
    this.estimate = this.estimate ? addEstimates(this.estimate, more) : more
  }

  /**
   * Emits an event. It is stored in the transaction that settles the run, or not at all.
   *
   * @param data as core spells it; stored in the JSON form of the REST wire
   * @param userId the user that it belongs to; null if the embedding program caused it for no user. Default: the caller
   */
  emit<Data extends EventSchema>(
    event: EventType<Data>,
    data: z.output<Data>,
    userId: string | null = ownerOf(this.caller),
  ): void {
    const facts = { id: this.newId('evt'), userId, createdAt: this.#clock.now() }
    this.events = [...this.events, createEvent(event, data, facts)]
  }

  /** Adds a change to the audit log, if the core has one. It is stored in the transaction that settles the run, or not at all. */
  audit(change: AuditedChange): void {
    this.audited = [...this.audited, auditEntry(this, change, this.#clock.now())]
  }

  /** Holds a lease until the run has ended, whatever becomes of it. */
  hold(lease: Lease): void {
    this.held ??= { leases: [], tokens: [] }
    this.held.leases.push(lease)
  }

  /** Adds the run to the audit log if it fails from now on, in a separate transaction: for sign-ins. */
  auditFailure(target: AuditedTarget): void {
    this.auditedFailure = target
  }

  /** Calls a function after the run's transaction is committed, but not after a rollback. Its errors are only logged. */
  afterCommit(act: AfterCommit): void {
    this.hooks = [...this.hooks, act]
  }

  /** Sets the page metadata of a list, and the cursor and version of each of its records. */
  page(page: PageMeta, records?: () => readonly ListedRecord[]): void {
    this.replyFacts = { ...this.replyFacts, page, ...(records && { records }) }
  }

  /** Sets the version of the returned record, which callers can send in `If-Match`. */
  version(version: number): void {
    this.replyFacts = { ...this.replyFacts, version }
  }

  /** Converts the fields of issues to those of the input, in the spelling of the transport. */
  get spell(): FieldNameMapper {
    const { inputField } = this
    const { spell = asIs } = this.options
    return inputField === asIs ? spell : (field) => spell(inputField(field))
  }

  leave(reason?: unknown): void {
    this.clientClosed = true
    this.abort(reason)
  }

  /** The caller's signal has aborted. */
  handleEvent(): void {
    this.leave(this.options.signal?.reason)
  }

  /** The longest time of a subscription is over, or the service shuts down. */
  override expire(): void {
    this.abort(
      new FairleadError('SERVICE_UNAVAILABLE', 'The service ended the stream. Open it again.', { retryAfterMs: 1_000 }),
    )
  }

  /** The run has ended: the signal, which may live longer, no longer refers to it. */
  end(): void {
    this.options.signal?.removeEventListener('abort', this)
  }

  /** Reports the end of the run, once. */
  report(observer: CallObserver): void {
    if (this.#isReported) return
    this.#isReported = true
    observer.callEnded?.(this, Math.max(0, this.#clock.now() - this.at))
  }

  /** Ends the run and what still follows it, such as work of the operation. */
  close(): void {
    this.end()
    this.abort(hasEnded)
  }
}

/** One for all runs, because an error captures its stack, and nearly every run ends without one. */
const hasEnded = new DOMException('The run has ended', 'AbortError')
const none: readonly never[] = []
const noFacts = Object.freeze({})

/** An answer that may break off, although the provider bills it. */
export interface Unfinished {
  /**
   * Notes what is known of its usage. Returns false if that is nothing, because nothing has arrived. A promise if the
   * stream is read to its end first, by this call or by others that share it.
   */
  recordPartialUsage(): boolean | Promise<boolean>
}

/** The share of its API key's limits that a run holds until it ends. */
export interface HeldLimits {
  readonly leases: Lease[]
  /** The tokens that are reserved. */
  readonly tokens: { readonly reserved: number; readonly limit: number; readonly key: string }[]
}

interface ReplyFacts {
  readonly page?: PageMeta
  readonly version?: number
  readonly records?: () => readonly ListedRecord[]
}

/**
 * The user or the project that owns the records and events of a run; null for the embedding program.
 *
 * @example
 *   const note = { id: call.newId('note'), userId: ownerOf(call.caller), text, createdAt: call.at, version: 1 }
 */
export function ownerOf(caller: Caller): string | null {
  return caller.kind === 'account' ? caller.userId : null
}

/** The account that a run is charged to; undefined if it is not metered. In a session, only model calls are. */
export function chargedAccount({ operation, caller }: OperationRun): Account | undefined {
  if (!operation.metered || caller.kind !== 'account') return undefined
  return caller.credential.kind === 'key' || operation.kind === 'action' ? caller : undefined
}

/** The account whose change costs no unit, so that only a limit per minute applies; undefined for all other runs. */
export function unmeteredWriter({ operation, caller }: OperationRun): Account | undefined {
  if (operation.kind !== 'write' || caller.kind !== 'account' || 'anonymous' in operation.access) return undefined
  return operation.metered && caller.credential.kind === 'key' ? undefined : caller
}

/** Declared as a method, so that a feature can narrow `services` to its own (bivariance). */
export type AfterCommit = { act(services: Services): void | Promise<void> }['act']

/** The first argument of operations. Features add their own services. */
export interface Services {
  readonly stores: RuntimeStores
  /** The public URL of the service, without a trailing slash. Empty if the embedding program sets none. */
  readonly baseUrl: string
  /** Calls `removeUserData` of all features, in the transaction that deletes the user. */
  removeUserData(tx: RuntimeTransaction, call: OperationRun, userId: string): Promise<void>
  readonly clock: Clock
  /** The size of the images of a user or a project, in bytes, and its limit; null means no limit. */
  imageUsage(account: string): Promise<ImageUsage>
}

export interface ImageUsage {
  readonly bytes: number
  readonly limit: number | null
}
