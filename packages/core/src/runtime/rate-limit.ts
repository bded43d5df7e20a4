import { z } from 'zod'
import type { Clock } from './clock.ts'
import { type Tier, tiers } from './access.ts'

/** At most `limit` requests at once, and from then on one each `windowMs / limit`. */
export interface RateLimit {
  readonly limit: number
  readonly windowMs: number
}

/** Where a key stands after one more request. */
export interface RateReading {
  /** A request that is not granted does not count. */
  readonly granted: boolean
  /** Requests that would be granted at once. */
  readonly remaining: number
  /** Until one more than those would be granted; 0 where none has been counted lately. */
  readonly resetMs: number
}

/** RuntimeStores keep instants as floating-point numbers of milliseconds: sums of intervals are not exact. */
export const rateToleranceMs = 0.1

/**
 * The reading of the generic cell rate algorithm (GCRA, ITU-T I.371).
 *
 * @param debtMs how far the theoretical arrival time lies ahead of now, this request counted if it was granted
 */
export function toRateReading(granted: boolean, debtMs: number, { limit, windowMs }: RateLimit): RateReading {
  const intervalMs = windowMs / limit
  const creditMs = windowMs - debtMs
  const remaining = granted ? Math.max(0, Math.floor((creditMs + rateToleranceMs) / intervalMs)) : 0
  const resetMs = remaining >= limit ? 0 : Math.max(1, Math.ceil((remaining + 1) * intervalMs - creditMs))
  return { granted, remaining, resetMs }
}

/** Counts requests for limits over short windows. Every implementation passes `rateLimiterSuite`. */
export interface RateLimiter {
  /** Counts one request of the key, unless that exceeds the limit. Exact under any concurrency. Never rejects. */
  take(key: string, limit: RateLimit): RateReading | Promise<RateReading>
  close?(): Promise<void>
}

/** Requests that one account may send in a minute, by its tier. */
export type RequestsPerMinute = Readonly<Partial<Record<Tier, number | undefined>>>

/** Limits over short times, beside the monthly quota. */
export interface RateLimitOptions {
  /**
   * How many metered requests an account may send in a minute: so many at once, and from then on one for each that time
   * gives back. A tier that is left out has no limit. Default: none has.
   */
  readonly requestsPerMinute?: RequestsPerMinute | undefined
}

const requestsPerMinute = z.int().min(1).max(100_000)

/** The form of `RateLimitOptions`. */
export const rateLimitOptions = z.strictObject({
  requestsPerMinute: z.partialRecord(z.enum(tiers), requestsPerMinute).optional(),
}) satisfies z.ZodType<RateLimitOptions>

export interface MemoryRateLimiterOptions {
  readonly clock: Clock
  /** How many keys are remembered; beyond them, the one that was used least recently starts anew. Default: 100,000. */
  readonly maxKeys?: number | undefined
}

/** Counts requests in this process alone. */
export function memoryRateLimiter({ clock, maxKeys = 100_000 }: MemoryRateLimiterOptions): RateLimiter {
  /** The theoretical arrival time of each key's next request (GCRA), the least recently used key first. */
  const arrivals = new Map<string, number>()

  /** Removes a few keys whose requests no longer count: more than one call adds. */
  function expire(now: number): void {
    let checked = 0
    for (const [key, arrival] of arrivals) {
      if (checked++ === 2 || (arrival > now && arrivals.size <= maxKeys)) return
      arrivals.delete(key)
    }
  }

  return {
    take(key, limit) {
      const now = clock.now()
      // A clock that was set back can't block a key for longer than the window.
      const arrival = Math.min(Math.max(arrivals.get(key) ?? now, now), now + limit.windowMs)
      const next = arrival + limit.windowMs / limit.limit
      const granted = next - now <= limit.windowMs + rateToleranceMs
      const counted = granted ? next : arrival
      arrivals.delete(key)
      arrivals.set(key, counted)
      expire(now)
      return toRateReading(granted, counted - now, limit)
    },
  }
}
