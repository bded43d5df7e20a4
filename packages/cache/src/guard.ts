import { type CircuitBreakerPolicy, CircuitState, circuitBreaker, ConsecutiveBreaker, handleAll } from 'cockatiel'
import { timeout, TimeoutStrategy, wrap } from 'cockatiel'

export interface GuardOptions {
  /** How long one piece of work may keep a request waiting, in milliseconds. */
  readonly deadlineMs: number
  /** How long nothing is tried after five failures in a row, in milliseconds. */
  readonly restMs: number
  /** Called once when the failures begin, and not for each of them. */
  readonly onUnavailable: (error: unknown) => void
  readonly onAvailable: () => void
}

/** Does the work; resolves to undefined where that fails, takes too long, or is not tried. */
export type Guard = <Result>(work: () => Promise<Result>) => Promise<Result | undefined>

const failuresInARow = 5

/**
 * Keeps requests from waiting for a store that is unavailable or frozen: it costs a few requests the deadline each, and
 * then nothing. From then on one request at a time tries it again.
 */
export function createGuard({ deadlineMs, restMs, ...listeners }: GuardOptions): Guard {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: restMs,
    breaker: new ConsecutiveBreaker(failuresInARow),
  })
  const guarded = wrap(breaker, timeout(deadlineMs, TimeoutStrategy.Aggressive))
  reportChanges(breaker, listeners)
  return async (work) => {
    // One request finds out whether the store is back; others need not wait for it.
    if (breaker.state === CircuitState.HalfOpen) return undefined
    try {
      return await guarded.execute(work)
    } catch {
      return undefined
    }
  }
}

/** A line in the log for each request would hide all others. */
function reportChanges(
  breaker: CircuitBreakerPolicy,
  { onUnavailable, onAvailable }: Pick<GuardOptions, 'onUnavailable' | 'onAvailable'>,
): void {
  let unavailable = false
  breaker.onBreak((reason) => {
    if (unavailable) return
    unavailable = true
    onUnavailable('error' in reason ? reason.error : undefined)
  })
  breaker.onReset(() => {
    unavailable = false
    onAvailable()
  })
}
