import type { DatabaseSync } from 'node:sqlite'
import { type Clock, FairleadError, type Log, requireOptions, systemClock } from '@fairlead/core'
import { runningMonths, type Stores } from '@fairlead/core/stores'
import { migrate } from '../migrations/migrations.ts'
import { sqlTransaction } from '../sql/transaction.ts'
import { kyselyOn } from './kysely-on.ts'
import { openConnection, unusable } from './open-connection.ts'
import { createTransactionQueue } from './transaction-queue.ts'

export interface SqliteStoresOptions {
  /** The database file; its directory exists. `:memory:` keeps nothing. */
  readonly path: string
  /** Decides the running month, and which claims still hold. Default: the system's. */
  readonly clock?: Clock | undefined
  /** Gets one line when the database file turns out to be damaged. Default: silent. */
  readonly log?: Pick<Log, 'error'> | undefined
}

/**
 * Stores in one SQLite file, on one connection: two in a process would block the event loop waiting for each other.
 * Several processes may share the file. Migrates the tables first; rejects with the reason where the file is unusable.
 */
export async function sqliteStores(options: SqliteStoresOptions): Promise<Stores> {
  const example = "sqliteStores({ path: 'fairlead.db' })"
  requireOptions(options, ['path', 'clock', 'log'] satisfies (keyof SqliteStoresOptions)[], example)
  const { path, clock = systemClock, log } = options
  if (typeof path !== 'string') throw new TypeError(`path: is required: ${example}`)
  return storesOn(await openConnection(path), clock, log)
}

/** The stores on a connection of their own. */
export async function storesOn(connection: DatabaseSync, clock: Clock, log?: Pick<Log, 'error'>): Promise<Stores> {
  const file = connection.location()
  const queue = createTransactionQueue(connection, (error) =>
    log?.error({ file, error }, 'database file damaged, writes disabled: restore it from a backup'),
  )
  const db = kyselyOn(connection, queue.admit)
  const tx = sqlTransaction(db, {
    months: () => runningMonths(clock.now()),
    now: clock.now,
    // One transaction runs at a time, here and in other processes: each has every lock.
    lock: async () => {},
  })
  let closing: Promise<void> | undefined
  try {
    await queue.write(() => migrate(db))
  } catch (error) {
    connection.close()
    throw error instanceof FairleadError ? unusable(file ?? ':memory:', error.cause) : error
  }
  return {
    transact: (work, options) => queue.write(() => work(tx), options),
    reserve: (counter, limit) => queue.write(() => tx.counters.reserve(counter, limit), { durable: false }),
    addUsage: (record) => queue.write(() => tx.usage.add(record), { durable: false }),
    read: (work) => queue.read(() => work(tx)),
    close: () => (closing ??= queue.close().then(() => connection.close())),
  }
}
