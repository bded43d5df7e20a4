import type { Clock } from '../runtime/clock.ts'

/** A clock that moves only when told to. */
export interface TestClock extends Clock {
  /** Moves time on, ringing the timers on the way in their order. */
  advance(ms: number): void
  /** Sets the time, ringing nothing: clocks of machines do jump. */
  jumpTo(instant: number | string): void
}

export function testClock(start: number | string = '2026-03-14T09:26:53.589Z'): TestClock {
  let now = new Date(start).getTime()
  let timers: { readonly at: number; readonly ring: () => void }[] = []
  return {
    now: () => now,
    schedule(ms, ring) {
      const timer = { at: now + ms, ring }
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
        next.ring()
      }
      now = end
    },
    jumpTo(instant) {
      now = new Date(instant).getTime()
    },
  }
}
