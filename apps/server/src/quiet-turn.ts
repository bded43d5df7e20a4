import { setImmediate as nextTurn } from 'node:timers/promises'

/** A turn of the event loop that took no longer found next to nothing to do, in milliseconds. */
const quietMs = 0.1
/** How long to wait for such a turn in a busy process, in milliseconds. */
const longestWaitMs = 2_000

/**
 * Waits for a turn of the event loop in which nothing arrived. Right after it, for some microseconds, nothing that the
 * system has for this process is unread: no connection in a backlog, and no request on a connection that looks idle.
 *
 * @param arrivals counts what should not arrive in that turn
 * @returns whether there was such a turn in time
 */
export async function quietTurn(arrivals: () => number = () => 0): Promise<boolean> {
  const latest = performance.now() + longestWaitMs
  await nextTurn()
  for (;;) {
    const before = arrivals()
    const begun = performance.now()
    await nextTurn()
    const now = performance.now()
    if (arrivals() === before && now - begun < quietMs) return true
    if (now > latest) return false
  }
}
