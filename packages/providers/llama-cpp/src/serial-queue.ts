/** Runs one call at a time, in order of arrival. Core limits how many wait. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve()

  /** Runs the work when all before it has ended, unless the signal aborts earlier. */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last
    const { promise: turn, resolve: endTurn } = Promise.withResolvers<void>()
    this.#last = before.then(() => turn)
    try {
      await raceAbort(before, signal)
      return await work()
    } finally {
      endTurn()
    }
  }

  /** Resolves when no call runs or waits. */
  idle(): Promise<void> {
    return this.#last
  }
}

/** Rejects when the signal aborts; the work itself continues. */
export function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
