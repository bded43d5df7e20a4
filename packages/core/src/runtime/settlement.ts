import type { Account } from './access.ts'
import { type Services } from './call.ts'
import type { Clock } from './clock.ts'
import { type FairleadError } from './errors.ts'
import { holdClaim, keepOutcome, releaseClaim, takeClaim } from './idempotency.ts'
import { isUnavailable } from './pending-settlements.ts'
import { type ReservedUnit, giveBack, quotaExceeded, reserve, type CounterStore } from './quota.ts'
import type { UsageRecord } from './usage.ts'
import type { RuntimeTransaction, RuntimeStores, Claim } from './stores.ts'
import { type Runtime, chargedAccount, type Run } from './run-state.ts'
import { logOutage } from './reply.ts'

/** What a run came to. */
export type Outcome = Pick<UsageRecord, 'outcome' | 'charged'>

/** A run's usage record and, where its unit is to be given back, the reservation. */
export interface Bill {
  readonly record: UsageRecord
  readonly refund: ReservedUnit | undefined
}

/** Undefined where nothing is metered. */
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

/** Takes the run's unit, before the work. Undefined where nothing is metered; refused with `QUOTA_EXCEEDED`. */
export async function reserveUnit(
  { clock }: Runtime,
  counters: Pick<CounterStore, 'reserve'>,
  run: Run,
): Promise<ReservedUnit | undefined> {
  const account = chargedAccount(run)
  if (!account) return undefined
  const outcome = await reserve(counters, account)
  run.limits = outcome.granted ? outcome.reservation.limits : outcome.limits
  if (!outcome.granted) throw quotaExceeded(outcome.limits, clock.now())
  return outcome.reservation
}

/**
 * Records what the run came to, and gives the unit back where it is not charged. The usage record, unique to the run,
 * decides: a second time changes nothing.
 */
export async function settleUnit(tx: RuntimeTransaction, run: Run, bill: Bill | undefined): Promise<void> {
  if (!bill) return
  const first = await tx.usage.add(bill.record)
  if (first && bill.refund) run.limits = await giveBack(tx.counters, bill.refund)
}

function usageRecord(
  { clock }: Runtime,
  { runId, requestId, operation, at, modelCall }: Run,
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
    ...outcome,
    model: modelCall.model ?? null,
    provider: modelCall.provider ?? null,
    promptTokens: modelCall.promptTokens ?? 0,
    completionTokens: modelCall.completionTokens ?? 0,
    costUsd: modelCall.costUsd ?? 0,
  }
}

/** The debt of a run whose work is not done inside a transaction. It is settled once: later calls change nothing. */
export interface Settlement {
  /** Charges the unit, and keeps the result's records and events. */
  succeed(data: unknown): Promise<void>
  /**
   * Gives the unit back, except where the caller abandoned the call after a provider was asked. Never rejects: the caller
   * is to hear of the failure, not of the store.
   */
  fail(error: FairleadError): Promise<void>
  /** Charges the unit for a stream that began and did not end well. Never rejects. */
  breakOff(): Promise<void>
}

/** Claims the run's key and reserves its unit, or refuses; answers with what stands under the key already. */
export async function openSettlement(
  runtime: Runtime,
  { stores }: Services,
  run: Run,
): Promise<Settlement | { readonly standing: Claim }> {
  const opened = await open(runtime, stores, run)
  if ('standing' in opened) return opened
  const { reservation } = opened
  const releaseHold = holdClaim(runtime, stores, run)
  const end = runtime.inFlight.begin()
  let settled = false

  async function succeed(keep: ((tx: RuntimeTransaction) => Promise<void>) | undefined): Promise<void> {
    const bill = billOf(runtime, run, reservation, { outcome: 'ok', charged: true })
    if (keep) {
      await persistently(runtime, run, () =>
        stores.transact(async (tx) => {
          await settleUnit(tx, run, bill)
          await keep(tx)
        }),
      )
    } else if (bill) {
      await persistently(runtime, run, async () => void (await stores.addUsage(bill.record)))
    }
  }

  /** Settles a run without a result. While the store is unavailable, the settlement is queued. */
  async function settleFailed(outcome: Outcome): Promise<void> {
    const bill = billOf(runtime, run, reservation, outcome)
    if (!bill && !run.claim) return
    try {
      await runtime.pendingSettlements.write(() => {
        if (bill && !bill.refund && !run.claim) return stores.addUsage(bill.record)
        return stores.transact(
          async (tx) => {
            await settleUnit(tx, run, bill)
            await releaseClaim(tx, run)
          },
          { durable: run.claim !== undefined },
        )
      })
    } catch (error) {
      runtime.log.error({ requestId: run.requestId, outcome, error }, 'settling a failed request failed')
    }
  }

  async function once(settle: () => Promise<void>): Promise<void> {
    if (settled) return
    settled = true
    try {
      await settle()
    } catch (error) {
      settled = false
      throw error
    } finally {
      releaseHold()
      end()
    }
  }

  return {
    succeed: (data) => once(() => succeed(recordsOf(runtime, run, data))),
    fail: ({ code }) =>
      once(() =>
        settleFailed(
          run.signal.aborted
            ? { outcome: 'aborted', charged: wasProviderAsked(run) }
            : { outcome: code, charged: false },
        ),
      ),
    breakOff: () => once(() => settleFailed({ outcome: 'partial', charged: true })),
  }
}

/** A cached answer has no attempts. */
function wasProviderAsked({ modelCall }: Run): boolean {
  return (modelCall.attempts ?? 0) > 0
}

async function open(
  runtime: Runtime,
  stores: RuntimeStores,
  run: Run,
): Promise<{ readonly reservation: ReservedUnit | undefined } | { readonly standing: Claim }> {
  if (!run.claim) return { reservation: await reserveUnit(runtime, stores, run) }
  return stores.transact(async (tx) => {
    const standing = await takeClaim(runtime, tx, run)
    return standing ? { standing } : { reservation: await reserveUnit(runtime, tx.counters, run) }
  })
}

/** How to keep what belongs to a result; undefined where nothing does. */
function recordsOf(runtime: Runtime, run: Run, data: unknown): ((tx: RuntimeTransaction) => Promise<void>) | undefined {
  const { operation, events, claim } = run
  const record = operation.kind === 'inference' ? operation.record : undefined
  if (!record && !claim && events.length === 0) return undefined
  return async (tx) => {
    await record?.(tx, run, data)
    await tx.outbox.add(events)
    await keepOutcome(runtime, tx, run, data)
  }
}

/** Waits between tries, in milliseconds, while the store is away. */
const waitsMs = [25, 100, 400]

/** What was done must not be forgotten because the store was away for a moment; no caller hears of that moment. */
async function persistently({ clock, log }: Runtime, { requestId }: Run, keep: () => Promise<void>): Promise<void> {
  const outage = await outlast(clock, keep)
  if (outage) logOutage(log, requestId, outage)
}

/** Tells the first outage that was met on the way. */
async function outlast(clock: Clock, keep: () => Promise<void>): Promise<FairleadError | undefined> {
  let outage: FairleadError | undefined
  for (const waitMs of waitsMs) {
    try {
      await keep()
      return outage
    } catch (error) {
      if (!isUnavailable(error)) throw error
      outage ??= error
      await new Promise<void>((resolve) => void clock.schedule(waitMs, resolve))
    }
  }
  await keep()
  return outage
}
