import { spendQueue } from '../budgets/budget.ts'
import { noteAbandoned, settleSpending } from '../budgets/spending.ts'
import { chargedAccount } from './operation-run.ts'
import { countWritten } from '../quota/written-bytes.ts'
import { pause } from '../clock.ts'
import type { Failure } from './envelope.ts'
import type { FairleadError } from '../errors.ts'
import type { EventRow } from '../events/event-type.ts'
import { storeOutcome, releaseClaim } from './idempotency.ts'
import { isUnavailable } from './pending-settlements.ts'
import { listQuotas, refund } from '../quota/quota.ts'
import { logOutage, replyWithFailure, toPublicError } from './reply.ts'
import type { OperationCall, Reserved, Runtime } from './runtime.ts'
import { type SettledCall, callEvent, usageRecord } from './settled-run.ts'
import type { RuntimeTransaction } from '../stores/stores.ts'
import type { UsageRecord } from '../quota/usage.ts'

/** A run that has ended, with the records of it. Written once, in as many attempts as the store needs. */
export interface Settlement {
  readonly call: OperationCall
  readonly reserved: Reserved
  readonly settled: SettledCall
  /** Undefined if the run is not metered. */
  readonly record: UsageRecord | undefined
}

export function toSettlement(
  runtime: Runtime,
  call: OperationCall,
  reserved: Reserved,
  settled: SettledCall,
): Settlement {
  const account = chargedAccount(call)
  const record = account && usageRecord(runtime, call, reserved.accepted, account, settled)
  return { call, reserved, settled, record }
}

const retryDelaysMs = [25, 100, 400]

/**
 * Charges the unit, and stores the result's records and events. Retries while the store is unavailable, so that a short
 * outage does not discard a finished result. In a longer one, the settlement is queued if nothing else depends on it.
 */
export async function settle(runtime: Runtime, call: OperationCall, reserved: Reserved, data: unknown): Promise<void> {
  const { claim } = reserved.accepted
  const isKept = !claim || keepsOutcome(call, data)
  if (!isKept) call.warn([notKept])
  const settlement = toSettlement(runtime, call, reserved, { outcome: 'ok', charged: true, data, isKept })
  let outage: FairleadError | undefined
  try {
    for (let retry = 0; ; retry++) {
      try {
        await store(runtime, settlement)
        break
      } catch (error) {
        const delayMs = retryDelaysMs[retry]
        if (!isUnavailable(error)) throw error
        outage ??= error
        if (delayMs === undefined) {
          await queueSuccess(runtime, settlement, error)
          break
        }
        await pause(runtime.clock, delayMs)
      }
    }
  } finally {
    claim?.release?.()
  }
  if (outage) logOutage(runtime.log, call.requestId, outage)
}

/** Throws the error of the store if a stored outcome, a record or an event depends on it, or if there is no room. */
async function queueSuccess(runtime: Runtime, settlement: Settlement, error: FairleadError): Promise<void> {
  const { call, reserved, settled } = settlement
  const event = reserved.settledEvent ?? (await callEvent(runtime, call, settled))
  const isAdmitted =
    !hasRecords(settlement) && !event && runtime.pendingSettlements.admit(() => store(runtime, settlement))
  if (!isAdmitted) throw error
}

const notKept = {
  field: 'idempotencyKey',
  issue: 'the result is too large to be stored: the same request will run again, and be charged again',
}

function keepsOutcome({ operation }: OperationCall, data: unknown): boolean {
  return operation.kind !== 'action' || (operation.isKept?.(data) ?? true)
}

/** Settles a failure, and returns the reply to it. Never rejects: the reply must not contain an error of the store. */
export async function settleFailure(
  runtime: Runtime,
  call: OperationCall,
  reserved: Reserved,
  error: unknown,
): Promise<Failure> {
  const publicError = toPublicError(runtime.log, call, error)
  const settled = outcomeOf(runtime, call, publicError)
  const isLeft = settled.outcome === 'aborted' && settled.charged
  if (isLeft || publicError.billed === 'possible') {
    // A stream may have counts before its first piece.
    if (!(await call.unfinished?.recordPartialUsage())) noteAbandoned(runtime, call, reserved)
  }
  await settleOrQueue(runtime, call, reserved, { ...settled, error: publicError })
  return replyWithFailure(runtime, call, publicError)
}

/** Settles a run whose result needs no store. While the store is unavailable, the settlement is queued. Never rejects. */
export async function settleOrQueue(
  runtime: Runtime,
  call: OperationCall,
  reserved: Reserved,
  settled: SettledCall,
): Promise<void> {
  const settlement = toSettlement(runtime, call, reserved, settled)
  call.outcome = settled.outcome
  try {
    await runtime.pendingSettlements.write(() => store(runtime, settlement))
  } catch (error) {
    runtime.log.error({ requestId: call.requestId, outcome: settled.outcome, error }, 'could not settle a request')
  } finally {
    reserved.accepted.claim?.release?.()
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
function store(runtime: Runtime, settlement: Settlement): Promise<unknown> {
  const { call, reserved, settled } = settlement
  const event = reserved.settledEvent ?? callEvent(runtime, call, settled)
  return event instanceof Promise
    ? event.then((created) => storeWith(runtime, settlement, created))
    : storeWith(runtime, settlement, event)
}

/** A usage record alone needs no transaction. */
function storeWith(runtime: Runtime, settlement: Settlement, event: EventRow | undefined): Promise<unknown> {
  const { call, reserved, record } = settlement
  if (event) reserved.settledEvent = event
  const changesCounter = record && record.charged !== (reserved.unit !== undefined)
  const hasSums = record?.details?.tags !== undefined
  const needsTransaction = event || changesCounter || hasSums || reserved.spending || hasRecords(settlement)
  if (needsTransaction) return commit(runtime, settlement)
  return record ? call.services.stores.addUsage(record) : Promise.resolve()
}

/** Whether more belongs to a run than its usage record and its event. */
function hasRecords({ call: { operation, events, audited }, reserved, settled }: Settlement): boolean {
  if (reserved.accepted.claim) return true
  if (settled.outcome !== 'ok') return false
  return events.length > 0 || audited.length > 0 || (operation.kind === 'action' && operation.record !== undefined)
}

async function commit(runtime: Runtime, settlement: Settlement): Promise<void> {
  const { call, reserved } = settlement
  const hasEvents = await call.services.stores.transact((tx) => storeSettled(runtime, tx, settlement), {
    durable: hasRecords(settlement),
    queue: spendQueue(reserved.spending),
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
  { call, reserved, settled, record }: Settlement,
): Promise<boolean> {
  const { operation } = call
  const { accepted, unit, spending, settledEvent } = reserved
  const { outcome, data, isKept } = settled
  if (outcome === 'ok' && operation.kind === 'action') await operation.record?.(tx, call, data)
  const events = [...(outcome === 'ok' ? call.events : []), ...(settledEvent ? [settledEvent] : [])]
  // Without a sink, events are discarded.
  const hasEvents = events.length > 0
  const deliveries = hasEvents ? await runtime.eventSink?.add(tx, events) : 0
  if (accepted.claim && isKept) await storeOutcome(runtime, tx, call, accepted.claim, data)
  else if (accepted.claim) await releaseClaim(tx, call, accepted.claim)
  if (operation.kind === 'write' && !record) {
    const written = { data, isKept: accepted.claim !== undefined, deliveries: deliveries ?? 0 }
    await countWritten(runtime, tx, call, written)
  }
  // Late, because all changes wait for the lock of the log.
  if (outcome === 'ok' && call.audited.length > 0) await runtime.auditSink?.add(tx, call.audited)
  // Last, because the requests of an API key share the rows of its sums, which stay locked until the commit.
  if (!record || !(await tx.usage.add(record))) return hasEvents
  if (unit && !record.charged) call.limits = await refund(tx.counters, unit)
  if (!unit && record.charged) await chargeUnits(tx, call, record)
  if (!spending) return hasEvents
  return (await settleSpending(runtime, tx, call, spending, record)) || hasEvents
}

/** Takes the units of a run that could reserve none, whatever their limits. */
async function chargeUnits({ counters }: RuntimeTransaction, call: OperationCall, record: UsageRecord): Promise<void> {
  const account = chargedAccount(call)
  const quotas = account ? listQuotas(account) : [record]
  for (const { counter } of quotas) await counters.reserve(counter, null)
}
