import type { Clock } from './clock.ts'
import { FairleadError } from './errors.ts'
import { BlockedKeys, type RateLimiter, type RateLimitOptions } from './rate-limit.ts'

/**
 * The failures of an account that are free although a provider may bill them. Nobody can buy calls of a provider with
 * requests that fail, such as those that always exceed the time limit.
 */
export interface FailureBudget {
  /** Throws `RATE_LIMIT_EXCEEDED` if the account has used up its budget. */
  require(userId: string): void
  count(userId: string): void
}

export interface FailureBudgetOptions extends Pick<RateLimitOptions, 'failures' | 'failuresPerMinute'> {
  readonly clock: Clock
  /** Counts the failures. A node learns of those of other nodes with its own next failure of the account. */
  readonly rateLimiter: RateLimiter
}

export function createFailureBudget({
  clock,
  rateLimiter,
  failures = 60,
  failuresPerMinute = 1,
}: FailureBudgetOptions): FailureBudget {
  const blocked = new BlockedKeys(clock)
  const limit = failures ?? 0
  const windowMs = Math.ceil((limit * 60_000) / failuresPerMinute)

  async function take(userId: string): Promise<void> {
    const { remaining, resetMs } = await rateLimiter.take(`failures ${userId}`, { limit, windowMs })
    if (remaining === 0) blocked.block(userId, resetMs)
  }

  return {
    require(userId) {
      const waitMs = blocked.waitOf(userId, windowMs)
      if (waitMs > 0) throw exceeded(waitMs)
    },
    count(userId) {
      if (limit > 0) void take(userId)
    },
  }
}

function exceeded(retryAfterMs: number): FairleadError {
  const seconds = Math.ceil(retryAfterMs / 1_000)
  return new FairleadError(
    'RATE_LIMIT_EXCEEDED',
    `Too many calls of this account timed out or were cut off, and the provider may bill them. Try again in ${seconds} s.`,
    { retryAfterMs },
  )
}
