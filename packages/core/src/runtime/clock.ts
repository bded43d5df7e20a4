/** Time, passed in so that tests can turn it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `ring` once after that long, unless the returned function is called first. */
  schedule(ms: number, ring: () => void): () => void
}

/** The longest that one of Node's timers waits: told to wait longer, it rings at once. */
export const maxTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  now: Date.now,
  schedule(ms, ring) {
    let timer: NodeJS.Timeout
    const wait = (leftMs: number) => {
      if (leftMs <= maxTimerMs) timer = setTimeout(ring, leftMs)
      else timer = setTimeout(wait, maxTimerMs, leftMs - maxTimerMs)
    }
    wait(ms)
    return () => clearTimeout(timer)
  },
}

/**
 * How far the clocks of nodes, or of one node before and after a correction, may differ, in milliseconds. An instant that
 * lies further ahead was recorded while a clock was wrong.
 */
export const maxClockSkewMs = 300_000

/** Whether an instant was recorded by a clock that was wrong. */
export function isFuture(instant: number, now: number): boolean {
  return instant > now + maxClockSkewMs
}

/** Resolves after so long; rejects with the signal's reason as soon as that aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const leave = () => {
      cancel()
      reject(signal.reason)
    }
    const cancel = clock.schedule(ms, () => {
      signal.removeEventListener('abort', leave)
      resolve()
    })
    signal.addEventListener('abort', leave, { once: true })
  })
}

/** The result of work that has so many milliseconds, or an error that says so. The work itself goes on. */
export function withTimeout<Result>(work: () => Result | Promise<Result>, ms: number, clock: Clock): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const cancel = clock.schedule(ms, () => reject(new Error(`not done within ${ms} ms`)))
    // An async function: work that throws before it returns rejects as well.
    const begun = (async () => work())()
    begun.then(resolve, reject).finally(cancel)
  })
}
