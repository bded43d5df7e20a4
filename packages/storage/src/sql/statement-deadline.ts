/**
 * Keeps a statement from taking effect after its caller gave up. A server that was frozen executes, when it wakes, what it
 * was sent meanwhile.
 */
export interface StatementDeadline {
  /** By when, by the server's clock, a statement that is sent now must be executed; null while that clock is unknown. */
  next(): number | null
  /** Takes note of what the server's clock says, in milliseconds since the epoch. */
  learn(serverNow: number): void
}

/** @param timeoutMs less than the time after which the caller gives up */
export function createStatementDeadline(timeoutMs: number, now: () => number = Date.now): StatementDeadline {
  /** Learned anew from each response, so that neither clock has to be right. */
  let aheadMs: number | undefined
  return {
    next: () => (aheadMs === undefined ? null : now() + aheadMs + timeoutMs),
    learn(serverNow) {
      aheadMs = serverNow - now()
    },
  }
}
