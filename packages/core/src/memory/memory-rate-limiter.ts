import type { Clock } from '../ports/clock.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import { rateToleranceMs, toRateReading } from '../values/rate-limit.ts'

export interface MemoryRateLimiterOptions {
  readonly clock: Clock
  /** How many keys are remembered; beyond them, the one that was used least recently starts anew. Default: 100,000. */
  readonly maxKeys?: number
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
