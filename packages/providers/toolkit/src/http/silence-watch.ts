import type { Clock } from '@fairlead/core/provider'

/** Reports once when an expected event does not arrive in time. */
export interface SilenceWatch {
  /** From now on, the next event may take this long; `Infinity` for any time. */
  expect(what: string, withinMs: number): void
  stop(): void
}

/**
 * Moving a deadline needs no new timer: a timer that fires too early is set again for the remaining time.
 *
 * @param onSilence called with what did not arrive
 */
export function watchSilence(clock: Clock, onSilence: (what: string, withinMs: number) => void): SilenceWatch {
  let awaited = { what: '', withinMs: 0, dueAt: Infinity }
  let firesAt = Infinity
  let cancel = () => {}
  const schedule = (dueAt: number) => {
    cancel()
    firesAt = dueAt
    cancel = clock.schedule(Math.max(0, dueAt - clock.now()), onTimer)
  }
  function onTimer() {
    firesAt = Infinity
    if (awaited.dueAt === Infinity) return
    if (awaited.dueAt > clock.now()) schedule(awaited.dueAt)
    else onSilence(awaited.what, awaited.withinMs)
  }
  return {
    expect(what, withinMs) {
      const dueAt = clock.now() + withinMs
      awaited = { what, withinMs, dueAt }
      if (dueAt < firesAt) schedule(dueAt)
    },
    stop() {
      cancel()
      firesAt = Infinity
    },
  }
}
