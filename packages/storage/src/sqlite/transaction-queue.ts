import type { DatabaseSync } from 'node:sqlite'
import { FairleadError } from '@fairlead/core'
import { Job, jobThatAsks } from './job.ts'
import type { LogFile } from './log-file.ts'
import { whenFree } from './patience.ts'
import { isCorrupt, toStoreError } from './sqlite-failure.ts'

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
 * piece of work has a savepoint of its own, so that one that fails takes back only itself.
 *
 * Whoever asked for durable work, or may have seen it, is told once the log was flushed. The event loop waits for no disk,
 * nor does work that is not durable: durable work that comes during a flush waits for its end, to commit together and
 * share the next.
 *
 * All that work may await is the connection, which answers at once: whatever is still running in the next turn of the
 * event loop waits for something else, perhaps for the queue itself, and is cut off.
 *
 * Once the file has turned out to be damaged, no more is written to it: a backup that replaces it would not have that.
 *
 * @param connection commits to its log, and leaves the flush to us: `synchronous` is `normal`
 * @param onCorrupt called once, when the file turns out to be damaged
 */
export function createTransactionQueue(
  connection: DatabaseSync,
  log: Pick<LogFile, 'flush' | 'rewrite'>,
  onCorrupt: (error: unknown) => void = () => {},
): TransactionQueue {
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
  let unsynced: Job[] = []
  let durable: Job[] = []
  /** Who waits for one of the writes that somebody else asked for. */
  let joined = 0
  /** Who waits for a flush of what is committed. */
  let unflushed = 0
  /** The flush that is under way, or comes behind it; rejects where it or the one before fails. */
  let flush: Promise<void> | undefined
  /** Why no flush is believed: what the system could not write it forgets, and says nothing of it at a later one. */
  let doubt: FairleadError | undefined
  let running: Job | undefined
  let working: Promise<void> | undefined
  let closed = false
  let damaged = false

  function explain(error: unknown): unknown {
    if (isCorrupt(error) && !damaged) {
      damaged = true
      onCorrupt(error)
    }
    return toStoreError(error)
  }

  function checkRoom(): void {
    if (jobThatAsks()?.running) {
      throw new Error('a transaction was asked for inside another one: it would wait for itself')
    }
    if (closed) throw unavailable('The database is closed.')
    if (reads.length + unsynced.length + durable.length + joined + unflushed >= mostWaiting) {
      throw unavailable('Too much waits for the database right now.')
    }
  }

  function add<Result>(jobs: () => Job[], work: () => Promise<Result>, isDurable: boolean): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      checkRoom()
      jobs().push(new Job<Result>(work, resolve, (error) => reject(explain(error)), isDurable) as Job)
      begin()
    })
  }

  function addWrite<Result>(jobs: () => Job[], work: () => Promise<Result>, isDurable: boolean): Promise<Result> {
    if (damaged) return Promise.reject(unavailable('The database is damaged.'))
    return add(jobs, work, isDurable)
  }

  function begin(): void {
    if (canWork()) working ??= workOn()
  }

  function canWork(): boolean {
    return reads.length + unsynced.length > 0 || (durable.length > 0 && !flush)
  }

  async function workOn(): Promise<void> {
    while (canWork()) {
      await gather()
      await readBatch()
      await writeBatch()
    }
    working = undefined
  }

  /** While one turn after the other brings more, they wait for each other: a commit costs more than a turn. */
  async function gather(): Promise<void> {
    const waiting = () => unsynced.length + durable.length + joined
    for (let turn = 0; turn < mostTurns; turn++) {
      const before = waiting()
      await nextTurn()
      if (waiting() <= before || waiting() >= enoughWrites) return
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
      tell: (done) => tellAfter(flushBefore(), done),
    })
    reads = rest.concat(reads)
  }

  async function writeBatch(): Promise<void> {
    const batch = flush ? unsynced : unsynced.concat(durable)
    if (batch.length === 0) return
    const others = joined
    if (!flush) durable = []
    unsynced = []
    joined = 0
    const rest = await inTransaction(batch, {
      // The lock is taken at once: a transaction that asks for it later can not wait for it (SQLITE_BUSY).
      begin: () => whenFree(beginWriting, { meanwhile: readBatch }),
      perform: performInSavepoint,
      end: () => void statement.commit.run(),
      tell: (done) => tellWrites(done, others),
    })
    unsynced = rest.filter((job) => !job.isDurable).concat(unsynced)
    durable = rest.filter((job) => job.isDurable).concat(durable)
  }

  function tellWrites(done: readonly Job[], others: number): void {
    tellAll(done.filter((job) => !job.isDurable))
    const durableOnes = done.filter((job) => job.isDurable)
    tellAfter(durableOnes.some((job) => !job.failed) ? beginFlush() : flushBefore(), durableOnes, others)
  }

  function beginFlush(): Promise<void> {
    const flushed: Promise<void> = (flushBefore() ?? Promise.resolve()).then(log.flush).then(
      () => endFlush(flushed),
      (cause: unknown) => {
        doubt ??= unavailable('The disk did not take what was written.', cause)
        endFlush(flushed)
        throw doubt
      },
    )
    flush = flushed
    return flushed
  }

  /** Undefined where all that was committed to be kept is on the disk. */
  function flushBefore(): Promise<void> | undefined {
    return flush ?? (doubt && Promise.reject(doubt))
  }

  function endFlush(flushed: Promise<void>): void {
    if (flush === flushed) flush = undefined
    begin()
  }

  function tellAfter(flushed: Promise<void> | undefined, done: readonly Job[], others = 0): void {
    if (!flushed) return tellAll(done)
    const waiting = done.length + others
    unflushed += waiting
    const settle = (how: (job: Job) => void) => {
      unflushed -= waiting
      for (const job of done) how(job)
    }
    flushed.then(
      () => settle((job) => job.tell()),
      (error: unknown) => settle((job) => job.lose(error)),
    )
  }

  async function ended(): Promise<void> {
    const pending = working ?? flush?.catch(() => {})
    if (!pending) return
    await pending
    await ended()
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
    if (doubt && !flush) {
      // With the write lock alone may the log be written once more.
      beginWriting()
      statement.rollback.run()
    }
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
    statement.beginWriting.run()
    if (doubt && !flush) flushAgain()
  }

  /** Tries once more to have all flushed that was committed. The write lock is held: nobody else adds to the log. */
  function flushAgain(): void {
    try {
      log.rewrite()
    } catch (cause) {
      throw unavailable('The disk did not take what was written before.', cause)
    }
    doubt = undefined
    beginFlush().catch(() => {})
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
    write: (work) => addWrite(() => durable, work, true),
    writeUnsynced: (work) => addWrite(() => unsynced, work, false),
    read: (work) => add(() => reads, work, false),
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
      await ended()
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
