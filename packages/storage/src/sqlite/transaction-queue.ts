import type { DatabaseSync } from 'node:sqlite'
import { FairleadError } from '@fairlead/core'
import type { TransactionOptions } from '@fairlead/core/stores'
import { currentJob, everyTurn, type Job, run, type Steps } from './jobs.ts'
import { isCorrupt, retryWhileBusy, toStoreError } from './sqlite-failure.ts'
import { type AtOnceSteps, commitAtOnce, settle, type Waiting, type WriteAtOnce, type Writer } from './write-at-once.ts'

/** How long the work of one transaction may block the event loop, in milliseconds. */
const maxBatchMs = 8
/** How soon work that is not durable is synced, in milliseconds: within 200, whatever else is queued. */
const syncDelayMs = 150
const maxWaiting = 10_000
/** Writes at once in a transaction. Each takes about 20 µs. */
const maxAtOnce = 200

/**
 * Runs work on one connection, one piece after the other, with group commit: what is queued in one turn of the event
 * loop commits as one transaction. Each piece of work has a savepoint, so that one that fails is rolled back alone.
 * Writes at once share a transaction with one savepoint, and each gets a savepoint if one of them fails.
 *
 * A transaction with durable work commits with `synchronous=FULL`: SQLite syncs its log before the commit returns, which
 * blocks the event loop for as long as the disk takes. All other work commits with `NORMAL`, without a sync, and a timer
 * syncs the log soon after.
 *
 * Work may await nothing but queries, which respond at once. Work that is still running in the next turn of the event
 * loop waits for something else, perhaps for the queue itself, and is rejected.
 *
 * @param connection in WAL mode
 * @param onCorrupt called once, when the file turns out to be damaged
 */
export function createTransactionQueue(connection: DatabaseSync, onCorrupt: (error: unknown) => void = () => {}) {
  const statement = {
    beginReading: connection.prepare('begin'),
    // Reads the state of the file now, for which a later query might have to wait.
    readState: connection.prepare('select 1 from sqlite_schema limit 1'),
    // Takes the write lock: a transaction that asks for it later cannot wait for it (SQLITE_BUSY).
    beginWriting: connection.prepare('begin immediate'),
    commit: connection.prepare('commit'),
    rollback: connection.prepare('rollback'),
    savepoint: connection.prepare('savepoint job'),
    rollbackJob: connection.prepare('rollback to job'),
    release: connection.prepare('release job'),
    // A commit syncs only where it changes a page, and this always does. Nothing reads the number.
    changePage: connection.prepare('pragma user_version = 1'),
  }
  const atOnceSteps: AtOnceSteps = {
    begin: () => retryWhileBusy(() => beginWriting(false), runReads),
    savepoint: () => statement.savepoint.run(),
    undo: undoJob,
    release: () => statement.release.run(),
    commit,
    rollBack,
  }
  let reads: Job[] = []
  let writes: Job[] = []
  const writesAtOnce: WriteAtOnce[] = []
  let running: Job | undefined
  let isAwake = false
  let onIdle: (() => void) | undefined
  let syncTimer: NodeJS.Timeout | undefined
  let isFull: boolean | undefined
  let isClosed = false
  let isDamaged = false

  function explain(error: unknown): unknown {
    if (isCorrupt(error) && !isDamaged) {
      isDamaged = true
      onCorrupt(error)
    }
    return toStoreError(error)
  }

  function checkRoom(): void {
    if (currentJob.getStore()?.finish) {
      throw new Error('a transaction was opened inside another one: it would wait for itself')
    }
    if (isClosed) throw unavailable('The database is closed.')
    if (queued() >= maxWaiting) throw unavailable('Too many transactions wait for the database.')
  }

  function checkWritable(): void {
    // A backup that replaces a damaged file would not have what is written to it now.
    if (isDamaged) throw unavailable('The database is damaged.')
    checkRoom()
  }

  function queued(): number {
    return reads.length + writes.length + writesAtOnce.length
  }

  function enqueue<Result>(add: (waiting: Waiting) => void): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      add({ resolve: resolve as (result: unknown) => void, reject: (error) => reject(explain(error)) })
      wake()
    })
  }

  function wake(): void {
    if (isAwake) return
    isAwake = true
    setImmediate(runQueued)
  }

  /** Runs what was queued before this turn of the event loop. What every call writes needs no promise. */
  function runQueued(): void {
    const work = reads.length + writes.length > 0 ? runAll() : runWritesAtOnce()
    if (work) void work.then(goOn)
    else goOn()
  }

  function goOn(): void {
    isAwake = queued() > 0
    if (isAwake) setImmediate(runQueued)
    else onIdle?.()
  }

  async function runAll(): Promise<void> {
    if (reads.length > 0) await runReads()
    if (writesAtOnce.length > 0) await runWritesAtOnce()
    if (writes.length > 0) await runWrites()
  }

  async function runReads(): Promise<void> {
    if (reads.length === 0) return
    const batch = reads
    reads = []
    const rest = await inTransaction(batch, {
      begin: () => retryWhileBusy(beginReading),
      end: rollBack,
    })
    reads = rest.concat(reads)
  }

  async function runWrites(): Promise<void> {
    const batch = writes
    writes = []
    const mustSync = batch.some(({ isDurable }) => isDurable)
    const rest = await inTransaction(batch, {
      begin: () => retryWhileBusy(() => beginWriting(mustSync), runReads),
      before: () => statement.savepoint.run(),
      after: endSavepoint,
      end: commit,
    })
    writes = rest.concat(writes)
  }

  /** Runs as many jobs as there is time for in one transaction, and returns the others. */
  async function inTransaction(batch: readonly Job[], steps: Steps): Promise<Job[]> {
    let done = 0
    let stopWatching: (() => void) | undefined
    try {
      const begun = steps.begin()
      if (begun) await begun
      stopWatching = everyTurn(() => {
        running?.finish?.({ error: new Error('a transaction awaited something other than its own methods') })
      })
      const endAt = performance.now() + maxBatchMs
      while (done < batch.length && (done === 0 || performance.now() < endAt)) {
        running = batch[done++]!
        steps.before?.()
        await run(running)
        steps.after?.(running)
      }
      steps.end()
      for (const job of batch.slice(0, done)) settle(job)
    } catch (error) {
      rollBack()
      // Where the lock was not available, no job can have it.
      if (done === 0) done = batch.length
      for (const job of batch.slice(0, done)) settle(job, { error })
    } finally {
      running = undefined
      stopWatching?.()
    }
    return batch.slice(done)
  }

  /** A promise only if another process holds the lock. */
  function runWritesAtOnce(): Promise<void> | undefined {
    return commitAtOnce(writesAtOnce.splice(0, maxAtOnce), atOnceSteps)
  }

  /** Keeps what the job has done, or undoes it. */
  function endSavepoint({ outcome }: Job): void {
    if (!outcome || 'error' in outcome) undoJob()
    statement.release.run()
  }

  function undoJob(): void {
    // A full disk may have ended the whole transaction.
    if (!connection.isTransaction) throw unavailable('The database rolled a transaction back.')
    statement.rollbackJob.run()
  }

  function beginReading(): void {
    leaveBroken()
    statement.beginReading.run()
    try {
      statement.readState.get()
    } catch (error) {
      rollBack()
      throw error
    }
  }

  function beginWriting(mustSync: boolean): void {
    leaveBroken()
    // SQLite does not allow this inside a transaction.
    if (isFull !== mustSync) connection.exec(`pragma synchronous = ${mustSync ? 'full' : 'normal'}`)
    isFull = mustSync
    statement.beginWriting.run()
  }

  function commit(): void {
    statement.commit.run()
    if (!isFull) scheduleSync()
  }

  function scheduleSync(): void {
    syncTimer ??= setTimeout(() => void sync(), syncDelayMs).unref()
  }

  /** Makes everything durable that is committed. */
  async function sync(): Promise<void> {
    clearTimeout(syncTimer)
    syncTimer = undefined
    if (isDamaged) return
    await enqueue((waiting) =>
      writes.push({ ...waiting, work: async () => void statement.changePage.run(), isDurable: true }),
    ).catch(() => {
      // Other work reports why the disk fails.
      if (!isClosed) scheduleSync()
    })
  }

  /** A transaction that could not be rolled back when it failed must not become part of the next. */
  function leaveBroken(): void {
    if (connection.isTransaction) statement.rollback.run()
  }

  function rollBack(): void {
    try {
      leaveBroken()
    } catch {
      // Tried again before the next transaction, which fails where this does.
    }
  }

  return {
    /** Resolves when the work is committed: durably by default, so that a power failure cannot undo it. */
    async write<Result>(
      work: () => Promise<Result>,
      { durable = true }: Pick<TransactionOptions, 'durable'> = {},
    ): Promise<Result> {
      checkWritable()
      return enqueue((waiting) => writes.push({ ...waiting, work, isDurable: durable }))
    },
    /**
     * Resolves when the value is written and committed, but not yet durably. For the few statements of every call: a
     * writer writes all values that wait for it together, and needs no promise for each statement.
     */
    writeAtOnce<Value, Result>(writer: Writer<Value, Result>, value: Value): Promise<Result> {
      return enqueue((waiting) => {
        checkWritable()
        writesAtOnce.push({ ...waiting, writer: writer as Writer<unknown, unknown>, value })
      })
    },
    /** Runs queries that see only what is committed. Changes are rolled back. */
    async read<Result>(work: () => Promise<Result>): Promise<Result> {
      checkRoom()
      return enqueue((waiting) => reads.push({ ...waiting, work, isDurable: false }))
    },
    /** Throws unless the calling code belongs to the work that is running. */
    admit(): void {
      if (!running || currentJob.getStore() !== running)
        throw new Error('a transaction was used outside of its own work')
    },
    /** Takes no more work; resolves when everything that was queued has ended, and is durable. */
    async close(): Promise<void> {
      isClosed = true
      if (isAwake) await new Promise<void>((resolve) => (onIdle = resolve))
      if (syncTimer) await sync()
    },
  }
}

function unavailable(message: string): FairleadError {
  return new FairleadError('SERVICE_UNAVAILABLE', message, { retryAfterMs: 1_000 })
}
