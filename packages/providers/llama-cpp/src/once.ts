/** A lazy value that is created once. A failure is not kept: the next call tries again. */
export interface Once<Result> {
  get(): Promise<Result>
  /** Undefined before the first `get()`. */
  begun(): Promise<Result> | undefined
}

export function once<Result>(work: () => Promise<Result>): Once<Result> {
  let begun: Promise<Result> | undefined
  return {
    begun: () => begun,
    get() {
      if (!begun) {
        const attempt = work()
        begun = attempt
        attempt.catch(() => {
          if (begun === attempt) begun = undefined
        })
      }
      return begun
    },
  }
}
