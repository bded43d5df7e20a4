import { isFuture } from '../values/clock-skew.ts'

/**
 * Counts what may happen only so often, such as failed logins. A bucket says what is counted and for whom; it carries no
 * name or address in the clear.
 */
export interface ThrottleView {
  /**
   * Whether a hit would be granted, and the hits in the window. Hits that lie in the future by more than `maxClockSkewMs`
   * are ignored: they were recorded while a clock was wrong, and would count until then.
   */
  read(bucket: string, rule: ThrottleRule): Promise<ThrottleReading>
}

export interface ThrottleStore extends ThrottleView {
  /** Counts a hit, unless the window holds as many as it may: then nothing is written. Exact under any concurrency. */
  hit(bucket: string, rule: ThrottleRule): Promise<ThrottleReading>
  /** Forgets all hits. */
  clear(bucket: string): Promise<void>
  /** Removes buckets whose last window ended before that instant, at most `limit`, and tells how many. */
  purge(before: number, limit: number): Promise<number>
}

export interface ThrottleRule {
  /** Now, in milliseconds since the epoch. */
  readonly at: number
  readonly windowMs: number
  /** How many hits a window holds. */
  readonly most: number
}

export interface ThrottleReading {
  readonly granted: boolean
  /** When each hit in the window was, before this one; oldest first. */
  readonly hits: readonly number[]
}

/** What a rule says of all hits of a bucket. */
export function readThrottle(hits: readonly number[], { at, windowMs, most }: ThrottleRule): ThrottleReading {
  const inWindow = hits.filter((hit) => hit > at - windowMs && !isFuture(hit, at))
  return { granted: inWindow.length < most, hits: inWindow }
}
