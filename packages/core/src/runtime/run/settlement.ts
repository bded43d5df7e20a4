import { spendQueue } from '../budgets/budget.ts'
import { noteAbandoned, planSpending, reserveSpending, settleSpending } from '../budgets/spending.ts'
import { auditEntry } from '../audit-entry.ts'
import { chargedAccount } from './operation-run.ts'
import { type SettledCall, callEvent } from './call-event.ts'
import type { Account } from '../access.ts'
import { countWritten } from '../quota/written-bytes.ts'
import { type Clock, pause } from '../clock.ts'
import { FairleadError } from '../errors.ts'
import type { Event } from '../events/events.ts'
import { holdClaim, storeOutcome, releaseClaim, takeClaim } from './idempotency.ts'
import { isUnavailable } from './pending-settlements.ts'
import { limitsFrom, quotaExceeded, quotasOf, refund, reserveEach } from '../quota/quota.ts'
import { logOutage, toPublicError } from './reply.ts'
import type { OperationCall, Runtime } from './runtime.ts'
import type { Claim, RuntimeTransaction } from '../stores/stores.ts'
import type { UsageRecord } from '../quota/usage.ts'
import { usageRecord } from './usage-record.ts'

/** Reserves the run's unit, if it is metered. Throws `QUOTA_EXCEEDED`. */
export async function reserveUnit({ clock }: Runtime, call: OperationCall): Promise<void> {
  const account = chargedAccount(call)
  if (!account) return
  if (account.sharedQuotas) return reserveShared(clock, call, account)
  const { counter, limit } = account
  const reading = await call.services.stores.reserve(counter, limit)
  call.limits = limitsFrom(reading, limit)
  if (!reading.granted && call.limits) throw quotaExceeded(call.limits, clock.now())
  call.reservation = { counter, limit, period: reading.period }
}

async function reserveShared(clock: Clock, call: OperationCall, account: Account): Promise<void> {
  const reserveAll = (tx: RuntimeTransaction) => reserveEach(tx.counters, account, clock.now())
  noteReserved(call, await call.services.stores.transact(reserveAll, { durable: false }))
}

function noteReserved(call: OperationCall, { unit, limits }: Awaited<ReturnType<typeof reserveEach>>): void {
  call.reservation = unit
  call.limits = limits
}

/**
 * Claims the key of a run that works outside of a transaction, and reserves its unit and what it may cost. Returns the claim
 * if the key is taken.
 */
export function reserve(runtime: Runtime, call: OperationCall, plan: unknown): Promise<Claim | undefined | void> {
  const account = chargedAccount(call)
  if (account?.budgets) {
    try {
      call.spending = planSpending(runtime, call, { userId: account.userId, budgets: account.budgets }, plan)
    } catch (error) {
      return reserveStored(runtime, call, plan, error)
    }
  }
  if (call.claim || call.spending) return reserveTogether(runtime, call, plan)
  return reserveUnit(runtime, call)
}

/** Reserves a run that a budget has no room for, if its response is stored. Otherwise throws the error. */
async function reserveStored(
  runtime: Runtime,
  call: OperationCall,
  plan: unknown,
  error: unknown,
): Promise<Claim | undefined | void> {
  const { operation, services, spending } = call
  if (error instanceof FairleadError && error.code === 'BUDGET_EXCEEDED' && operation.kind === 'action') {
    call.stored = await operation.findStored?.(services, call, plan)
  }
  if (call.stored) {
    call.spending = undefined
    return call.claim ? reserveTogether(runtime, call, plan) : reserveUnit(runtime, call)
  }
  if (spending?.exhausted) await runtime.budgetWatch?.refused(services.stores, spending.userId, spending.exhausted)
  throw error
}

async function reserveTogether(
  runtime: Runtime,
  call: OperationCall,
  plan: unknown,
): Promise<Claim | undefined | void> {
  const { claim, spending, services } = call
  try {
    const existing = await services.stores.transact(
      async (tx) => {
        const taken = await takeClaim(runtime, tx, call)
        if (taken) return taken
        const account = chargedAccount(call)
        if (account) noteReserved(call, await reserveEach(tx.counters, account, runtime.clock.now()))
        // Last, because all calls of a user may share the rows, which stay locked until the commit.
        if (spending) await reserveSpending(runtime, tx, call, spending)
        return undefined
      },
      { durable: claim !== undefined, queue: spendQueue(spending) },
    )
    if (!existing) holdClaim(runtime, call)
    return existing
  } catch (error) {
    // The unit was rolled back.
    call.reservation = undefined
    call.limits = undefined
    return reserveStored(runtime, call, plan, error)
  }
}

const retryDelaysMs = [25, 100, 400]

/**
 * Charges the unit, and stores the result's records and events. Retries while the store is unavailable, so that a short
 * outage does not discard a finished result. In a longer one, the settlement is queued if nothing else depends on it.
 */
export async function settle(runtime: Runtime, call: OperationCall, data: unknown): Promise<void> {
  const isKept = !call.claim || keepsOutcome(call, data)
  if (!isKept) call.warn([notKept])
  const settled: SettledCall = { outcome: 'ok', charged: true, data, isKept }
  const record = usageRecord(runtime, call, settled)
  let outage: FairleadError | undefined
  try {
    for (let retry = 0; ; retry++) {
      try {
        await store(runtime, call, record, settled)
        break
      } catch (error) {
        const delayMs = retryDelaysMs[retry]
        if (!isUnavailable(error)) throw error
        outage ??= error
        if (delayMs === undefined) {
          await queueSuccess(runtime, call, record, settled, error)
          break
        }
        await pause(runtime.clock, delayMs)
      }
    }
  } finally {
    call.claim?.release?.()
  }
  if (outage) logOutage(runtime.log, call.requestId, outage)
}

/** Throws the error of the store if a stored outcome, a record or an event depends on it, or if there is no room. */
async function queueSuccess(
  runtime: Runtime,
  call: OperationCall,
  record: UsageRecord | undefined,
  settled: SettledCall,
  error: FairleadError,
): Promise<void> {
  const event = call.settledEvent ?? (await callEvent(runtime, call, settled))
  const isAdmitted =
    !hasRecords(call, settled) &&
    !event &&
    runtime.pendingSettlements.admit(() => store(runtime, call, record, settled))
  if (!isAdmitted) throw error
}

const notKept = {
  field: 'idempotencyKey',
  issue: 'the result is too large to be stored: the same request will run again, and be charged again',
}

function keepsOutcome({ operation }: OperationCall, data: unknown): boolean {
  return operation.kind !== 'action' || (operation.isKept?.(data) ?? true)
}

/**
 * Settles a failure. Returns the error for the reply. Never rejects: the reply must not contain an error of the store.
 *
 * @param plan of an action, for the estimate of a call that its provider may bill without an answer
 */
export async function settleFailure(
  runtime: Runtime,
  call: OperationCall,
  error: unknown,
  plan?: unknown,
): Promise<FairleadError> {
  const publicError = toPublicError(runtime.log, call, error)
  const settled = outcomeOf(runtime, call, publicError)
  const isLeft = settled.outcome === 'aborted' && settled.charged
  if (isLeft || publicError.billed === 'possible') {
    // A stream may have counts before its first piece.
    if (!(await call.unfinished?.recordPartialUsage())) noteAbandoned(runtime, call, plan)
  }
  await settleOrQueue(runtime, call, { ...settled, error: publicError })
  return publicError
}

/** Settles a run whose result needs no store. While the store is unavailable, the settlement is queued. Never rejects. */
export async function settleOrQueue(runtime: Runtime, call: OperationCall, settled: SettledCall): Promise<void> {
  const record = usageRecord(runtime, call, settled)
  call.outcome = settled.outcome
  try {
    await runtime.pendingSettlements.write(() => store(runtime, call, record, settled))
  } catch (error) {
    runtime.log.error({ requestId: call.requestId, outcome: settled.outcome, error }, 'could not settle a request')
  } finally {
    call.claim?.release?.()
  }
}

/**
 * The outcome of a failure. A call that the caller left after a provider was called is charged, and so is an answer that
 * cannot be used, but not one that the service lost or discarded. A failure that is free, although a provider may bill it,
 * counts toward the account's budget.
 */
function outcomeOf({ failureBudget }: Runtime, call: OperationCall, { code, billed }: FairleadError): SettledCall {
  // A cached response has no attempts.
  if (call.clientClosed) return { outcome: 'aborted', charged: (call.modelCall.attempts ?? 0) > 0 }
  const account = chargedAccount(call)
  if (billed === 'possible' && account) failureBudget.count(account.userId)
  return { outcome: code, charged: billed === 'answer' }
}

/** Stores a settled run, and its event if there is a subscription to it. */
function store(
  runtime: Runtime,
  call: OperationCall,
  record: UsageRecord | undefined,
  settled: SettledCall,
): Promise<unknown> {
  const event = call.settledEvent ?? callEvent(runtime, call, settled)
  return event instanceof Promise
    ? event.then((created) => storeWith(runtime, call, record, settled, created))
    : storeWith(runtime, call, record, settled, event)
}

/** A usage record alone needs no transaction. */
function storeWith(
  runtime: Runtime,
  call: OperationCall,
  record: UsageRecord | undefined,
  settled: SettledCall,
  event: Event | undefined,
): Promise<unknown> {
  call.settledEvent = event
  const changesCounter = record && record.charged !== (call.reservation !== undefined)
  const hasSums = record?.details?.tags !== undefined
  const needsTransaction = event || changesCounter || hasSums || call.spending || hasRecords(call, settled)
  if (needsTransaction) return commit(runtime, call, record, settled)
  return record ? call.services.stores.addUsage(record) : Promise.resolve()
}

/** Whether more belongs to a run than its usage record and its event. */
function hasRecords({ operation, claim, events, audited }: OperationCall, { outcome }: SettledCall): boolean {
  if (claim) return true
  if (outcome !== 'ok') return false
  return events.length > 0 || audited.length > 0 || (operation.kind === 'action' && operation.record !== undefined)
}

async function commit(
  runtime: Runtime,
  call: OperationCall,
  record: UsageRecord | undefined,
  settled: SettledCall,
): Promise<void> {
  const hasEvents = await call.services.stores.transact((tx) => storeSettled(runtime, tx, call, record, settled), {
    durable: hasRecords(call, settled),
    queue: spendQueue(call.spending),
  })
  if (hasEvents) runtime.eventSink?.committed()
}

/**
 * Stores what belongs to a settled run, in its transaction. Can be repeated: a run has only one usage record, and only with
 * that record is its unit refunded, or taken if none could be reserved, and its cost spent. Returns whether events were
 * added.
 */
export async function storeSettled(
  runtime: Runtime,
  tx: RuntimeTransaction,
  call: OperationCall,
  record: UsageRecord | undefined,
  { outcome, data, isKept }: SettledCall,
): Promise<boolean> {
  const { operation, settledEvent, reservation, spending } = call
  if (outcome === 'ok' && operation.kind === 'action') await operation.record?.(tx, call, data)
  const events = [...(outcome === 'ok' ? call.events : []), ...(settledEvent ? [settledEvent] : [])]
  // Without a sink, events are discarded.
  const hasEvents = events.length > 0
  const deliveries = hasEvents ? await runtime.eventSink?.add(tx, events) : 0
  if (isKept) await storeOutcome(runtime, tx, call, data)
  else await releaseClaim(tx, call)
  if (operation.kind === 'write' && !record)
    await countWritten(runtime, tx, call, { data, deliveries: deliveries ?? 0 })
  // Late, because all changes wait for the lock of the log.
  if (outcome === 'ok' && call.audited.length > 0) await runtime.auditSink?.add(tx, call.audited)
  // Last, because the requests of an API key share the rows of its sums, which stay locked until the commit.
  if (!record || !(await tx.usage.add(record))) return hasEvents
  if (reservation && !record.charged) call.limits = await refund(tx.counters, reservation)
  if (!reservation && record.charged) await chargeUnits(tx, call, record)
  if (!spending) return hasEvents
  return (await settleSpending(runtime, tx, call, spending, record)) || hasEvents
}

/** Takes the units of a run that could reserve none, whatever their limits. */
async function chargeUnits({ counters }: RuntimeTransaction, call: OperationCall, record: UsageRecord): Promise<void> {
  const account = chargedAccount(call)
  const quotas = account ? quotasOf(account) : [record]
  for (const { counter } of quotas) await counters.reserve(counter, null)
}

/** Adds a failed run to the audit log. Never rejects: the caller gets the reason of the failure. */
export async function auditFailure(
  { auditSink, clock, log }: Runtime,
  call: OperationCall,
  { code }: FairleadError,
): Promise<void> {
  const { auditedFailure: target } = call
  if (!target || !auditSink?.admitsFailure()) return
  const entry = auditEntry(call, { target }, clock.now(), code)
  try {
    await call.services.stores.transact((tx) => auditSink.add(tx, [entry]))
  } catch (error) {
    log.warn({ requestId: call.requestId, error }, 'could not add a failure to the audit log')
  }
}
