import { FairleadError } from '../values/fairlead-error.ts'
import { chargedAccount, type Run } from './run-state.ts'
import type { Runtime } from './runtime.ts'

const windowMs = 60_000

/**
 * Counts a metered run towards the burst limit of its account's tier; refused with `RATE_LIMIT_EXCEEDED`. All credentials
 * of a user count together.
 */
export async function countBurst({ clock, rateLimiter, requestsPerMinute }: Runtime, run: Run): Promise<void> {
  const account = chargedAccount(run)
  const limit = account && requestsPerMinute[account.tier]
  if (!account || limit === undefined) return
  const { granted, remaining, resetMs } = await rateLimiter.take(account.userId, { limit, windowMs })
  run.burst = { limit, windowMs, remaining, resetAt: clock.now() + resetMs }
  if (granted) return
  const seconds = Math.ceil(resetMs / 1_000)
  throw new FairleadError(
    'RATE_LIMIT_EXCEEDED',
    `The limit of ${limit} requests a minute is reached. Try again in ${seconds} s.`,
    { retryAfterMs: resetMs },
  )
}
