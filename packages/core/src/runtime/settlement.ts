import type { Account } from './access.ts'
import { type Services, chargedAccount } from './call.ts'
import { type SettledCall, callEvent } from './call-event.ts'
import { pause } from './clock.ts'
import type { FairleadError } from './errors.ts'
import type { Event } from './events.ts'
import { holdClaim, keepOutcome, releaseClaim, takeClaim } from './idempotency.ts'
import { isUnavailable } from './pending-settlements.ts'
import { type ReservedUnit, giveBack, limitsFrom, quotaExceeded, type CounterStore } from './quota.ts'
import { logOutage, toPublicError } from './reply.ts'
import type { OperationCall, Runtime } from './runtime.ts'
import type { Claim, RuntimeStores, RuntimeTransaction } from './stores.ts'
import type { UsageRecord } from './usage.ts'

/** The outcome of a run. */
export type Outcome = Pick<UsageRecord, 'outcome' | 'charged'>

/** A run's usage record, and the reservation if its unit is to be refunded. */
export interface Bill {
  readonly record: UsageRecord
  readonly refund: ReservedUnit | undefined
}

/** Undefined if the run is not metered. */
export function billOf(runtime: Runtime, call: OperationCall, outcome: Outcome): Bill | undefined {
  const account = chargedAccount(call)
  if (!account) return undefined
  return {
    record: usageRecord(runtime, call, account, outcome),
    refund: outcome.charged ? undefined : call.reservation,
  }
}

/** Reserves the run's unit, if it is metered. Throws `QUOTA_EXCEEDED`. */
export async function reserveUnit(
  { clock }: Runtime,
  counters: Pick<CounterStore, 'reserve'>,
  call: OperationCall,
): Promise<void> {
  const account = chargedAccount(call)
  if (!account) return
  const { counter, limit } = account
  const reading = await counters.reserve(counter, limit)
  call.limits = limitsFrom(reading, limit)
  if (!reading.granted && call.limits) throw quotaExceeded(call.limits, clock.now())
  call.reservation = { counter, limit, period: reading.period }
}

/**
 * Adds the usage record, and refunds the unit if it is not charged. Idempotent: a run has only one usage record, and the
 * unit is refunded only if that record was added.
 */
export async function settleUnit(tx: RuntimeTransaction, call: OperationCall, bill: Bill | undefined): Promise<void> {
  if (!bill) return
  const first = await tx.usage.add(bill.record)
  if (first && bill.refund) call.limits = await giveBack(tx.counters, bill.refund)
}

/** Stores the events of a run in its transaction. Without a sink, they are discarded. */
export async function storeEvents(
  { eventSink }: Runtime,
  tx: RuntimeTransaction,
  { events }: OperationCall,
): Promise<void> {
  if (events.length > 0) await eventSink?.add(tx, events)
}

function usageRecord(
  { clock }: Runtime,
  { runId, requestId, operation, at, firstChunkAt, modelCall }: OperationCall,
  { userId, counter }: Account,
  outcome: Outcome,
): UsageRecord {
  return {
    runId,
    requestId,
    userId,
    counter,
    operation: operation.name,
    at,
    durationMs: Math.max(0, clock.now() - at),
    firstTokenMs: firstChunkAt === undefined ? null : Math.max(0, firstChunkAt - at),
    ...outcome,
    model: modelCall.model ?? null,
    provider: modelCall.provider ?? null,
    promptTokens: modelCall.promptTokens ?? 0,
    completionTokens: modelCall.completionTokens ?? 0,
    reasoningTokens: modelCall.reasoningTokens ?? null,
    cachedPromptTokens: modelCall.cachedPromptTokens ?? null,
    costUsd: modelCall.costUsd ?? 0,
  }
}

/** Claims the key and reserves the unit of a run that works outside of a transaction. Returns the claim if the key is taken. */
export function reserve(
  runtime: Runtime,
  { stores }: Services,
  call: OperationCall,
): Promise<Claim | undefined | void> {
  return call.claim ? reserveClaimed(runtime, stores, call) : reserveUnit(runtime, stores, call)
}

async function reserveClaimed(
  runtime: Runtime,
  stores: RuntimeStores,
  call: OperationCall,
): Promise<Claim | undefined> {
  const existing = await stores.transact(async (tx) => {
    const taken = await takeClaim(runtime, tx, call)
    if (!taken) await reserveUnit(runtime, tx.counters, call)
    return taken
  })
  if (!existing) holdClaim(runtime, stores, call)
  return existing
}

const retryDelaysMs = [25, 100, 400]

/**
 * Charges the unit, and stores the result's records and events. Retries while the store is unavailable, so that a short
 * outage does not discard a finished result.
 */
export async function settle(
  runtime: Runtime,
  { stores }: Services,
  call: OperationCall,
  data: unknown,
): Promise<void> {
  const bill = billOf(runtime, call, { outcome: 'ok', charged: true })
  const isKept = !call.claim || keepsOutcome(call, data)
  if (!isKept) call.warn([notKept])
  const success: SettledCall = { outcome: 'ok', data, isKept }
  let outage: FairleadError | undefined
  try {
    for (let retry = 0; ; retry++) {
      try {
        await store(runtime, stores, call, bill, success)
        break
      } catch (error) {
        const delayMs = retryDelaysMs[retry]
        if (!isUnavailable(error) || delayMs === undefined) throw error
        outage ??= error
        await pause(runtime.clock, delayMs)
      }
    }
  } finally {
    call.claim?.release?.()
  }
  if (outage) logOutage(runtime.log, call.requestId, outage)
}

const notKept = {
  field: 'idempotencyKey',
  issue: 'the result is too large to be stored: the same request will run again, and be charged again',
}

function keepsOutcome({ operation }: OperationCall, data: unknown): boolean {
  return operation.kind !== 'inference' || (operation.isKept?.(data) ?? true)
}

/**
 * Settles a failure: refunds the unit, unless the caller closed the request after a provider was called, or the answer of a
 * provider cannot be used. Returns the error for the reply. Never rejects: the reply must contain the failure, not an error
 * of the store.
 */
export async function settleFailure(
  runtime: Runtime,
  services: Services,
  call: OperationCall,
  error: unknown,
): Promise<FairleadError> {
  const publicError = toPublicError(runtime.log, call, error)
  await settleAs(runtime, services, call, outcomeOf(runtime, call, publicError))
  return publicError
}

/** Charges the unit of a stream that failed or was closed after it began. Never rejects. */
export function settlePartial(runtime: Runtime, services: Services, call: OperationCall): Promise<void> {
  return settleAs(runtime, services, call, { outcome: 'partial', charged: true })
}

/** Settles a run without a result. While the store is unavailable, the settlement is queued. */
async function settleAs(runtime: Runtime, { stores }: Services, call: OperationCall, outcome: Outcome): Promise<void> {
  const bill = billOf(runtime, call, outcome)
  try {
    await runtime.pendingSettlements.write(() => store(runtime, stores, call, bill, outcome))
  } catch (error) {
    runtime.log.error({ requestId: call.requestId, outcome, error }, 'could not settle a failed request')
  } finally {
    call.claim?.release?.()
  }
}

/**
 * The outcome of a failure. A call that the caller left after a provider was called is charged, and so is an answer that
 * cannot be used, but not one that the service lost or discarded. A failure that is free, although a provider may bill it,
 * counts towards the account's budget.
 */
function outcomeOf({ failureBudget }: Runtime, call: OperationCall, { code, billed }: FairleadError): Outcome {
  // A cached response has no attempts.
  if (call.hasLeft) return { outcome: 'aborted', charged: (call.modelCall.attempts ?? 0) > 0 }
  const charged = billed === 'answer'
  const account = chargedAccount(call)
  if (billed === 'possible' && !charged && account) failureBudget.count(account.userId)
  return { outcome: code, charged }
}

/** Stores the outcome of a run, and its event if somebody subscribes to it. */
function store(
  runtime: Runtime,
  stores: RuntimeStores,
  call: OperationCall,
  bill: Bill | undefined,
  settled: SettledCall,
): Promise<unknown> {
  const event = call.settledEvent ?? callEvent(runtime, call, settled)
  return event instanceof Promise
    ? event.then((created) => storeWith(runtime, stores, call, bill, settled, created))
    : storeWith(runtime, stores, call, bill, settled, event)
}

/** A usage record alone needs no transaction. */
function storeWith(
  runtime: Runtime,
  stores: RuntimeStores,
  call: OperationCall,
  bill: Bill | undefined,
  settled: SettledCall,
  event: Event | undefined,
): Promise<unknown> {
  call.settledEvent = event
  if (event || bill?.refund || hasRecords(call, settled)) return commit(runtime, stores, call, bill, settled)
  return bill ? stores.addUsage(bill.record) : Promise.resolve()
}

/** Whether more belongs to a run than its usage record and its event. */
function hasRecords({ operation, claim, events }: OperationCall, { outcome }: SettledCall): boolean {
  if (claim) return true
  return outcome === 'ok' && (events.length > 0 || (operation.kind === 'inference' && operation.record !== undefined))
}

async function commit(
  runtime: Runtime,
  stores: RuntimeStores,
  call: OperationCall,
  bill: Bill | undefined,
  settled: SettledCall,
): Promise<void> {
  const { operation, settledEvent } = call
  await stores.transact(
    async (tx) => {
      await settleUnit(tx, call, bill)
      if (settled.outcome === 'ok') {
        if (operation.kind === 'inference') await operation.record?.(tx, call, settled.data)
        await storeEvents(runtime, tx, call)
      }
      if (settled.isKept) await keepOutcome(runtime, tx, call, settled.data)
      else await releaseClaim(tx, call)
      if (settledEvent) await runtime.eventSink?.add(tx, [settledEvent])
    },
    { durable: hasRecords(call, settled) },
  )
  if (settledEvent || call.events.length > 0) runtime.eventSink?.committed()
}
