import { settle, type Waiting } from './jobs.ts'

/** A few statements, which run without a promise for each. */
export interface WriteAtOnce extends Waiting {
  write(): unknown
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
    for (const each of batch) each.outcome = { result: each.write() }
  } catch (error) {
    steps.undo()
    for (const each of batch) {
      each.outcome = { error }
      if (batch.length > 1) runAll([each], steps)
    }
  }
  steps.release()
}
