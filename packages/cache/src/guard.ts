import { CircuitState, circuitBreaker, ConsecutiveBreaker, handleAll, timeout, TimeoutStrategy, wrap } from 'cockatiel'

export interface GuardOptions {
  /** Timeout of one command, in milliseconds. */
  readonly deadlineMs: number
  /** How long the circuit stays open after five consecutive failures, in milliseconds. */
  readonly restMs: number
  /** Called once when the circuit opens, not for each failure. */
  readonly onUnavailable: (error: unknown) => void
  /** Called when the circuit closes. */
  readonly onAvailable: () => void
}

const consecutiveFailures = 5

/**
 * A circuit breaker with a timeout for a store that may be unavailable or frozen. A few requests wait for the timeout;
 * then the circuit opens, and one request at a time tries the store again.
 */
export function createGuard({ deadlineMs, restMs, onUnavailable, onAvailable }: GuardOptions) {
  const breaker = circuitBreaker(handleAll, {
    halfOpenAfter: restMs,
    breaker: new ConsecutiveBreaker(consecutiveFailures),
  })
  const guarded = wrap(breaker, timeout(deadlineMs, TimeoutStrategy.Aggressive))
  // Only changes are reported: one log line per request would bury all others.
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
  /** Runs a command. Resolves to undefined if it fails or times out, or if the circuit is open. */
  return async <Result>(command: () => Promise<Result>): Promise<Result | undefined> => {
    // One request probes the store; the others do not wait for its result.
    if (breaker.state === CircuitState.HalfOpen) return undefined
    try {
      return await guarded.execute(command)
    } catch {
      return undefined
    }
  }
}
