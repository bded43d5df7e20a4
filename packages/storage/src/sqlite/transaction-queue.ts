import type { DatabaseSync } from 'node:sqlite'
import { FairleadError } from '@fairlead/core'
import { createFlushes } from './flushes.ts'
import { Job, jobThatAsks } from './job.ts'
import { whenFree } from './patience.ts'
import { toStoreError } from './sqlite-failure.ts'

/** Runs work on one connection, one piece after the other. */
export interface TransactionQueue {
  /** Resolves when the work is kept durably. */
  write<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Resolves when the work is kept, whatever becomes of this process. A power cut may take it back, unless something
   * durable came after it.
   */
  writeUnsynced<Result>(work: () => Promise<Result>): Promise<Result>
  /** Runs look-ups alone, which see what is committed, and leave no trace. */
  read<Result>(work: () => Promise<Result>): Promise<Result>
  /** Counts one more who waits for work that is queued already; throws where too much waits. */
  join(): void
  /** Throws unless the code that asks belongs to the piece of work that is running. */
  admit(): void
  /** Takes no more work; resolves when all that was queued has ended. */
  close(): Promise<void>
}

/** How long one transaction may keep the event loop from others, in milliseconds. */
const longestBatchMs = 8
/** How long writes wait for others to share a flush with: a turn lasts some tenths of a millisecond under load. */
const mostTurns = 8
const enoughWrites = 64
/** More than this waits only behind a store that is away. */
const mostWaiting = 10_000
const retryAfterMs = 1_000

/**
 * What was queued in one turn of the event loop, or in turns that follow on each other, commits as one transaction. Every
 * piece of work has a savepoint of its own, so that one that fails takes back only itself. Whoever asked for durable work,
 * or may have seen it, is told once the log was flushed; the event loop and what comes next wait for no disk.
 *
 * All that work may await is the connection, which answers at once: whatever is still running in the next turn of the
 * event loop waits for something else, perhaps for the queue itself, and is cut off.
 *
 * @param connection commits to its log, and leaves the flush to us: `synchronous` is `normal`
 */
export function createTransactionQueue(connection: DatabaseSync, flushLog: () => Promise<void>): TransactionQueue {
  const statement = {
    begin: connection.prepare('begin'),
    // Takes the lock, for which a look-up might otherwise have to wait in its midst.
    look: connection.prepare('select 1 from sqlite_schema limit 1'),
    beginWriting: connection.prepare('begin immediate'),
    commit: connection.prepare('commit'),
    rollback: connection.prepare('rollback'),
    savepoint: connection.prepare('savepoint job'),
    rollbackJob: connection.prepare('rollback to job'),
    release: connection.prepare('release job'),
  }
  let reads: Job[] = []
  let writes: Job[] = []
  /** Who waits for one of the writes that somebody else asked for. */
  let joined = 0
  /** Who waits for a flush of what is committed. */
  let unflushed = 0
  const flushes = createFlushes(flushLog)
  /** Settled once the disk has all that was committed to be durable. */
  let kept: Promise<void> = Promise.resolve()
  let running: Job | undefined
  let flushing: Promise<void> | undefined
  let closed = false

  function checkRoom(): void {
    if (jobThatAsks()?.running) {
      throw new Error('a transaction was asked for inside another one: it would wait for itself')
    }
    if (closed) throw unavailable('The database is closed.')
    if (reads.length + writes.length + joined + unflushed >= mostWaiting) {
      throw unavailable('Too much waits for the database right now.')
    }
  }

  function add<Result>(jobs: () => Job[], work: () => Promise<Result>, durable = false): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      checkRoom()
      jobs().push(new Job<Result>(work, resolve, (error) => reject(toStoreError(error)), durable) as Job)
      flushing ??= flush()
    })
  }

  async function flush(): Promise<void> {
    while (reads.length + writes.length > 0) {
      await gather()
      await readBatch()
      await writeBatch()
    }
    flushing = undefined
  }

  /** While one turn after the other brings more, they wait for each other: a flush to the disk costs more than a turn. */
  async function gather(): Promise<void> {
    for (let turn = 0; turn < mostTurns; turn++) {
      const before = writes.length + joined
      await nextTurn()
      const waiting = writes.length + joined
      if (waiting <= before || waiting >= enoughWrites) return
    }
  }

  async function readBatch(): Promise<void> {
    if (reads.length === 0) return
    const batch = reads
    reads = []
    const rest = await inTransaction(batch, {
      begin: () => whenFree(beginReading),
      perform: (job) => job.run(),
      end: rollBack,
      // What they saw must stand before they are told of it.
      tell: (done) => (unflushed > 0 ? tellOnceKept(done) : tellAll(done)),
    })
    reads = rest.concat(reads)
  }

  async function writeBatch(): Promise<void> {
    if (writes.length === 0) return
    const batch = writes
    const others = joined
    writes = []
    joined = 0
    const rest = await inTransaction(batch, {
      // The lock is taken at once: a transaction that asks for it later can not wait for it (SQLITE_BUSY).
      begin: () => whenFree(beginWriting, { meanwhile: readBatch }),
      perform: performInSavepoint,
      end: () => void statement.commit.run(),
      tell: (done) => tellWrites(done, others),
    })
    writes = rest.concat(writes)
  }

  function tellWrites(done: readonly Job[], others: number): void {
    const durable = done.filter((job) => job.durable)
    tellAll(done.filter((job) => !job.durable))
    if (durable.length === 0) return
    if (durable.some((job) => !job.failed)) {
      kept = flushes.flush().catch((cause: unknown) => {
        throw unavailable('The disk did not take what was written.', cause)
      })
    }
    tellOnceKept(durable, others)
  }

  function tellOnceKept(done: readonly Job[], others = 0): void {
    const waiting = done.length + others
    unflushed += waiting
    const settle = (how: (job: Job) => void) => {
      unflushed -= waiting
      for (const job of done) how(job)
    }
    kept.then(
      () => settle((job) => job.tell()),
      (error: unknown) => settle((job) => job.lose(error)),
    )
  }

  function tellAll(done: readonly Job[]): void {
    for (const job of done) job.tell()
  }

  /** Performs as many as there is time for, in one transaction, and returns the others. */
  async function inTransaction(batch: readonly Job[], steps: Steps): Promise<Job[]> {
    let done = 0
    try {
      await steps.begin()
      const watch = watchTurns(() => running?.cutOff())
      const endAt = performance.now() + longestBatchMs
      try {
        while (done < batch.length && (done === 0 || performance.now() < endAt)) {
          running = batch[done++]
          if (running) await steps.perform(running)
        }
      } finally {
        running = undefined
        watch.stop()
      }
      steps.end()
      steps.tell(batch.slice(0, done))
    } catch (error) {
      rollBack()
      // Where the lock was not to be had, nobody's is.
      if (done === 0) done = batch.length
      for (const job of batch.slice(0, done)) job.lose(error)
    }
    return batch.slice(done)
  }

  async function performInSavepoint(job: Job): Promise<void> {
    statement.savepoint.run()
    await job.run()
    if (job.failed) {
      // A full disk may have ended the whole transaction; then nobody's work was kept.
      if (!connection.isTransaction) throw unavailable('The database took a transaction back.')
      statement.rollbackJob.run()
    }
    statement.release.run()
  }

  function beginReading(): void {
    leaveBroken()
    statement.begin.run()
    try {
      statement.look.get()
    } catch (error) {
      rollBack()
      throw error
    }
  }

  function beginWriting(): void {
    leaveBroken()
    if (flushes.hasFailed) checkpoint()
    statement.beginWriting.run()
  }

  /** Brings all that was committed into the database itself, past the log that could not be flushed. */
  function checkpoint(): void {
    const { busy } = connection.prepare('pragma wal_checkpoint(truncate)').get() ?? {}
    if (busy !== 0) throw unavailable('The disk did not take what was written before.')
    flushes.forgetFailure()
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
    write: (work) => add(() => writes, work, true),
    writeUnsynced: (work) => add(() => writes, work),
    read: (work) => add(() => reads, work),
    join() {
      checkRoom()
      joined += 1
    },
    admit() {
      const job = jobThatAsks()
      if (!running || job !== running) throw new Error('a transaction was used outside of its own work')
    },
    async close() {
      closed = true
      await flushing
      await kept.catch(() => {})
    },
  }
}

interface Steps {
  begin(): Promise<void>
  perform(job: Job): Promise<void>
  end(): void
  /** Tells those who asked, in their order, now or later. */
  tell(done: readonly Job[]): void
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Calls back in every turn of the event loop from the next one on. */
function watchTurns(act: () => void): { stop(): void } {
  let turn = setImmediate(look)
  function look(): void {
    act()
    turn = setImmediate(look)
  }
  return { stop: () => clearImmediate(turn) }
}

function unavailable(message: string, cause?: unknown): FairleadError {
  return new FairleadError('SERVICE_UNAVAILABLE', message, { retryAfterMs, cause })
}
