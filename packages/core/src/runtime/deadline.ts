import type { Clock } from './clock.ts'

/** A signal of its own for one piece of work: it aborts with the caller's signal, when the time is up, or when told. */
export interface Deadline {
  readonly signal: AbortSignal
  /** As it was set first, in milliseconds since the epoch. */
  readonly at: number
  /**
   * Settles as the work does, or rejects with the abort's reason: work that is deaf to its signal can't hang a call.
   * One piece of work at a time.
   */
  race<Result>(work: Promise<Result>): Promise<Result>
  /** Has this done when the signal aborts, after all who listen to it; at once where it has aborted already. */
  whenAborted(act: () => void): void
  /** Moves the deadline, to milliseconds since the epoch. */
  moveTo(at: number): void
  /** Forgets the alarm and the caller's signal. */
  clear(): void
  /** Clears, and aborts. */
  end(reason?: unknown): void
}

/** @param late makes the reason of an abort when the time is up */
export function setDeadline(clock: Clock, ms: number, caller: AbortSignal, late: () => Error): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  /** Who waits is told here: a listener on the signal for each wait costs more than all the rest. */
  let rejectRace: (reason: unknown) => void = () => {}
  const acts: (() => void)[] = []
  const abort = (reason: unknown) => {
    controller.abort(reason)
    rejectRace(signal.reason)
    for (const act of acts.splice(0)) act()
  }
  const follow = () => abort(caller.reason)
  if (caller.aborted) follow()
  else caller.addEventListener('abort', follow, { once: true })
  const at = clock.now() + ms
  let dueAt = at
  let ringsAt = at
  let cancel = clock.schedule(ms, ring)
  /** One that was moved away meanwhile rings again: most moves then cost no alarm. */
  function ring(): void {
    if (dueAt > ringsAt) rearm()
    else abort(late())
  }
  function rearm(): void {
    cancel()
    ringsAt = dueAt
    cancel = clock.schedule(Math.max(0, dueAt - clock.now()), ring)
  }
  const clear = () => {
    cancel()
    caller.removeEventListener('abort', follow)
  }
  return {
    signal,
    at,
    race: (work) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) reject(signal.reason)
        else rejectRace = reject
        // Attached in any case: the rejection of work that nobody waits for any more would end the process.
        work.then(resolve, reject)
      }),
    whenAborted(act) {
      if (signal.aborted) act()
      else acts.push(act)
    },
    moveTo(movedAt) {
      dueAt = movedAt
      if (dueAt < ringsAt) rearm()
    },
    clear,
    end(reason) {
      clear()
      abort(reason)
    },
  }
}

/** Settles as the work does, or rejects with the abort's reason as soon as the signal aborts. */
export function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    // Attached in any case: the rejection of work that nobody waits for any more would end the process.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
