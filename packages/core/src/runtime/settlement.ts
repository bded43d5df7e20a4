import type { Account } from '../access/caller.ts'
import { quotaExceeded } from '../quota/quota-exceeded.ts'
import { giveBack, type Reservation, reserve } from '../quota/reserve.ts'
import type { CounterStore, Transaction } from '../ports/stores.ts'
import type { UsageRecord } from '../values/usage-record.ts'
import { chargedAccount, type Run } from './run-state.ts'
import type { Runtime } from './runtime.ts'

/** What a run came to. */
export type Outcome = Pick<UsageRecord, 'outcome' | 'charged'>

/** A run's usage record and, where its unit is to be given back, the reservation. */
export interface Bill {
  readonly record: UsageRecord
  readonly refund: Reservation | undefined
}

/** Undefined where nothing is metered. */
export function billOf(
  runtime: Runtime,
  run: Run,
  reservation: Reservation | undefined,
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
): Promise<Reservation | undefined> {
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
export async function settleUnit(tx: Transaction, run: Run, bill: Bill | undefined): Promise<void> {
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
