const tickMs = 10

/**
 * Rejects with an error that names what has not ended, if nothing changed for so long. A busy machine makes the time
 * longer: it consists of turns of the event loop, so that a process that had to wait for the processor is not blamed.
 *
 * @param changes grows while there is progress
 * @param describe names what has not ended
 */
export async function bounded<Value>(
  work: Promise<Value>,
  ms: number,
  describe: () => string,
  changes: () => number = () => 0,
): Promise<Value> {
  const late = Promise.withResolvers<never>()
  let [before, ticks] = [changes(), 0]
  const timer = setInterval(() => {
    const now = changes()
    ticks = now === before ? ticks + 1 : 0
    before = now
    if (ticks * tickMs >= ms) late.reject(new Error(`${describe()} after ${ms / 1_000} s`))
  }, tickMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearInterval(timer)
  }
}
