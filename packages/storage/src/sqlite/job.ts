import { AsyncLocalStorage } from 'node:async_hooks'

/** The job in whose name the running code asks. */
const asking = new AsyncLocalStorage<Job>()

export function jobThatAsks(): Job | undefined {
  return asking.getStore()
}

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown }

/**
 * One piece of work on the connection, and what it came to. A class, because every request makes two of them: methods of
 * an object's own would cost more than its statements.
 */
export class Job<Result = unknown> {
  readonly #work: () => Promise<Result>
  readonly #resolve: (result: Result) => void
  readonly #reject: (error: unknown) => void
  /** Whether it counts as done only when it is on the disk. */
  readonly isDurable: boolean
  #end: (() => void) | undefined
  #outcome: Outcome<Result> | undefined

  constructor(
    work: () => Promise<Result>,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
    isDurable: boolean,
  ) {
    this.isDurable = isDurable
    this.#work = work
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Whether its work has begun and not ended. */
  get running(): boolean {
    return this.#end !== undefined
  }

  /** Whether its work has ended in an error. */
  get failed(): boolean {
    return this.#outcome !== undefined && 'error' in this.#outcome
  }

  /** Does the work; resolves, whatever comes of it. */
  run(): Promise<void> {
    return new Promise((end) => {
      this.#end = end
      asking.run(this as Job, this.#work).then(
        (result) => this.#close({ result }),
        (error: unknown) => this.#close({ error }),
      )
    })
  }

  /** Ends the wait for work that waits for something that is not the database. */
  cutOff(): void {
    this.#close({ error: new Error('a transaction awaited something other than its own methods') })
  }

  /** Tells whoever asked what the work came to. */
  tell(): void {
    if (this.#outcome && 'result' in this.#outcome) this.#resolve(this.#outcome.result)
    else this.#reject(this.#outcome?.error)
  }

  /** Tells whoever asked that the work is lost; its own error, where it has one, says more. */
  lose(error: unknown): void {
    this.#reject(this.#outcome && 'error' in this.#outcome ? this.#outcome.error : error)
  }

  #close(outcome: Outcome<Result>): void {
    const end = this.#end
    if (!end) return
    this.#end = undefined
    this.#outcome = outcome
    end()
  }
}
