import { FairleadError, type Log } from '@fairlead/core'

export interface CircuitBreakerOptions {
  /** Whether an error says that the server cannot be used, rather than that one statement failed. */
  isOutage(error: unknown): boolean
  /** Whether such an error is a statement that the server did not respond to at all: one of these opens the circuit. */
  isSilence(error: unknown): boolean
  /** Runs a cheap statement. */
  probe(): Promise<unknown>
  /** Time between two probes while the circuit is open, in milliseconds. */
  readonly probeIntervalMs: number
  /** Gets one line when the circuit opens and one when it closes. */
  readonly log?: Pick<Log, 'warn'> | undefined
}

/** Lost or refused connections in a row, without a success between them, that open the circuit. */
const maxOutages = 3

/**
 * Opens after a few outages in a row, or one statement without a response, and closes when a probe succeeds. No request is a
 * probe: while the circuit is open, every request is rejected immediately.
 */
export function createCircuitBreaker({ isOutage, isSilence, probe, probeIntervalMs, log }: CircuitBreakerOptions) {
  let outages = 0
  let isOpen = false
  let isClosing = false
  let timer: NodeJS.Timeout | undefined
  /** Counts how often the circuit closed: a time-out of work that began before says nothing about the server now. */
  let generation = 0
  /** One lost connection can fail many calls that share a statement; it counts once. */
  const counted = new WeakSet<object>()

  function open(error: unknown): void {
    isOpen = true
    log?.warn({ error }, 'database unavailable: circuit breaker opened, rejecting requests until it is available again')
    scheduleProbe()
  }

  function closeCircuit(): void {
    isOpen = false
    outages = 0
    generation += 1
    log?.warn({}, 'database available again: circuit breaker closed')
  }

  function scheduleProbe(): void {
    if (!isClosing) timer = setTimeout(() => void runProbe(), probeIntervalMs).unref()
  }

  async function runProbe(): Promise<void> {
    try {
      await probe()
    } catch (error) {
      // Any other error is a response of the server.
      if (isOutage(error)) return scheduleProbe()
    }
    closeCircuit()
  }

  function note(error: unknown, startedIn: number): void {
    // An error of this process, such as a full pool, says nothing about the server.
    if (error instanceof FairleadError) return
    if (!isOutage(error)) return void (outages = 0)
    if (isOpen || startedIn !== generation || counted.has(error as object)) return
    counted.add(error as object)
    outages += 1
    if (outages >= maxOutages || isSilence(error)) open(error)
  }

  return {
    /** Runs the work; rejects with `SERVICE_UNAVAILABLE` immediately while the circuit is open. */
    async execute<Result>(work: () => Promise<Result>): Promise<Result> {
      if (isOpen) throw unavailable(probeIntervalMs)
      const startedIn = generation
      try {
        const result = await work()
        outages = 0
        return result
      } catch (error) {
        note(error, startedIn)
        throw error
      }
    },
    /** Stops the probes. */
    close() {
      isClosing = true
      clearTimeout(timer)
    },
  }
}

/** Without a cause, so that the log does not repeat for each request what the breaker logged once. */
function unavailable(retryAfterMs: number): FairleadError {
  return new FairleadError('SERVICE_UNAVAILABLE', 'The database is not available right now.', { retryAfterMs })
}
