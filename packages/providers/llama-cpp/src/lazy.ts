/** A lazy value that is created once. A failure is not kept: the next call tries again. */
export class Lazy<Result> {
  readonly #work: () => Promise<Result>
  /** Undefined before the first `get()`. */
  pending: Promise<Result> | undefined

  constructor(work: () => Promise<Result>) {
    this.#work = work
  }

  get(): Promise<Result> {
    return (this.pending ??= this.#work().catch((error) => {
      this.pending = undefined
      throw error
    }))
  }
}
