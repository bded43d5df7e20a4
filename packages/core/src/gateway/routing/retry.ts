import type { Clock } from '../../runtime/clock.ts'
import type { ProviderFailure } from '../provider-error.ts'

/** What may follow a failed attempt: nothing, the next target, or the same one, with another credential or after a wait. */
export type Next = 'end' | 'move on' | 'next credential' | { readonly waitMs: number }

/** What the choice hangs on. */
export interface Standing {
  /** Undefined for an error that no provider should throw. */
  readonly failure: ProviderFailure | undefined
  /** As the provider said it; not to be trusted. */
  readonly retryAfterMs: number | undefined
  /** How often this target was asked again for this call. */
  readonly retries: number
  /** How often this target was asked again at once, with another credential. */
  readonly credentials: number
  /** Whether another target is left that takes calls. */
  readonly hasOther: boolean
  /** What is left of the call's time. */
  readonly leftMs: number
}

export interface RetryRules {
  /** How often one call may ask a target again. */
  readonly perTarget: number
  readonly budget: RetryBudget
  readonly random: () => number
}

/** A provider that always has one more credential would be asked for ever. */
const maxCredentials = 8

export function afterFailure(standing: Standing, rules: RetryRules): Next {
  const { failure, retryAfterMs, credentials } = standing
  switch (failure) {
    case 'invalid_request':
    case 'content_refused':
      return 'end'
    case 'credential':
    case 'rate_limited':
      if (retryAfterMs === 0 && credentials < maxCredentials) return 'next credential'
      return failure === 'credential' ? 'move on' : afterWait(standing, rules)
    case 'retry':
      return afterWait(standing, rules)
    // Whoever ran out of time had a good share of it, and what is unknown is not tried twice.
    default:
      return 'move on'
  }
}

function afterWait({ failure, retryAfterMs, retries, hasOther, leftMs }: Standing, rules: RetryRules): Next {
  const toldMs = saneWaitMs(retryAfterMs)
  if (retries >= rules.perTarget) return 'move on'
  if (hasOther && (toldMs !== undefined || failure === 'rate_limited')) return 'move on'
  const waitMs = (toldMs ?? 0) + fullJitterMs(retries, rules.random)
  return waitMs < leftMs && rules.budget.spend() ? { waitMs } : 'move on'
}

/** How long an upstream asks to be left alone; undefined where it did not say, or nothing that makes sense. */
export function saneWaitMs(retryAfterMs: number | undefined): number | undefined {
  if (retryAfterMs === undefined || !Number.isFinite(retryAfterMs) || retryAfterMs <= 0) return undefined
  return Math.ceil(retryAfterMs)
}

/**
 * Bounds how much load retries may add to a provider in trouble: a bucket that each call fills by a share of a token,
 * and each retry takes one from. A trickle of time keeps a service with few calls from having none.
 */
export interface RetryBudget {
  /** Called once for each call. */
  earn(): void
  /** Takes what one retry costs; false where nothing is left. */
  spend(): boolean
}

/** How many retries may be saved up, and are there at the start. */
const maxAnalysisTokens = 10
const tokensPerSecond = 1

/** @param share how many retries a call may have, over many calls */
export function createRetryBudget(clock: Clock, share: number): RetryBudget {
  let tokens = maxAnalysisTokens
  let filledAt = clock.now()
  return {
    earn() {
      tokens = Math.min(maxAnalysisTokens, tokens + share)
    },
    spend() {
      if (share === 0) return false
      const now = clock.now()
      const seconds = Math.max(0, now - filledAt) / 1_000
      filledAt = now
      tokens = Math.min(maxAnalysisTokens, tokens + seconds * tokensPerSecond)
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}

const baseMs = 100
const longestMs = 2_000

/**
 * How long to wait before a retry: any time up to a bound that doubles, so that callers who failed together don't come
 * back together ("full jitter": AWS Architecture Blog, Exponential Backoff and Jitter).
 *
 * @param retries how many there were before this one
 * @param random from 0 to 1
 */
function fullJitterMs(retries: number, random: () => number): number {
  return Math.round(random() * Math.min(longestMs, baseMs * 2 ** retries))
}
