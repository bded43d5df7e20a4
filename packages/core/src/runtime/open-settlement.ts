import type { Clock } from '../ports/clock.ts'
import type { Stores, Transaction } from '../ports/stores.ts'
import type { Reservation } from '../quota/reserve.ts'
import type { Claim } from '../values/claim.ts'
import { FairleadError } from '../values/fairlead-error.ts'
import { logOutage } from './public-error.ts'
import { holdClaim, keepOutcome, releaseClaim, takeClaim } from './run-claim.ts'
import { chargedAccount, type Run } from './run-state.ts'
import type { Runtime } from './runtime.ts'
import type { Services } from './services.ts'
import { type Outcome, recordUsage, reserveUnit, settleUnit } from './settlement.ts'

/** The debt of a run whose work is not done inside a transaction. It is settled once: later calls change nothing. */
export interface Settlement {
  /** Charges the unit, and keeps the result's records and events. */
  succeed(data: unknown): Promise<void>
  /** Gives the unit back. Never rejects: the caller is to hear of the failure, not of the store. */
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
  const metered = chargedAccount(run) !== undefined
  const opened = await open(runtime, stores, run)
  if ('standing' in opened) return opened
  const { reservation } = opened
  const releaseHold = holdClaim(runtime, stores, run)
  const end = runtime.working.begin()
  let settled = false

  async function settle(outcome: Outcome, keep?: (tx: Transaction) => Promise<void>): Promise<void> {
    if (settled) return
    settled = true
    try {
      if (!metered && !keep) return
      await persistently(runtime, run, () => {
        if (outcome.charged && !keep) return recordUsage(runtime, stores, run, outcome)
        return stores.transact(async (tx) => {
          await settleUnit(runtime, tx, run, reservation, outcome)
          await keep?.(tx)
        })
      })
    } catch (error) {
      settled = false
      throw error
    } finally {
      releaseHold()
      end()
    }
  }

  async function settleOrLog(outcome: Outcome): Promise<void> {
    try {
      await settle(outcome, run.claim && ((tx) => releaseClaim(tx, run)))
    } catch (error) {
      runtime.log.error({ requestId: run.requestId, outcome, error }, 'a failed request could not be settled')
    }
  }

  return {
    succeed: (data) => settle({ outcome: 'ok', charged: true }, recordsOf(runtime, run, data)),
    fail: ({ code }) => settleOrLog({ outcome: run.signal.aborted ? 'aborted' : code, charged: false }),
    breakOff: () => settleOrLog({ outcome: 'partial', charged: true }),
  }
}

async function open(
  runtime: Runtime,
  stores: Stores,
  run: Run,
): Promise<{ readonly reservation: Reservation | undefined } | { readonly standing: Claim }> {
  if (!run.claim) return { reservation: await reserveUnit(runtime, stores, run) }
  return stores.transact(async (tx) => {
    const standing = await takeClaim(runtime, tx, run)
    return standing ? { standing } : { reservation: await reserveUnit(runtime, tx.counters, run) }
  })
}

/** How to keep what belongs to a result; undefined where nothing does. */
function recordsOf(runtime: Runtime, run: Run, data: unknown): ((tx: Transaction) => Promise<void>) | undefined {
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
      if (!isAway(error)) throw error
      outage ??= error
      await new Promise<void>((resolve) => void clock.alarm(waitMs, resolve))
    }
  }
  await keep()
  return outage
}

function isAway(error: unknown): error is FairleadError {
  return error instanceof FairleadError && error.code === 'SERVICE_UNAVAILABLE'
}
