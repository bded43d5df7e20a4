import type { Attempts } from '../routing/attempts.ts'

/** Work that several wait for: done once for all of them, and ended only when the last has left. */
export interface Flights<Result> {
  /** Joins the work of that name that is under way, or begins it. */
  board(name: string, begin: (flight: Departure) => Promise<Result>): Boarding<Result>
}

/** What the work is told. */
export interface Departure {
  /** Aborts when all have left. */
  readonly signal: AbortSignal
  /** To be called once nobody should join any more. A failure says so by itself. */
  land(): void
  /** Tells everyone who waits, should they leave early, which provider was asked. */
  note(attempts: Attempts): void
}

export interface Boarding<Result> {
  readonly result: Promise<Result>
  /** Whether the work began for this one. */
  readonly first: boolean
  /** Which provider was asked so far; undefined before the first. */
  attempts(): Attempts | undefined
  /** To be called by who no longer wants the result. */
  leave(reason: unknown): void
}

interface Flight<Result> {
  readonly result: Promise<Result>
  readonly controller: AbortController
  aboard: number
  attempts: Attempts | undefined
}

export function createFlights<Result>(): Flights<Result> {
  const flights = new Map<string, Flight<Result>>()

  function depart(name: string, begin: (flight: Departure) => Promise<Result>): Flight<Result> {
    const controller = new AbortController()
    const land = () => {
      if (flights.get(name) === flight) flights.delete(name)
    }
    const note = (attempts: Attempts) => void (flight.attempts = attempts)
    // Begun in a microtask, so that `land` finds its flight even where the work lands at once.
    const result = Promise.resolve().then(() => begin({ signal: controller.signal, land, note }))
    const flight: Flight<Result> = { result, controller, aboard: 0, attempts: undefined }
    flights.set(name, flight)
    result.catch(land)
    return flight
  }

  return {
    board(name, begin) {
      const known = flights.get(name)
      const flight = known ?? depart(name, begin)
      flight.aboard += 1
      let left = false
      return {
        result: flight.result,
        first: known === undefined,
        attempts: () => flight.attempts,
        leave(reason) {
          if (left) return
          left = true
          flight.aboard -= 1
          if (flight.aboard > 0) return
          if (flights.get(name) === flight) flights.delete(name)
          flight.controller.abort(reason)
        },
      }
    },
  }
}
