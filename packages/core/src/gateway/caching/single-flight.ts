import type { Attempts } from '../routing/attempts.ts'

/** Runs work once for all callers that ask for it at the same time, and aborts it when the last of them leaves. */
export interface SingleFlight<Result> {
  /** Joins the work in flight under that name, or starts it. */
  join(name: string, start: (work: SharedWork) => Promise<Result>): Waiter<Result>
}

/** The context of shared work. */
export interface SharedWork {
  /** Aborts when all waiters have left. */
  readonly signal: AbortSignal
  /** Called once no further caller should join. A rejection does the same. */
  close(): void
  /** Notes, for all waiters, which provider was called. */
  note(attempts: Attempts): void
}

/** One caller of shared work. */
export interface Waiter<Result> {
  readonly result: Promise<Result>
  /** Whether the work was started for this caller. */
  readonly first: boolean
  /** Which provider was called so far; undefined before the first call. */
  attempts(): Attempts | undefined
  /** Called by a caller that no longer wants the result. */
  leave(reason: unknown): void
}

interface Flight<Result> {
  readonly result: Promise<Result>
  readonly controller: AbortController
  waiters: number
  attempts: Attempts | undefined
}

export function createSingleFlight<Result>(): SingleFlight<Result> {
  const inFlight = new Map<string, Flight<Result>>()

  function open(name: string, start: (work: SharedWork) => Promise<Result>): Flight<Result> {
    const controller = new AbortController()
    const close = () => {
      if (inFlight.get(name) === flight) inFlight.delete(name)
    }
    const note = (attempts: Attempts) => void (flight.attempts = attempts)
    // Started in a microtask, so that `close` finds its flight even if the work calls it at once.
    const result = Promise.resolve().then(() => start({ signal: controller.signal, close, note }))
    const flight: Flight<Result> = { result, controller, waiters: 0, attempts: undefined }
    inFlight.set(name, flight)
    result.catch(close)
    return flight
  }

  return {
    join(name, start) {
      const known = inFlight.get(name)
      const flight = known ?? open(name, start)
      flight.waiters += 1
      let left = false
      return {
        result: flight.result,
        first: known === undefined,
        attempts: () => flight.attempts,
        leave(reason) {
          if (left) return
          left = true
          flight.waiters -= 1
          if (flight.waiters > 0) return
          if (inFlight.get(name) === flight) inFlight.delete(name)
          flight.controller.abort(reason)
        },
      }
    },
  }
}
