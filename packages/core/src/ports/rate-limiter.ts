import type { RateLimit, RateReading } from '../values/rate-limit.ts'

/** Counts requests for limits over short windows. Every implementation passes `rateLimiterSuite`. */
export interface RateLimiter {
  /** Counts one request of the key, unless that exceeds the limit. Exact under any concurrency. Never rejects. */
  take(key: string, limit: RateLimit): RateReading | Promise<RateReading>
  close?(): Promise<void>
}
