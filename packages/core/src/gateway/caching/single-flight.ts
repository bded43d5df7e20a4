import type { Caller } from '../../runtime/access.ts'
import type { ModelCall, NativeRequest } from '../../runtime/run/run-options.ts'
import type { Issue } from '../../runtime/errors.ts'
import { Task } from '../../runtime/run/task.ts'
import type { AttemptOwner } from '../routing/attempt.ts'

/** Runs work once for all calls that ask for it at the same time. */
export class SingleFlight<Result> {
  readonly #inFlight = new Map<string, Flight<Result>>()

  /** Joins the work in flight under that name, or starts it. */
  join(name: string, call: AttemptOwner, start: (flight: Flight<Result>) => Promise<Result>): Waiter<Result> {
    const existing = this.#inFlight.get(name)
    const flight = existing ?? new Flight(name, call, this.#inFlight)
    if (!existing) {
      this.#inFlight.set(name, flight)
      // Started in a microtask, so that `close` finds its flight even if the work calls it at once.
      flight.result = Promise.resolve().then(() => start(flight))
      flight.result.catch(() => flight.close())
    }
    return new Waiter(flight, call, existing === undefined)
  }
}

/** Work that several calls wait for, and which owns its attempts. It is aborted when the last of its waiters leaves. */
export class Flight<Result> extends Task implements AttemptOwner {
  readonly requestId: string
  readonly native: NativeRequest | undefined
  readonly caller: Caller
  result!: Promise<Result>
  waiters = 0
  /** Which provider was called so far; undefined before the first call. */
  attempts: Partial<ModelCall> | undefined = undefined
  readonly #name: string
  /** The call that it was started for, which pays. */
  readonly #first: AttemptOwner
  readonly #inFlight: Map<string, Flight<Result>>

  constructor(name: string, first: AttemptOwner, inFlight: Map<string, Flight<Result>>) {
    super()
    this.requestId = first.requestId
    this.native = first.native
    this.caller = first.caller
    this.#name = name
    this.#first = first
    this.#inFlight = inFlight
  }

  get signal(): AbortSignal {
    return this.openSignal()
  }

  /** The provider and the attempts are recorded for all waiters, the cost only for the first one. */
  note(facts: Partial<ModelCall>): void {
    if (facts.attempts !== undefined) this.attempts = facts
    this.#first.note(facts)
  }

  warn(issues: readonly Issue[]): void {
    this.#first.warn(issues)
  }

  /** No further call joins. */
  close(): void {
    if (this.#inFlight.get(this.#name) === this) this.#inFlight.delete(this.#name)
  }
}

/** One call that waits for a flight. It leaves when it is aborted, as the call is. */
export class Waiter<Result> extends Task {
  /** Whether the work was started for this call. */
  readonly isFirst: boolean
  readonly #flight: Flight<Result>
  readonly #call: AttemptOwner

  constructor(flight: Flight<Result>, call: AttemptOwner, isFirst: boolean) {
    super()
    this.isFirst = isFirst
    this.#flight = flight
    this.#call = call
    flight.waiters++
  }

  /**
   * Waits for the result, and leaves if there is none. A call that leaves after a provider was called records the attempts,
   * because it is charged even if another call started the work.
   */
  async wait(): Promise<Result> {
    this.#call.follow(this)
    try {
      return await this.race(this.#flight.result)
    } catch (error) {
      const { attempts } = this.#flight
      if (attempts) this.#call.note(attempts)
      this.abort(error)
      throw error
    }
  }

  /** The work goes on while others wait for it. */
  override abort(reason: unknown): void {
    if (this.aborted) return
    super.abort(reason)
    this.#call.unfollow(this)
    this.#flight.waiters--
    if (this.#flight.waiters > 0) return
    this.#flight.close()
    this.#flight.abort(reason)
  }

  /** The call has all that it waited for. */
  end(): void {
    this.#call.unfollow(this)
  }
}
