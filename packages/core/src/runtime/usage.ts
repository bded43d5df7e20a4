import type { ErrorCode } from './errors.ts'

/** The record of one run of a metered operation. Runs rejected before the quota was checked have none. */
export interface UsageRecord {
  /** Unique: a run can be settled only once. */
  readonly runId: string
  /** One request can run several operations. */
  readonly requestId: string
  readonly userId: string
  /** The quota counter of the unit. */
  readonly counter: string
  readonly operation: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly durationMs: number
  /** `partial`: a stream that failed or was closed after it began. `aborted`: the caller closed the request. */
  readonly outcome: 'ok' | 'partial' | 'aborted' | ErrorCode
  /** Whether the unit was charged. */
  readonly charged: boolean
  readonly model: string | null
  readonly provider: string | null
  readonly promptTokens: number
  readonly completionTokens: number
  readonly costUsd: number
}

/** Upper bounds of the latency histogram in milliseconds. Histograms can be added up, so totals of any period have percentiles. */
export const latencyBoundsMs = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000,
  15_000, 20_000, 30_000, 60_000, 120_000,
] as const

/** The index of the histogram bucket of a latency. */
export function latencyBucket(durationMs: number): number {
  const index = latencyBoundsMs.findIndex((bound) => durationMs <= bound)
  return index < 0 ? latencyBoundsMs.length : index
}

/** Estimates a percentile of a latency histogram, in milliseconds; null if it is empty. `share` is between 0 and 1. */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let rank = Math.max(1, Math.ceil(total * share))
  for (const [index, count] of counts.entries()) {
    if (rank > count) {
      rank -= count
      continue
    }
    const low = latencyBoundsMs[index - 1] ?? 0
    // The last bucket has no upper bound.
    const high = latencyBoundsMs[index] ?? low
    return Math.round(low + ((high - low) * rank) / count)
  }
  return null
}

export interface UsageView {
  /** Returns the records of all runs of a request. */
  ofRequest(requestId: string): Promise<readonly UsageRecord[]>
  /** Returns a user's usage totals from `from` to `to`, from totals that are updated with each record. */
  totals(query: UsageQuery): Promise<readonly UsageTotal[]>
}

export interface UsageQuery {
  readonly userId: string
  /** A full hour, in milliseconds since the epoch. */
  readonly from: number
  /** A full hour, exclusive, in milliseconds since the epoch. */
  readonly to: number
  /** The dimensions to group by. */
  readonly by: readonly UsageDimension[]
}

export type UsageDimension = 'day' | 'hour' | 'model' | 'operation' | 'counter'

/** The usage of one group. Of the dimensions, only those grouped by are set. */
export interface UsageTotal {
  /** The start of the day in UTC, in milliseconds since the epoch. */
  readonly day?: number
  /** The start of the hour, in milliseconds since the epoch. */
  readonly hour?: number
  /** Null for runs without a model. */
  readonly model?: string | null
  readonly operation?: string
  readonly counter?: string
  readonly requests: number
  /** Number of failed requests. */
  readonly errors: number
  /** Number of charged requests. */
  readonly charged: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly costUsd: number
  /** The latency histogram: one count per entry of `latencyBoundsMs`, and one for higher latencies. */
  readonly latencies: readonly number[]
}

export interface UsageStore extends UsageView {
  /** Returns false and changes nothing if the run already has a record. */
  add(record: UsageRecord): Promise<boolean>
  /**
   * Removes at most `limit` records of runs that began before that time, the oldest first. Returns how many. The totals
   * still include them.
   */
  purge(before: number, limit: number): Promise<number>
  /** Removes at most `limit` totals of hours before that time. Returns how many. */
  purgeTotals(before: number, limit: number): Promise<number>
}
