import type { Authenticator } from '../access.ts'
import type { AccessWatches } from './access-watch.ts'
import type { AuditSink } from '../audit-entry.ts'
import type { OperationRun, Services } from './operation-run.ts'
import type { Clock } from '../clock.ts'
import type { Deadlines, InFlight } from './task.ts'
import type { EventRow, EventSink } from '../events/event-type.ts'
import type { NewId } from '../id.ts'
import type { Cipher } from '../keyring.ts'
import type { Log } from '../log.ts'
import type { CallObserver } from '../observer.ts'
import type { Operation, Planned } from '../operation.ts'
import type { RejectedRuns } from './rejected-runs.ts'
import type { PendingSettlements } from './pending-settlements.ts'
import type { KnownSpends, Spending } from '../budgets/budget.ts'
import type { BudgetWatch } from '../budgets/budget-events.ts'
import type { BudgetRules } from '../budgets/budget-options.ts'
import type { ReservedUnit } from '../quota/quota.ts'
import type { Tags } from '../schema/tags.ts'
import type { QuotaWatch } from '../quota/quota-events.ts'
import type { FailureBudget, RateLimiter, RequestsPerMinute } from '../quota/rate-limit.ts'

export type OperationCall = OperationRun<Operation>

/** A run whose caller may run the operation, and whose input is valid. */
export interface Accepted {
  readonly input: unknown
  /** Undefined unless the caller asks for a stream. */
  readonly stream: Stream | undefined
  /** Tags of the request, without those of its API key. */
  readonly tags: Tags | undefined
  /** Undefined without an Idempotency-Key. */
  readonly claim: CallClaim | undefined
}

export type Stream = NonNullable<Extract<Operation, { kind: 'action' }>['stream']>

export interface CallClaim {
  readonly id: string
  readonly fingerprint: string
  /** Whether another request took over the key before this run could store its outcome. */
  isLost: boolean
  /** Ends the renewal of its lease. */
  release?: () => void
}

/** A run that was checked, and what it will do. The plan has a stored response if the budgets have no room for another. */
export interface Prepared extends Planned {
  readonly accepted: Accepted
}

/** A run that may begin its work: it has reserved its unit and its budgets, and is settled once. */
export interface Reserved extends Prepared {
  /** Undefined if the run is not metered. */
  readonly unit?: ReservedUnit | undefined
  /** The share of budgets. Undefined if none applies. */
  readonly spending?: Spending | undefined
  /** The event of the settlement. Kept for a retry, because the transaction may have been committed before its error. */
  settledEvent?: EventRow | undefined
}

export interface Runtime {
  /** The services; a promise until the models of all providers are listed. */
  ready(): Services | Promise<Services>
  /** Undefined if no feature has accounts: tokens are then rejected. */
  readonly authenticator: Authenticator | undefined
  /** Undefined if no feature stores events: they are then discarded. */
  readonly eventSink: EventSink | undefined
  /** Undefined if no feature has an audit log: entries are then discarded. */
  readonly auditSink: AuditSink | undefined
  /** Undefined without an event sink. */
  readonly quotaWatch: QuotaWatch | undefined
  /** Undefined without an event sink. */
  readonly budgetWatch: BudgetWatch | undefined
  readonly budgetRules: BudgetRules
  readonly knownSpends: KnownSpends
  readonly cipher: Cipher
  readonly clock: Clock
  readonly deadlines: Deadlines
  readonly log: Log
  readonly newId: NewId
  readonly configuration: {
    /** Of the runs that begin now: a reconfiguration replaces it. */
    readonly inFlight: InFlight
  }
  readonly subscriptions: Set<OperationRun>
  readonly accessWatches: AccessWatches
  readonly pendingSettlements: PendingSettlements
  readonly rejectedRuns: RejectedRuns
  readonly observer: CallObserver
  readonly rateLimiter: RateLimiter
  /** Burst limits by tier. Tiers that are left out have no limit. */
  readonly requestsPerMinute: RequestsPerMinute
  /** Limit of an account's changes that are not metered. */
  readonly writesPerMinute: number
  /** How many bytes an account's changes that are not metered may store in a day. Null: no limit. */
  readonly writtenBytesPerDay: number | null
  /** How many event streams may be open at the same time. */
  readonly eventStreams: { readonly perKey: number; readonly perAccount: number }
  readonly failureBudget: FailureBudget
}
