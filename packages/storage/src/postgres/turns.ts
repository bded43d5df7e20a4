/** Returns a function that runs the work of one queue one after another, whatever becomes of the work before. */
export function createTurns() {
  /** The last work of each queue that has any. */
  const last = new Map<string, Promise<unknown>>()
  return async <Result>(queue: string, work: () => Promise<Result>): Promise<Result> => {
    const before = last.get(queue)
    const running = before ? before.then(work, work) : work()
    last.set(queue, running)
    try {
      return await running
    } finally {
      if (last.get(queue) === running) last.delete(queue)
    }
  }
}
