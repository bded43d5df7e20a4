import type { DatabaseSync } from 'node:sqlite'
import { type Clock, FairleadError, type Log, systemClock } from '@fairlead/core'
import { runningMonths, type Stores, type UsageRecord } from '@fairlead/core/stores'
import { migrate } from '../migrations/migrations.ts'
import { reserveTogether } from '../sql/reserve-together.ts'
import { takeUnits } from '../sql/sql-counters.ts'
import { sqlTransaction } from '../sql/sql-transaction.ts'
import { addUsageEach } from '../sql/sql-usage.ts'
import { joining } from './joining.ts'
import { kyselyOn } from './kysely-on.ts'
import { openLogFile } from './log-file.ts'
import { openConnection, unusable } from './open-connection.ts'
import { createTransactionQueue } from './transaction-queue.ts'

export interface SqliteStoresOptions {
  /** The database file; its directory exists. `:memory:` keeps nothing. */
  readonly path: string
  /** Tells the running month, and what claims still hold. Default: the system's. */
  readonly clock?: Clock
  /** Gets one line when the database file turns out to be damaged. Default: silent. */
  readonly log?: Pick<Log, 'error'>
}

/**
 * Stores in one SQLite file, on one connection: two in a process would block the event loop waiting for each other.
 * Several processes may share the file. Brings the tables up to date first; rejects, saying why, where the file can't
 * be used.
 */
export async function sqliteStores({ path, clock = systemClock, log }: SqliteStoresOptions): Promise<Stores> {
  return storesOn(await openConnection(path), clock, log)
}

/** The stores on a connection that is theirs alone from now on. */
export async function storesOn(connection: DatabaseSync, clock: Clock, log?: Pick<Log, 'error'>): Promise<Stores> {
  const file = connection.location()
  const logFile = openLogFile(file)
  const queue = createTransactionQueue(connection, logFile, (error) =>
    log?.error({ file, error }, 'the database file is damaged and takes no more writes: restore it from a backup'),
  )
  const db = kyselyOn(connection, queue.admit)
  // The queue lets one transaction run at a time, here and in other processes: each has every lock.
  const months = () => runningMonths(clock.now())
  const tx = sqlTransaction(db, { months, now: clock.now, lock: async () => {} })
  // What a power cut takes back, it leaves nobody to work for; the record that settles it makes it durable.
  const reserve = reserveTogether(joining(queue, queue.writeUnsynced), (wanted) =>
    takeUnits(db, { ...wanted, months: months() }),
  )
  const inOneGo = joining(queue, queue.write)
  const addUsage = inOneGo<UsageRecord, boolean>({
    keyOf: () => 'all',
    perform: (records) => addUsageEach(db, records),
  })
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    await queue.close()
    await logFile.close()
    await db.destroy()
  }

  try {
    await queue.write(() => migrate(db))
  } catch (error) {
    await logFile.close()
    connection.close()
    throw error instanceof FairleadError ? unusable(file ?? ':memory:', error.cause) : error
  }
  return {
    transact: (work) => queue.write(() => work(tx)),
    reserve,
    addUsage,
    read: (work) => queue.read(() => work(tx)),
    close: () => (closing ??= close()),
  }
}
