import { type Clock, FairleadError } from '@fairlead/core'
import { lruCache } from '@fairlead/core/feature'
import { memoryRateLimiter } from '@fairlead/core/stores'

/** Failed logins of one network, over all accounts. */
const failureLimit = { limit: 100, windowMs: 15 * 60_000 }
/** A rejection is cached for at most the longest window of a throttle. */
const maxRejectionMs = 3_600_000
/** Maximum number of networks, and of rejections, in memory. The least recently used is evicted. */
const maxEntries = 10_000

export type AttemptLimits = ReturnType<typeof createAttemptLimits>

/** Limits logins and sign-ups in the memory of this process, before they cost a store query or a password hash. */
export function createAttemptLimits(clock: Clock) {
  const failures = memoryRateLimiter({ clock, maxKeys: maxEntries })
  const rejections = lruCache<{ readonly error: FairleadError; readonly until: number }>(maxEntries)

  return {
    /** Counts a failed attempt, and returns how to undo that. Throws `RATE_LIMIT_EXCEEDED` after too many of one network. */
    countFailure(network: string): () => void {
      const { granted, resetMs } = failures.take(network, failureLimit)
      if (!granted) throw tooManyAttempts('Too many failed logins from this network. Try again later.', resetMs)
      return () => failures.charge(network, failureLimit, -1)
    },
    /** Runs work. Its `RATE_LIMIT_EXCEEDED` is repeated for the bucket, without the work, until `retryAfterMs` has passed. */
    async unlessRejected<Result>(bucket: string, work: () => Promise<Result>): Promise<Result> {
      const known = rejections.get(bucket)
      const leftMs = known ? known.until - clock.now() : 0
      if (known && leftMs > 0 && leftMs <= maxRejectionMs) throw tooManyAttempts(known.error.message, leftMs)
      try {
        return await work()
      } catch (error) {
        if (error instanceof FairleadError && error.code === 'RATE_LIMIT_EXCEEDED') {
          rejections.set(bucket, { error, until: clock.now() + (error.retryAfterMs ?? 0) })
        }
        throw error
      }
    },
  }
}

/** A `RATE_LIMIT_EXCEEDED` error. `retryAfterMs` is at least 1,000, because `Retry-After` counts in seconds. */
export function tooManyAttempts(message: string, retryAfterMs: number): FairleadError {
  return new FairleadError('RATE_LIMIT_EXCEEDED', message, { retryAfterMs: Math.max(1_000, retryAfterMs) })
}
