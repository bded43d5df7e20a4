import type { Blobs } from '../gateway/images/images.ts'
import { type Clock, pause } from '../runtime/clock.ts'
import { isId, madeAt } from '../runtime/id.ts'
import type { Job } from '../runtime/feature.ts'
import type { Log } from '../runtime/log.ts'
import { periodOf } from '../runtime/quota/quota.ts'
import type { Stores, Transaction } from './feature-stores.ts'

interface RetentionOptions {
  readonly stores: Stores
  readonly blobs: Blobs
  readonly clock: Clock
  readonly log: Log
}

/** One round of the job. */
interface Round extends RetentionOptions {
  /** The current time, from `advanceRetentionTime`. */
  readonly now: number
  readonly signal: AbortSignal
}

const firstRoundMs = 60_000
/** From the end of a round to the next one. */
const roundMs = 3_600_000
/** The first round sweeps, and then one per day. */
const roundsPerSweep = 24

/** Starts a job that removes expired records every hour and orphaned images every day. Errors of a round are logged. */
export function startRetention(options: RetentionOptions): Job {
  const { stores, clock, log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let rounds = 0
  let running = Promise.resolve()
  let cancel = clock.schedule(firstRoundMs, start)

  function start(): void {
    running = runRound()
  }

  async function runRound(): Promise<void> {
    try {
      const round = { ...options, signal, now: await advanceRetentionTime(stores, clock.now()) }
      await purge(round)
      if (rounds++ % roundsPerSweep === 0) await sweepBlobs(round)
    } catch (error) {
      log.warn({ job: 'retention', error }, 'background job failed, retrying in the next round')
    }
    if (!signal.aborted) cancel = clock.schedule(roundMs, start)
  }

  return {
    stop() {
      stopping.abort()
      cancel()
      return running
    },
  }
}

const dayMs = 86_400_000

/**
 * Retention periods in days. Claims are valid for a day by the store's clock; the extra hour is for processes whose clock
 * is ahead.
 */
const retentionDays = { images: 90, usage: 90, events: 30, claims: 1.05, writeChecks: 1 } as const
/** For counters and usage totals. */
const retentionMonths = 13

/** Rows per transaction, so that other transactions do not wait long. */
const batchSize = 500
/** Pause between two batches in milliseconds, for waiting transactions. */
const pauseMs = 100

/** Removes expired records in small batches. Rows of images are removed before their blobs, so that no row lacks its blob. */
export async function purge({ stores, blobs, clock, now, signal }: Omit<Round, 'log'>): Promise<void> {
  const date = new Date(now)
  const oldestMonth = periodOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - retentionMonths))

  async function inBatches(purgeBatch: (tx: Transaction) => Promise<number | readonly string[]>): Promise<void> {
    while (!signal.aborted) {
      const purged = await stores.transact(purgeBatch)
      if (typeof purged !== 'number') for (const name of purged) await blobs.delete(name)
      if ((typeof purged === 'number' ? purged : purged.length) < batchSize) return
      await pause(clock, pauseMs)
    }
  }

  await inBatches((tx) => tx.images.purge(now - retentionDays.images * dayMs, batchSize))
  await inBatches((tx) => tx.usage.purge(now - retentionDays.usage * dayMs, batchSize))
  await inBatches((tx) => tx.usage.purgeTotals(Date.parse(oldestMonth), batchSize))
  // Deliveries first, so that no delivery lacks its event.
  await inBatches((tx) => tx.deliveries.purge(now - retentionDays.events * dayMs, batchSize))
  await inBatches((tx) => tx.events.purge(now - retentionDays.events * dayMs, batchSize))
  await inBatches((tx) => tx.webhooks.purgeStreams(now, batchSize))
  await inBatches((tx) => tx.counters.purge(oldestMonth, batchSize))
  await inBatches((tx) => tx.claims.purge(now - retentionDays.claims * dayMs, batchSize))
  await inBatches((tx) => tx.sessions.purge(now, batchSize))
  await inBatches((tx) => tx.throttles.purge(now, batchSize))
  await inBatches((tx) => tx.writeChecks.purge(now - retentionDays.writeChecks * dayMs, batchSize))
}

const setting = 'retention_time'
/** Maximum step of the retention time per round. With one round per hour, a service that was down for a month catches up in six days. */
const maxStepMs = 6 * 3_600_000

/**
 * Returns the time by which retention computes ages: the given time, but at most six hours after that of the last round.
 * Otherwise one round with a clock that is a year ahead would remove everything.
 */
export function advanceRetentionTime(stores: Stores, now: number): Promise<number> {
  return stores.transact(async ({ settings }) => {
    const last = await settings.get(setting)
    const time = last === undefined ? now : Math.min(now, Number(last) + maxStepMs)
    await settings.set(setting, String(time))
    return time
  })
}

/** A blob is written before its row, so a younger blob is not an orphan yet. In milliseconds. */
const graceMs = 86_400_000
/** Maximum number of blobs removed per sweep. */
const maxOrphans = 10_000

/** Removes blobs without a row, which a crash or a failed removal left behind. */
async function sweepBlobs({ stores, blobs, now, log, signal }: Round): Promise<void> {
  const orphans: string[] = []
  let owned = 0
  let batch: string[] = []

  async function check(): Promise<void> {
    const missing = await stores.read((view) => view.images.missing(batch))
    owned += batch.length - missing.length
    orphans.push(...missing)
    batch = []
  }

  for await (const name of blobs.names()) {
    if (signal.aborted) return
    if (!isId(name, 'img') || madeAt(name) > now - graceMs) continue
    batch.push(name)
    if (batch.length === batchSize) await check()
    if (orphans.length >= maxOrphans) break
  }
  await check()
  if (orphans.length === 0) return
  // If no blob has a row, the blobs more likely belong to another database than all being orphans.
  if (owned === 0) {
    return log.warn({ images: orphans.length }, 'no stored image has a record, keeping all images')
  }
  for (const name of orphans) await blobs.delete(name)
}
