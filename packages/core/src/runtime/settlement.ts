import type { Account } from './access.ts'
import type { Services } from './call.ts'
import { type SettledCall, callEvent } from './call-event.ts'
import type { Event } from './events.ts'
import type { FairleadError } from './errors.ts'
import { holdClaim, keepOutcome, releaseClaim, takeClaim } from './idempotency.ts'
import { isUnavailable } from './pending-settlements.ts'
import { type ReservedUnit, giveBack, limitsFrom, quotaExceeded, type CounterStore } from './quota.ts'
import type { UsageRecord } from './usage.ts'
import type { RuntimeTransaction, Claim } from './stores.ts'
import { type Runtime, chargedAccount, type Run } from './run-state.ts'
import { logOutage } from './reply.ts'
import { pause } from './clock.ts'

/** The outcome of a run. */
export type Outcome = Pick<UsageRecord, 'outcome' | 'charged'>

/** A run's usage record, and the reservation if its unit is to be refunded. */
export interface Bill {
  readonly record: UsageRecord
  readonly refund: ReservedUnit | undefined
}

/** Undefined if the run is not metered. */
export function billOf(
  runtime: Runtime,
  run: Run,
  reservation: ReservedUnit | undefined,
  outcome: Outcome,
): Bill | undefined {
  const account = chargedAccount(run)
  if (!account) return undefined
  return { record: usageRecord(runtime, run, account, outcome), refund: outcome.charged ? undefined : reservation }
}

/** Reserves the run's unit. Undefined if the run is not metered. Throws `QUOTA_EXCEEDED`. */
export async function reserveUnit(
  { clock }: Runtime,
  counters: Pick<CounterStore, 'reserve'>,
  run: Run,
): Promise<ReservedUnit | undefined> {
  const account = chargedAccount(run)
  if (!account) return undefined
  const { counter, limit } = account
  const reading = await counters.reserve(counter, limit)
  run.limits = limitsFrom(reading, limit)
  if (!reading.granted && run.limits) throw quotaExceeded(run.limits, clock.now())
  return { counter, limit, period: reading.period }
}

/**
 * Adds the usage record, and refunds the unit if it is not charged. Idempotent: a run has only one usage record, and the
 * unit is refunded only if that record was added.
 */
export async function settleUnit(tx: RuntimeTransaction, run: Run, bill: Bill | undefined): Promise<void> {
  if (!bill) return
  const first = await tx.usage.add(bill.record)
  if (first && bill.refund) run.limits = await giveBack(tx.counters, bill.refund)
}

/** Stores the events of a run in its transaction. Without a sink, they are discarded. */
export async function storeEvents({ eventSink }: Runtime, tx: RuntimeTransaction, { events }: Run): Promise<void> {
  if (events.length > 0) await eventSink?.add(tx, events)
}

function usageRecord(
  { clock }: Runtime,
  { runId, requestId, operation, at, firstChunkAt, modelCall }: Run,
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

/** The settlement of a run that works outside of a transaction. Only the first call has an effect. */
export interface Settlement {
  /** Charges the unit, and stores the result's records and events. */
  succeed(data: unknown): Promise<void>
  /**
   * Refunds the unit, unless the caller closed the request after a provider was called, or the answer of a provider cannot
   * be used. Never rejects: the reply must contain the failure, not an error of the store.
   */
  fail(error: FairleadError): Promise<void>
  /** Charges the unit of a stream that failed or was closed after it began. Never rejects. */
  breakOff(): Promise<void>
}

/** Claims the run's key and reserves its unit. Returns the existing claim if the key is taken. */
export async function openSettlement(
  runtime: Runtime,
  { stores }: Services,
  run: Run,
): Promise<Settlement | { readonly existing: Claim }> {
  const opened: Opened = run.claim
    ? await stores.transact((tx) => openClaimed(runtime, tx, run))
    : { reservation: await reserveUnit(runtime, stores, run) }
  if ('existing' in opened) return opened
  const { reservation } = opened
  const releaseHold = holdClaim(runtime, stores, run)
  const end = runtime.inFlight.begin()
  let settling: Promise<void> | undefined
  let event: Event | undefined

  function succeed(data: unknown): Promise<void> {
    const bill = billOf(runtime, run, reservation, { outcome: 'ok', charged: true })
    const keep = recordsOf(runtime, run, data)
    return retryOutages(runtime, run, () => store({ outcome: 'ok', data }, bill, keep))
  }

  /** Stores the outcome of the run. */
  function store(call: SettledCall, bill: Bill | undefined, keep: Keep | undefined): Promise<unknown> {
    const found = event ?? callEvent(runtime, run, call)
    return found instanceof Promise
      ? found.then((created) => storeWith(created, bill, keep))
      : storeWith(found, bill, keep)
  }

  /** A usage record alone needs no transaction. */
  function storeWith(created: Event | undefined, bill: Bill | undefined, keep: Keep | undefined): Promise<unknown> {
    // Kept for a retry, because the transaction may have been committed before its error.
    event = created
    if (created || keep || bill?.refund) return commit(created, bill, keep)
    return bill ? stores.addUsage(bill.record) : Promise.resolve()
  }

  async function commit(created: Event | undefined, bill: Bill | undefined, keep: Keep | undefined): Promise<void> {
    await stores.transact(
      async (tx) => {
        await settleUnit(tx, run, bill)
        await keep?.(tx)
        if (created) await runtime.eventSink?.add(tx, [created])
      },
      { durable: keep !== undefined },
    )
    if (created || run.events.length > 0) runtime.eventSink?.committed()
  }

  /** Settles a run without a result. While the store is unavailable, the settlement is queued. */
  async function settleFailed(outcome: Outcome): Promise<void> {
    const bill = billOf(runtime, run, reservation, outcome)
    const keep = run.claim && ((tx: RuntimeTransaction) => releaseClaim(tx, run))
    try {
      await runtime.pendingSettlements.write(() => store(outcome, bill, keep))
    } catch (error) {
      runtime.log.error({ requestId: run.requestId, outcome, error }, 'could not settle a failed request')
    }
  }

  /** Only the first call settles, unless it fails. The others wait for it. */
  function once(settle: () => Promise<void>): Promise<void> {
    if (settling) return settling.catch(() => {})
    settling = settleOnce(settle)
    return settling
  }

  async function settleOnce(settle: () => Promise<void>): Promise<void> {
    try {
      await settle()
    } catch (error) {
      settling = undefined
      throw error
    } finally {
      releaseHold()
      end()
    }
  }

  return {
    succeed: (data) => once(() => succeed(data)),
    fail: (error) => once(() => settleFailed(outcomeOf(runtime, run, error))),
    breakOff: () => once(() => settleFailed({ outcome: 'partial', charged: true })),
  }
}

/**
 * The outcome of a failure. Only an answer that cannot be used is charged, not one that the service lost or discarded. A
 * failure that is free, although a provider may bill it, counts towards the account's budget.
 */
function outcomeOf({ failureBudget }: Runtime, run: Run, { code, billed }: FairleadError): Outcome {
  if (run.signal.aborted) return { outcome: 'aborted', charged: wasProviderCalled(run) }
  const charged = billed === 'answer'
  const account = chargedAccount(run)
  if (billed === 'possible' && !charged && account) failureBudget.count(account.userId)
  return { outcome: code, charged }
}

/** A cached response has no attempts. */
function wasProviderCalled({ modelCall }: Run): boolean {
  return (modelCall.attempts ?? 0) > 0
}

type Opened = { readonly reservation: ReservedUnit | undefined } | { readonly existing: Claim }

async function openClaimed(runtime: Runtime, tx: RuntimeTransaction, run: Run): Promise<Opened> {
  const existing = await takeClaim(runtime, tx, run)
  return existing ? { existing } : { reservation: await reserveUnit(runtime, tx.counters, run) }
}

/** Stores what belongs to a run, besides its usage record and its event. */
type Keep = (tx: RuntimeTransaction) => Promise<void>

/** Returns a function that stores the records of a result; undefined if there are none. */
function recordsOf(runtime: Runtime, run: Run, data: unknown): Keep | undefined {
  const { operation, events, claim } = run
  const { record, isKept } = operation.kind === 'inference' ? operation : {}
  if (!record && !claim && events.length === 0) return undefined
  const keepsOutcome = isKept?.(data) ?? true
  if (claim && !keepsOutcome) run.warn([notKept])
  return async (tx) => {
    await record?.(tx, run, data)
    await storeEvents(runtime, tx, run)
    if (keepsOutcome) await keepOutcome(runtime, tx, run, data)
    else await releaseClaim(tx, run)
  }
}

const notKept = {
  field: 'idempotencyKey',
  issue: 'the result is too large to be stored: the same request will run again, and be charged again',
}

const retryDelaysMs = [25, 100, 400]

/** Retries a write while the store is unavailable, so that a short outage does not discard a finished result. */
async function retryOutages({ clock, log }: Runtime, { requestId }: Run, write: () => Promise<unknown>): Promise<void> {
  let outage: FairleadError | undefined
  for (const delayMs of [...retryDelaysMs, undefined]) {
    try {
      await write()
      break
    } catch (error) {
      if (!isUnavailable(error) || delayMs === undefined) throw error
      outage ??= error
      await pause(clock, delayMs)
    }
  }
  if (outage) logOutage(log, requestId, outage)
}
