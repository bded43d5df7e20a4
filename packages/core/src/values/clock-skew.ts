/**
 * How far the clocks of nodes, or of one node before and after a correction, may differ, in milliseconds. An instant that
 * lies further ahead was recorded while a clock was wrong.
 */
export const maxClockSkewMs = 300_000

/** Whether an instant was recorded by a clock that was wrong. */
export function isFuture(instant: number, now: number): boolean {
  return instant > now + maxClockSkewMs
}
