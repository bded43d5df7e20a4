/** A lazy value that is created once. A failure is not kept: the next call tries again. */
export class Once<Result> {
  readonly #work: () => Promise<Result>
  /** Undefined before the first `get()`. */
  begun: Promise<Result> | undefined

  constructor(work: () => Promise<Result>) {
    this.#work = work
  }

  get(): Promise<Result> {
    return (this.begun ??= this.#work().catch((error) => {
      this.begun = undefined
      throw error
    }))
  }
}
