import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { Stores, Transaction } from '../ports/stores.ts'
import { type Period, periodOf } from '../values/period.ts'

const dayMs = 86_400_000

/**
 * How long things are kept, in days. Counts and sums are kept for 13 months. Claims hold for a day by the store's clock; the
 * hour more is for processes whose own is ahead.
 */
const kept = { images: 90, usage: 90, events: 30, claims: 1.05 } as const
const keptMonths = 13

/** Rows to one transaction, so that nobody waits long for it. */
const batchSize = 500
/** Between two batches, for those who wait, in milliseconds. */
const pauseMs = 100

export interface Purging {
  readonly stores: Stores
  readonly blobs: Blobs
  readonly clock: Clock
  /** The time that ages are told by, from `advanceRetentionTime`. */
  readonly now: number
  readonly signal: AbortSignal
}

/** Removes what is too old to be kept, in small batches. Images lose their rows first: a row never names lost bytes. */
export async function purge({ stores, blobs, clock, now, signal }: Purging): Promise<void> {
  const oldestMonth = monthsBefore(now, keptMonths)

  async function inBatches(purgeBatch: (tx: Transaction) => Promise<number | readonly string[]>): Promise<void> {
    while (!signal.aborted) {
      const purged = await stores.transact(purgeBatch)
      if (typeof purged !== 'number') for (const name of purged) await blobs.delete(name)
      if ((typeof purged === 'number' ? purged : purged.length) < batchSize) return
      await new Promise<void>((resolve) => void clock.alarm(pauseMs, resolve))
    }
  }

  await inBatches((tx) => tx.images.purge(now - kept.images * dayMs, batchSize))
  await inBatches((tx) => tx.usage.purge(now - kept.usage * dayMs, batchSize))
  await inBatches((tx) => tx.usage.purgeTotals(Date.parse(oldestMonth), batchSize))
  await inBatches((tx) => tx.outbox.purge(now - kept.events * dayMs, batchSize))
  await inBatches((tx) => tx.counters.purge(oldestMonth, batchSize))
  await inBatches((tx) => tx.claims.purge(now - kept.claims * dayMs, batchSize))
  await inBatches((tx) => tx.sessions.purge(now, batchSize))
  await inBatches((tx) => tx.throttles.purge(now, batchSize))
}

function monthsBefore(now: number, months: number): Period {
  const date = new Date(now)
  return periodOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months))
}
