import type { Clock } from './clock.ts'

/** A signal for one piece of work. It aborts with the caller's signal, at the deadline, or by `end`. */
export interface Deadline {
  readonly signal: AbortSignal
  /** The original deadline, in milliseconds since the epoch. */
  readonly at: number
  /**
   * Settles as the work does, or rejects with the reason of the abort, so that work that ignores its signal cannot hang a
   * call. One piece of work at a time.
   */
  race<Result>(work: Promise<Result>): Promise<Result>
  /** Calls `act` when the signal aborts, after its listeners; immediately if it has aborted. */
  whenAborted(act: () => void): void
  /** Sets the deadline to a time from now, in milliseconds. */
  restart(ms: number): void
  /** Cancels the timer and stops following the caller's signal. */
  clear(): void
  /** Clears, and aborts. */
  end(reason?: unknown): void
}

/**
 * @param ms `Infinity` for no deadline, unless it is restarted
 * @param timeoutError creates the reason of the abort after so many milliseconds
 */
export function setDeadline(
  clock: Clock,
  ms: number,
  caller: AbortSignal,
  timeoutError: (ms: number) => Error,
): Deadline {
  const controller = new AbortController()
  const { signal } = controller
  /** Called directly, because an abort listener for each race costs more than the rest of this function. */
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
  let allowedMs = ms
  let dueAt = at
  let timerAt = at
  let cancel = ms === Infinity ? noTimer : clock.schedule(ms, onTimer)
  /** A deadline that was postponed is scheduled again here, so that postponing it needs no new timer. */
  function onTimer(): void {
    if (dueAt > timerAt) reschedule()
    else abort(timeoutError(allowedMs))
  }
  function reschedule(): void {
    cancel()
    timerAt = dueAt
    cancel = clock.schedule(Math.max(0, dueAt - clock.now()), onTimer)
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
        // Always attached, because an unhandled rejection would end the process.
        work.then(resolve, reject)
      }),
    whenAborted(act) {
      if (signal.aborted) act()
      else acts.push(act)
    },
    restart(fromNowMs) {
      allowedMs = fromNowMs
      dueAt = clock.now() + fromNowMs
      if (dueAt < timerAt) reschedule()
    },
    clear,
    end(reason) {
      clear()
      abort(reason)
    },
  }
}

function noTimer(): void {}

/** Settles as the work does, or rejects with the abort's reason as soon as the signal aborts. */
export function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    // Always attached, because an unhandled rejection would end the process.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
