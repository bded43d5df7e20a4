/** Flushes of one log to its disk. */
export interface Flushes {
  /**
   * Resolves when all that was written before is on the disk. Whoever asks while a flush is under way shares the next:
   * that one may have begun too early. Rejects from a failure on: what the system could not write it forgets, and says
   * nothing of it at a later flush.
   */
  flush(): Promise<void>
  readonly hasFailed: boolean
  /** All that was written before came to the disk in another way. */
  forgetFailure(): void
}

export function createFlushes(flushLog: () => Promise<void>): Flushes {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined

  function begin(): Promise<void> {
    next = undefined
    return (last = attempt())
  }

  async function attempt(): Promise<void> {
    if (failure) throw failure.error
    try {
      await flushLog()
    } catch (error) {
      failure = { error }
      throw error
    }
  }

  return {
    flush: () => (next ??= last.then(begin, begin)),
    get hasFailed() {
      return failure !== undefined
    },
    forgetFailure: () => void (failure = undefined),
  }
}
