import type { Clock } from './clock.ts'
import { FairleadError } from './errors.ts'
import type { RateLimiter, RateLimitOptions } from './rate-limit.ts'

/**
 * The failures of an account that are free although a provider may bill them. Nobody can buy calls of a provider with
 * requests that fail, such as those that always exceed the time limit.
 */
export interface FailureBudget {
  /** Throws `RATE_LIMIT_EXCEEDED` if the account has used up its budget. */
  require(userId: string): void
  /** Counts a failure of the account. */
  count(userId: string): void
}

export interface FailureBudgetOptions extends Pick<RateLimitOptions, 'failures' | 'failuresPerMinute'> {
  readonly clock: Clock
  /** Counts the failures. A node learns of those of other nodes with its own next failure of the account. */
  readonly rateLimiter: RateLimiter
}

/** More accounts than use up their budgets at the same time. The one that was blocked first is let through. */
const maxBlocked = 100_000

export function createFailureBudget({
  clock,
  rateLimiter,
  failures = 60,
  failuresPerMinute = 1,
}: FailureBudgetOptions): FailureBudget {
  /** When the budget of an account has room again. Only accounts without any left are listed. */
  const blockedUntil = new Map<string, number>()
  const limit = failures ?? 0
  const windowMs = (limit * 60_000) / failuresPerMinute

  async function take(userId: string): Promise<void> {
    const { remaining, resetMs } = await rateLimiter.take(`failures ${userId}`, { limit, windowMs })
    if (remaining > 0) return
    blockedUntil.set(userId, clock.now() + resetMs)
    const [first] = blockedUntil.keys()
    if (blockedUntil.size > maxBlocked && first !== undefined) blockedUntil.delete(first)
  }

  return {
    require(userId) {
      const until = blockedUntil.size === 0 ? undefined : blockedUntil.get(userId)
      if (until === undefined) return
      // Setting the clock back must not block an account for longer than the budget takes to refill.
      const waitMs = Math.min(until - clock.now(), windowMs)
      if (waitMs > 0) throw exceeded(waitMs)
      blockedUntil.delete(userId)
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
