import { AsyncLocalStorage } from 'node:async_hooks'

/** Work that waits for its turn on the connection. */
export interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  outcome?: Outcome
}

/** One piece of work. */
export interface Job extends Waiting {
  readonly work: () => Promise<unknown>
  readonly isDurable: boolean
  /** Ends the wait for the work; set while it runs. */
  finish?: ((outcome: Outcome) => void) | undefined
}

/** What a transaction of jobs consists of. */
export interface Steps {
  /** A promise if the lock of the database is not available at once. */
  begin(): Promise<void> | undefined
  /** Before each job. */
  before?(): void
  after?(job: Job): void
  end(): void
}

type Outcome = { readonly result: unknown } | { readonly error: unknown }

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

/** Tells the caller what the work came to. Where the transaction failed, an error of the work itself says more. */
export function settle({ outcome, resolve, reject }: Waiting, failure?: { readonly error: unknown }): void {
  if (outcome && 'error' in outcome) reject(outcome.error)
  else if (failure) reject(failure.error)
  else resolve(outcome?.result)
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

/** Writes values at once, without promises. */
export interface Writer<Value, Result> {
  write(value: Value): Result
  /** Has the same effect with fewer statements, and returns a result for each, in their order. */
  writeAll(values: readonly Value[]): readonly Result[]
}

/** A value that waits to be written. */
export interface WriteAtOnce extends Waiting {
  readonly writer: Writer<unknown, unknown>
  readonly value: unknown
}

export interface AtOnceSteps {
  /** A promise only if another process holds the lock. */
  begin(): Promise<void> | undefined
  savepoint(): void
  /** Undoes what was done since the savepoint. */
  undo(): void
  release(): void
  commit(): void
  rollBack(): void
}

/** Commits the writes in one transaction, and settles them. A promise only if another process holds the lock. */
export function commitAtOnce(batch: readonly WriteAtOnce[], steps: AtOnceSteps): Promise<void> | undefined {
  try {
    const begun = steps.begin()
    if (begun) {
      return begun.then(
        () => runAndCommit(batch, steps),
        (error: unknown) => failAll(batch, steps, error),
      )
    }
  } catch (error) {
    failAll(batch, steps, error)
    return undefined
  }
  runAndCommit(batch, steps)
  return undefined
}

function runAndCommit(batch: readonly WriteAtOnce[], steps: AtOnceSteps): void {
  try {
    runAll(batch, steps)
    steps.commit()
  } catch (error) {
    return failAll(batch, steps, error)
  }
  for (const each of batch) settle(each)
}

function failAll(batch: readonly WriteAtOnce[], steps: AtOnceSteps, error: unknown): void {
  steps.rollBack()
  for (const each of batch) settle(each, { error })
}

/** If one of them fails, all are undone, and each is repeated with a savepoint of its own. */
function runAll(batch: readonly WriteAtOnce[], steps: AtOnceSteps): void {
  steps.savepoint()
  try {
    const [first, ...others] = batch
    if (first && others.length === 0) first.outcome = { result: first.writer.write(first.value) }
    else for (const [writer, writes] of Map.groupBy(batch, (each) => each.writer)) runTogether(writer, writes)
  } catch (error) {
    steps.undo()
    for (const each of batch) {
      each.outcome = { error }
      if (batch.length > 1) runAll([each], steps)
    }
  }
  steps.release()
}

function runTogether({ writeAll }: WriteAtOnce['writer'], writes: readonly WriteAtOnce[]): void {
  const results = writeAll(writes.map(({ value }) => value))
  writes.forEach((each, index) => (each.outcome = { result: results[index] }))
}
