import * as z from 'zod'
import { type Clock, pause } from './clock.ts'
import type { Job, RetentionRound } from './feature.ts'
import type { Log } from './log.ts'
import { toPeriod } from './quota/quota.ts'
import type { RuntimeStores } from './stores/stores.ts'

/** How long records are kept. Older ones are removed every hour. */
export interface RetentionPeriods {
  /** Images, in days. Default: 90. */
  readonly imageDays?: number | undefined
  /**
   * The bytes of images that an account may have, as a user with the projects that the user pays for: beyond it, no image is
   * generated until others expire or are deleted. Null: no limit. Default: 1,000,000,000.
   */
  readonly imageBytes?: number | null | undefined
  /** The record of each metered request, in days. Default: 90. */
  readonly usageDays?: number | undefined
  /** Counts of quotas, and sums of usage, in months. At least 2. Default: 13. */
  readonly totalMonths?: number | undefined
}

export const retentionPeriods = z.strictObject({
  imageDays: z.int().min(1).optional(),
  imageBytes: z.int().min(1).max(1e15).nullish(),
  usageDays: z.int().min(1).optional(),
  totalMonths: z.int().min(2).optional(),
})

export type RemoveExpired = (round: RetentionRound) => Promise<void>

export interface RetentionOptions {
  readonly stores: RuntimeStores
  readonly clock: Clock
  readonly log: Log
  readonly periods?: Pick<RetentionPeriods, 'usageDays' | 'totalMonths'> | undefined
  /** By the name of the feature. */
  readonly removers: readonly (readonly [feature: string, remove: RemoveExpired])[]
}

const firstRoundMs = 60_000
/** From the end of a round to the next one. */
const roundMs = 3_600_000

/** Starts a job that removes expired records every hour. An error is logged, and does not stop the other features. */
export function startRetention({ stores, clock, log, periods = {}, removers }: RetentionOptions): Job {
  const stopping = new AbortController()
  const { signal } = stopping
  let running = Promise.resolve()
  let cancel = clock.schedule(firstRoundMs, start)

  function start(): void {
    running = runRound()
  }

  async function runRound(): Promise<void> {
    let feature = 'runtime'
    const onError = (error: unknown) =>
      log.warn({ job: 'retention', feature, error }, 'background job failed, retrying in the next round')
    try {
      const round = retentionRound({ stores, clock, now: await advanceRetentionTime(stores, clock.now()), signal })
      const all = [['runtime', createRemover(periods)] as const, ...removers]
      for (const [name, remove] of all) {
        feature = name
        await remove(round).catch(onError)
      }
    } catch (error) {
      onError(error)
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
/** Rows per transaction, so that other transactions do not wait long. */
const batchSize = 500
/** Pause between two batches in milliseconds, for waiting transactions. */
const pauseMs = 100

function retentionRound({
  stores,
  clock,
  now,
  signal,
}: Pick<RetentionOptions, 'stores' | 'clock'> & Pick<RetentionRound, 'now' | 'signal'>): RetentionRound {
  return {
    now,
    signal,
    daysAgo: (days) => now - days * dayMs,
    async inBatches(remove, onRemoved) {
      while (!signal.aborted) {
        const removed = await stores.transact((tx) => remove(tx, batchSize))
        await onRemoved?.(removed)
        if ((typeof removed === 'number' ? removed : removed.length) < batchSize) return
        await pause(clock, pauseMs)
      }
    },
  }
}

/** In days. Claims are valid for a day by the store's clock; the extra hour is for processes whose clock is ahead. */
const claimDays = 1.05
const writeCheckDays = 1

/** Removes the expired records of the runtime itself. */
function createRemover({ usageDays = 90, totalMonths = 13 }: RetentionPeriods): RemoveExpired {
  return async ({ now, daysAgo, inBatches }) => {
    const date = new Date(now)
    const oldestMonth = toPeriod(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - totalMonths))
    await inBatches((tx, limit) => tx.usage.purge(daysAgo(usageDays), limit))
    await inBatches((tx, limit) => tx.usage.purgeTotals(Date.parse(oldestMonth), limit))
    await inBatches((tx, limit) => tx.counters.purge(oldestMonth, limit))
    await inBatches((tx, limit) => tx.spend.purge(oldestMonth, limit))
    await inBatches((tx, limit) => tx.spend.spendExpired(now, limit))
    await inBatches((tx, limit) => tx.claims.purge(daysAgo(claimDays), limit))
    await inBatches((tx, limit) => tx.writeChecks.purge(daysAgo(writeCheckDays), limit))
  }
}

const setting = 'retention_time'
/** Maximum step of the retention time per round. With one round per hour, a service that was down for a month catches up in six days. */
const maxStepMs = 6 * 3_600_000

/**
 * Returns the time by which retention computes ages: the given time, but at most six hours after the previous round.
 * Otherwise one round with a clock that is a year ahead would remove everything.
 */
export function advanceRetentionTime(stores: RuntimeStores, now: number): Promise<number> {
  return stores.transact(async ({ settings }) => {
    const last = await settings.get(setting)
    const time = last === undefined ? now : Math.min(now, Number(last) + maxStepMs)
    await settings.set(setting, String(time))
    return time
  })
}
