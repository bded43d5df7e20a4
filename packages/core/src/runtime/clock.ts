/** Time, passed in so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds since any moment, which no correction of the clock changes. Default: `now`. */
  monotonic?(): number
  /** Calls `callback` once after `ms` milliseconds, unless the returned function is called first. */
  schedule(ms: number, callback: () => void): Cancel
}

export interface Cancel {
  (): void
  /** Whether the process waits for the callback. Default: it does, and the clock cannot change that. */
  keepAlive?(isNeeded: boolean): void
}

/** The maximum delay of a Node.js timer. A longer one fires immediately. */
export const maxTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  schedule(ms, callback) {
    let timer: NodeJS.Timeout
    const wait = (leftMs: number) => {
      if (leftMs <= maxTimerMs) timer = setTimeout(callback, leftMs)
      else timer = setTimeout(wait, maxTimerMs, leftMs - maxTimerMs)
    }
    wait(ms)
    const keepAlive = (isNeeded: boolean) => void (isNeeded ? timer.ref() : timer.unref())
    return Object.assign(() => clearTimeout(timer), { keepAlive })
  },
}

/** The time of the monotonic clock, by which to measure how long something takes. */
export function monotonicNow(clock: Clock): number {
  return clock.monotonic ? clock.monotonic() : clock.now()
}

/** Maximum difference between the clocks of nodes, or of one before and after a correction, in milliseconds. */
export const maxClockSkewMs = 300_000

/** Whether a time is so far in the future that it was recorded while a clock was wrong. */
export function isFuture(instant: number, now: number): boolean {
  return instant > now + maxClockSkewMs
}

/** Resolves after `ms` milliseconds. Rejects with the signal's reason as soon as it aborts. Default: without a signal. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.schedule(ms, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Settles as the work does, or rejects after `ms` milliseconds. The work itself is not canceled. */
export function withTimeout<Result>(work: () => Result | Promise<Result>, ms: number, clock: Clock): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const cancel = clock.schedule(ms, () => reject(new Error(`not done within ${ms} ms`)))
    // An async function, so that work that throws synchronously rejects as well.
    const running = (async () => work())()
    running.then(resolve, reject).finally(cancel)
  })
}

/** Node before 23.9 knows only the time of all threads together. */
const cpuUsage: () => NodeJS.CpuUsage =
  'threadCpuUsage' in process ? () => process.threadCpuUsage() : () => process.cpuUsage()

/** The CPU time of this thread so far, in milliseconds: it does not pass while other programs have the processor. */
export function computingMs(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1_000
}
