import type { Cancel, Clock } from '../clock.ts'
import { FairleadError } from '../errors.ts'

/**
 * The server's state according to an error: it was not reached (`lost`), it did not respond to a command (`silent`), it
 * responded with the error (`answered`), or it is unknown, because the error arose in this process (`local`).
 */
export type ServerFailure = 'lost' | 'silent' | 'answered' | 'local'

export interface CircuitBreakerOptions {
  /** The server, as in `The database`. */
  readonly name: string
  readonly clock: Clock
  /** Failures in a row, without a success or an answer between them, that open the circuit. */
  readonly maxFailures: number
  /** Default: every error is a lost connection. */
  readonly classify?: (error: unknown) => ServerFailure
  /** Runs a cheap command that has a timeout. */
  readonly probe: () => Promise<unknown>
  /** Time between two probes while the circuit is open, in milliseconds. */
  readonly probeIntervalMs: number
  /** Called once when the circuit opens, not for each failure. */
  readonly onOpen: (error: unknown) => void
  readonly onClose: () => void
}

/**
 * The circuit breaker of a database or a cache. It opens after a few failures in a row, or one command without a response,
 * and closes when a probe succeeds. No request is a probe: while the circuit is open, every request is rejected at once.
 *
 * @example
 * const breaker = new CircuitBreaker({ name: 'The cache', clock: systemClock, maxFailures: 5, probe: () => client.ping(), probeIntervalMs: 1_000, onOpen, onClose })
 * await breaker.execute(() => client.get(key))
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions
  #failures = 0
  #isOpen = false
  #isStopped = false
  #cancelProbe: Cancel = () => {}
  /** Counts how often the circuit closed: a time-out of a command that began before says nothing about the server now. */
  #generation = 0
  /** One lost connection can fail many calls that share a command; it counts once. */
  readonly #counted = new WeakSet<object>()

  constructor(options: CircuitBreakerOptions) {
    this.#options = options
  }

  /** Whether `execute` rejects at once. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Runs the work; rejects with `SERVICE_UNAVAILABLE` at once while the circuit is open. */
  async execute<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isOpen) {
      // Without a cause, so that the log does not repeat for each request what was logged once.
      const { name, probeIntervalMs: retryAfterMs } = this.#options
      throw new FairleadError('SERVICE_UNAVAILABLE', `${name} is not available right now.`, { retryAfterMs })
    }
    const startedIn = this.#generation
    try {
      const result = await work()
      this.#failures = 0
      return result
    } catch (error) {
      this.#note(error, startedIn)
      throw error
    }
  }

  /** Stops the probes. */
  stop(): void {
    this.#isStopped = true
    this.#cancelProbe()
  }

  #note(error: unknown, startedIn: number): void {
    const failure = this.#classify(error)
    if (failure === 'answered') this.#failures = 0
    if (failure === 'answered' || failure === 'local') return
    if (this.#isOpen || startedIn !== this.#generation || this.#isCounted(error)) return
    this.#failures += 1
    if (failure === 'silent' || this.#failures >= this.#options.maxFailures) this.#open(error)
  }

  #classify(error: unknown): ServerFailure {
    return this.#options.classify?.(error) ?? 'lost'
  }

  #isCounted(error: unknown): boolean {
    if (typeof error !== 'object' || error === null) return false
    const isCounted = this.#counted.has(error)
    this.#counted.add(error)
    return isCounted
  }

  #open(error: unknown): void {
    this.#isOpen = true
    this.#options.onOpen(error)
    this.#scheduleProbe()
  }

  #scheduleProbe(): void {
    if (this.#isStopped) return
    this.#cancelProbe = this.#options.clock.schedule(this.#options.probeIntervalMs, () => void this.#probe())
    this.#cancelProbe.keepAlive?.(false)
  }

  async #probe(): Promise<void> {
    try {
      await this.#options.probe()
    } catch (error) {
      if (this.#classify(error) !== 'answered') return this.#scheduleProbe()
    }
    if (this.#isStopped) return
    this.#isOpen = false
    this.#failures = 0
    this.#generation += 1
    this.#options.onClose()
  }
}
