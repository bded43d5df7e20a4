import { systemClock } from '@fairlead/core'
import { CircuitBreaker, type CircuitBreakerOptions, withTimeout } from '@fairlead/core/stores'

export interface GuardOptions extends Pick<CircuitBreakerOptions, 'probe' | 'probeIntervalMs' | 'onOpen' | 'onClose'> {
  /** Timeout of one command, in milliseconds. */
  readonly timeoutMs: number
}

/** A few slow commands are no outage: five must fail in a row. */
const maxFailures = 5

/**
 * Runs the commands of a store that may be unavailable or frozen. A few requests wait for the timeout; then the circuit
 * opens, and none does until a probe succeeds.
 */
export function createGuard({ timeoutMs, probe, ...options }: GuardOptions) {
  const breaker = new CircuitBreaker({
    ...options,
    name: 'The cache',
    clock: systemClock,
    maxFailures,
    probe: () => withTimeout(probe, timeoutMs, systemClock),
  })
  return {
    /** Resolves to undefined if the command fails or times out, or while the circuit is open. */
    async run<Result>(command: () => Promise<Result>): Promise<Result | undefined> {
      if (breaker.isOpen) return undefined
      try {
        return await breaker.execute(() => withTimeout(command, timeoutMs, systemClock))
      } catch {
        return undefined
      }
    },
    stop: () => breaker.stop(),
  }
}
