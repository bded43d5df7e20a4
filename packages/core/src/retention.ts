import type { Blobs } from './gateway/images.ts'
import type { Clock } from './runtime/clock.ts'
import { isId, madeAt } from './runtime/id.ts'
import type { Log } from './runtime/log.ts'
import { type Period, periodOf } from './runtime/quota.ts'
import type { Stores, Transaction } from './feature-stores.ts'

export interface RetentionOptions {
  readonly stores: Stores
  readonly blobs: Blobs
  readonly clock: Clock
  readonly log: Log
}

const firstRoundMs = 60_000
const roundMs = 3_600_000
/** The first round sweeps, and then one a day. */
const roundsToASweep = 24

/** Removes, every hour, what is too old to be kept, and every day what nobody knows of. */
export function startRetention({ stores, blobs, clock, log }: RetentionOptions): Job {
  let rounds = 0
  return repeat({ name: 'retention', firstAfterMs: firstRoundMs, everyMs: roundMs, clock, log }, async (signal) => {
    const now = await advanceRetentionTime(stores, clock.now())
    await purge({ stores, blobs, clock, now, signal })
    if (rounds++ % roundsToASweep === 0) await sweepBlobs({ stores, blobs, now, log, signal })
  })
}

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
      await new Promise<void>((resolve) => void clock.schedule(pauseMs, resolve))
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

const setting = 'retention_time'
/** How far one round of retention may move the time. With a round each hour, a service that was down for a month needs six days to catch up. */
const maxStepMs = 6 * 3_600_000

/**
 * The time by which retention tells ages: the clock's, but at most six hours after that of the last round. Otherwise one
 * round while a clock is a year ahead would remove everything.
 */
export function advanceRetentionTime(stores: Stores, now: number): Promise<number> {
  return stores.transact(async ({ settings }) => {
    const last = await settings.get(setting)
    const time = last === undefined ? now : Math.min(now, Number(last) + maxStepMs)
    await settings.set(setting, String(time))
    return time
  })
}

/** A blob is written before its row: one this young may still get it, in milliseconds. */
const graceMs = 86_400_000
/** Removed in one sweep; the rest goes in the next. */
const maxOrphans = 10_000

export interface Sweeping {
  readonly stores: Stores
  readonly blobs: Blobs
  /** From `advanceRetentionTime`. */
  readonly now: number
  readonly log: Log
  readonly signal: AbortSignal
}

/** Removes the images that no row names, which a crash or a failed removal left behind. */
async function sweepBlobs({ stores, blobs, now, log, signal }: Sweeping): Promise<void> {
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
  // All of them without a row: more likely these are the images of another database than all lost.
  if (owned === 0) {
    return log.warn({ images: orphans.length }, 'the store knows none of the images; none was removed')
  }
  for (const name of orphans) await blobs.delete(name)
}

/** Work that a process does beside its requests. */
export interface Job {
  /** Resolves when the round that is under way, if any, has ended; there is no other. */
  stop(): Promise<void>
}

export interface RepeatOptions {
  /** For the log. */
  readonly name: string
  /** From the start to the first round, in milliseconds. */
  readonly firstAfterMs: number
  /** From the end of a round to the next, in milliseconds. */
  readonly everyMs: number
  readonly clock: Clock
  readonly log: Log
}

/** Runs rounds until it is stopped. One that fails is logged; the next may go better. */
function repeat(
  { name, firstAfterMs, everyMs, clock, log }: RepeatOptions,
  round: (signal: AbortSignal) => Promise<void>,
): Job {
  const stopping = new AbortController()
  let running = Promise.resolve()
  let cancel = clock.schedule(firstAfterMs, start)

  function start(): void {
    running = runOne()
  }

  async function runOne(): Promise<void> {
    try {
      await round(stopping.signal)
    } catch (error) {
      log.warn({ job: name, error }, 'a round of a job failed')
    }
    if (!stopping.signal.aborted) cancel = clock.schedule(everyMs, start)
  }

  return {
    stop() {
      stopping.abort()
      cancel()
      return running
    },
  }
}
