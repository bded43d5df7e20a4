import { AsyncLocalStorage } from 'node:async_hooks'
import type { Outcome, Waiting } from './write-at-once.ts'

/** One piece of work. */
export interface Job extends Waiting {
  readonly work: () => Promise<unknown>
  readonly isDurable: boolean
  /** Ends the wait for the work; set while it runs. */
  finish?: ((outcome: Outcome) => void) | undefined
}

/** The steps of a transaction of jobs. */
export interface Steps {
  /** A promise if the lock of the database is not available at once. */
  begin(): Promise<void> | undefined
  /** Before each job. */
  before?(): void
  after?(job: Job): void
  end(): void
}

/** The job that the calling code belongs to. */
export const currentJob = new AsyncLocalStorage<Job>()

/** Does the work; resolves in any case. */
export function run(job: Job): Promise<void> {
  return new Promise((resolve) => {
    job.finish = (outcome) => {
      job.finish = undefined
      job.outcome = outcome
      resolve()
    }
    currentJob.run(job, job.work).then(
      (result) => job.finish?.({ result }),
      (error: unknown) => job.finish?.({ error }),
    )
  })
}

/** Calls back in every turn of the event loop, from the next one on; returns how to stop. */
export function everyTurn(act: () => void): () => void {
  let immediate = setImmediate(repeat)
  function repeat(): void {
    act()
    immediate = setImmediate(repeat)
  }
  return () => clearImmediate(immediate)
}
