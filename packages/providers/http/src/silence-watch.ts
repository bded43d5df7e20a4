import type { Clock } from '@fairlead/core/provider'

/** Rings once when what is waited for does not come. */
export interface SilenceWatch {
  /** From here on, the next thing may take that long. */
  expect(what: string, withinMs: number): void
  stop(): void
}

/**
 * Moving a deadline costs no timer: an alarm that rings too early is set again for what is left.
 *
 * @param onSilence told what did not come
 */
export function watchSilence(clock: Clock, onSilence: (what: string, withinMs: number) => void): SilenceWatch {
  let awaited = { what: '', withinMs: 0, dueAt: Infinity }
  let ringsAt = Infinity
  let cancel = () => {}
  const arm = (dueAt: number) => {
    cancel()
    ringsAt = dueAt
    cancel = clock.schedule(Math.max(0, dueAt - clock.now()), ring)
  }
  function ring() {
    ringsAt = Infinity
    if (awaited.dueAt > clock.now()) arm(awaited.dueAt)
    else onSilence(awaited.what, awaited.withinMs)
  }
  return {
    expect(what, withinMs) {
      const dueAt = clock.now() + withinMs
      awaited = { what, withinMs, dueAt }
      if (dueAt < ringsAt) arm(dueAt)
    },
    stop() {
      cancel()
      ringsAt = Infinity
    },
  }
}
