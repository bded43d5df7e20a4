import type { ProviderFailure } from '../provider-error.ts'

/** The step after a failed attempt; `waitMs` is the delay before a retry on the same target. */
export type NextStep = 'end' | 'next target' | 'next credential' | { readonly waitMs: number }

export interface FailedAttempt {
  /** Undefined for an error that violates the provider contract. */
  readonly failure: ProviderFailure | undefined
  /** Whether the upstream broke off in the middle of a whole answer, which it bills. */
  readonly isPaid: boolean
  /** As the provider reported it, unchecked. */
  readonly retryAfterMs: number | undefined
  /** Retries of this call on the target so far. */
  readonly retries: number
  /** Credentials of the target that this call has tried so far. */
  readonly credentials: number
  /** Whether another target is available. */
  readonly hasOther: boolean
  /** Time left for the call. */
  readonly remainingMs: number
}

export interface RetryRules {
  /** Maximum retries of one call on the same target. */
  readonly perTarget: number
  readonly budget: RetryBudget
  /** From 0 to 1. */
  readonly random: () => number
}

/** The longest delay before a retry on the same target. */
const maxDelayMs = 2_000

/** Stops a call to a provider that always offers another credential. */
const maxCredentials = 8

export function afterFailure(attempt: FailedAttempt, rules: RetryRules): NextStep {
  const { failure, isPaid, retryAfterMs, credentials } = attempt
  // Another attempt would be paid for again.
  if (isPaid) return 'end'
  switch (failure) {
    case 'invalid_request':
    case 'content_refused':
      return 'end'
    case 'credential':
    case 'rate_limited':
      if (retryAfterMs === 0 && credentials < maxCredentials) return 'next credential'
      return failure === 'credential' ? 'next target' : retryOrMoveOn(attempt, rules)
    case 'retry':
      return retryOrMoveOn(attempt, rules)
    default:
      return 'next target'
  }
}

function retryOrMoveOn(attempt: FailedAttempt, { perTarget, budget, random }: RetryRules): NextStep {
  const { failure, retries, hasOther, remainingMs } = attempt
  const retryAfterMs = validRetryAfterMs(attempt.retryAfterMs)
  if (retries >= perTarget) return 'next target'
  if (hasOther && (retryAfterMs !== undefined || failure === 'rate_limited')) return 'next target'
  // A caller is not held for longer: it gets the delay, and may do something else.
  if (retryAfterMs !== undefined && retryAfterMs > maxDelayMs) return 'next target'
  const waitMs = (retryAfterMs ?? 0) + fullJitterMs(retries, random)
  return waitMs < remainingMs && budget.spend() ? { waitMs } : 'next target'
}

/** The delay that an upstream requests; undefined if there is none or it is invalid. */
export function validRetryAfterMs(retryAfterMs: number | undefined): number | undefined {
  if (retryAfterMs === undefined || !Number.isFinite(retryAfterMs) || retryAfterMs <= 0) return undefined
  return Math.ceil(retryAfterMs)
}

const maxTokens = 10

export type RetryBudget = ReturnType<typeof createRetryBudget>

/**
 * Limits the load that retries add to a failing provider. Each call adds a share of a token to a bucket of ten, and each
 * retry takes one. So `n` calls have at most `10 + share × n` retries, at any rate of calls ("retry throttling": gRPC A6).
 *
 * @param share retries for each call, from 0 to 1; 0 allows none, not even the first ten
 */
export function createRetryBudget(share: number) {
  let tokens = maxTokens
  return {
    /** Adds the share of one call. */
    earn(): void {
      tokens = Math.min(maxTokens, tokens + share)
    },
    /** Takes one token; false if there is none. */
    spend(): boolean {
      if (share === 0 || tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}

const baseMs = 100

/**
 * A random delay up to a bound that doubles with each retry, so that calls that failed together are not retried together
 * ("full jitter": AWS Architecture Blog, Exponential Backoff and Jitter).
 */
function fullJitterMs(retries: number, random: () => number): number {
  return Math.round(random() * Math.min(maxDelayMs, baseMs * 2 ** retries))
}
