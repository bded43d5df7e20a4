import type { Authenticator } from '../access.ts'
import type { AccessWatches } from './access-watch.ts'
import type { AuditSink } from '../audit-entry.ts'
import type { OperationRun, Services } from './operation-run.ts'
import type { Clock } from '../clock.ts'
import type { Deadlines } from './task.ts'
import type { EventSink } from '../events/events.ts'
import type { NewId } from '../id.ts'
import type { InFlight } from './in-flight.ts'
import type { Cipher } from '../keyring.ts'
import type { Log } from '../log.ts'
import type { CallObserver } from '../observer.ts'
import type { Operation } from '../operation.ts'
import type { RejectedRuns } from './rejected-runs.ts'
import type { PendingSettlements } from './pending-settlements.ts'
import type { BudgetWatch } from '../budgets/budget-events.ts'
import type { BudgetRules } from '../budgets/budget-options.ts'
import type { KnownSpends } from '../budgets/known-spends.ts'
import type { QuotaWatch } from '../quota/quota-events.ts'
import type { FailureBudget, RateLimiter, RequestsPerMinute } from '../quota/rate-limit.ts'

export type OperationCall = OperationRun<Operation>

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
