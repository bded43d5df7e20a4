import type { Clock } from './clock.ts'

/** Counts the runs in progress, so that stores are closed only after them. */
export interface InFlight {
  /** Marks the beginning of a run, and returns a function that marks its end. Calling that function again has no effect. */
  begin(): () => void
  /** Resolves when no run is in progress, or after `timeoutMs` milliseconds. */
  idle(timeoutMs: number): Promise<void>
}

export function createInFlight(clock: Clock): InFlight {
  let running = 0
  const waiting = new Set<() => void>()
  return {
    begin() {
      running++
      let hasEnded = false
      return () => {
        if (hasEnded) return
        hasEnded = true
        running--
        if (running === 0) for (const resolve of waiting) resolve()
      }
    },
    async idle(timeoutMs) {
      if (running === 0) return
      await new Promise<void>((resolve) => {
        const cancel = clock.schedule(timeoutMs, resolve)
        waiting.add(() => {
          cancel()
          resolve()
        })
      })
    },
  }
}
