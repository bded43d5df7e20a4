import type { ErrorCode } from './errors.ts'

/** What one run of a metered operation came to. There is one for each run that got as far as its quota. */
export interface UsageRecord {
  /** Unique, and of our own making: it decides whether a run is settled. */
  readonly runId: string
  /** The transport's name for the request; one request may run several operations. */
  readonly requestId: string
  readonly userId: string
  /** The counter that the unit was reserved on. */
  readonly counter: string
  readonly operation: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly durationMs: number
  /** `partial`: a stream that began and did not end well. `aborted`: the caller left before the answer. */
  readonly outcome: 'ok' | 'partial' | 'aborted' | ErrorCode
  /** Whether the unit stays charged. */
  readonly charged: boolean
  readonly model: string | null
  readonly provider: string | null
  readonly promptTokens: number
  readonly completionTokens: number
  readonly costUsd: number
}

/** Latencies are kept as counts between these bounds, in milliseconds, so that sums of any span have percentiles. */
export const latencyBoundsMs = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000,
  15_000, 20_000, 30_000, 60_000, 120_000,
] as const

/** Which of the counts a latency belongs to. */
export function latencyBucket(durationMs: number): number {
  const index = latencyBoundsMs.findIndex((bound) => durationMs <= bound)
  return index < 0 ? latencyBoundsMs.length : index
}

/** About how long that share of the requests took at most, in milliseconds; null where there were none. */
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
    // Nothing is known of how those beyond the last bound are spread.
    const high = latencyBoundsMs[index] ?? low
    return Math.round(low + ((high - low) * rank) / count)
  }
  return null
}

export interface UsageView {
  /** The records of all runs of one request. */
  ofRequest(requestId: string): Promise<readonly UsageRecord[]>
  /** A user's usage in sums, the hours from `from` up to `to`; answered from sums that are kept as records come in. */
  totals(query: UsageQuery): Promise<readonly UsageTotal[]>
}

export interface UsageQuery {
  readonly userId: string
  /** Full hours, in milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** What each sum is for. */
  readonly by: readonly UsageDimension[]
}

export type UsageDimension = 'day' | 'hour' | 'model' | 'operation' | 'counter'

/** Sums over what the dimensions name; only these are set. */
export interface UsageTotal {
  /** The first instant of the day (UTC) or hour, in milliseconds since the epoch. */
  readonly day?: number
  readonly hour?: number
  /** Null for runs without one. */
  readonly model?: string | null
  readonly operation?: string
  readonly counter?: string
  readonly requests: number
  /** Those of the requests that did not end well. */
  readonly errors: number
  /** Those of the requests that were charged. */
  readonly charged: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly costUsd: number
  /** How many requests took how long: one count for each of `latencyBoundsMs`, and one for what took longer. */
  readonly latencies: readonly number[]
}

export interface UsageStore extends UsageView {
  /** False, and nothing changed, where the run has its record already. */
  add(record: UsageRecord): Promise<boolean>
  /**
   * Removes records of runs that began before that instant, the oldest first, at most `limit`, and tells how many.
   * They still count in the sums.
   */
  purge(before: number, limit: number): Promise<number>
  /** Removes sums of hours before that instant, at most `limit`, and tells how many. */
  purgeTotals(before: number, limit: number): Promise<number>
}
