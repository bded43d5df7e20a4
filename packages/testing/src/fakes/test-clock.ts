import type { Clock } from '@fairlead/core'

/** A clock that tests advance by hand. */
export interface TestClock extends Clock {
  /** Advances the time, and runs the timers that are due, in order. */
  advance(ms: number): void
  /** Sets the time without running timers, like a corrected system clock. */
  jumpTo(instant: number | string): void
}

export function testClock(start: number | string = '2026-03-14T09:26:53.589Z'): TestClock {
  let now = new Date(start).getTime()
  let timers: { readonly at: number; readonly run: () => void }[] = []
  return {
    now: () => now,
    schedule(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance(ms) {
      const end = now + ms
      while (true) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        timers = timers.filter((timer) => timer !== next)
        now = Math.max(now, next.at)
        next.run()
      }
      now = end
    },
    jumpTo(instant) {
      now = new Date(instant).getTime()
    },
  }
}
