import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { type Clock, FairleadError, type Log, systemClock } from '@fairlead/core'
import { requireOptions, runningMonths } from '@fairlead/core/stores'
import type { Stores } from '../stores.ts'
import {
  type CompiledQuery,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { migrate, requireMigrated } from '../migrations/migrations.ts'
import type { Database, Schema } from '../sql/schema.ts'
import type { SqlTables, StoresWith } from '../sql/tables.ts'
import { purgeByTime } from '../sql/timed-tables.ts'
import { sqlTransaction } from '../sql/transaction.ts'
import { openConnection, unusable } from './open-connection.ts'
import { usageAfter } from './stored-usage.ts'
import { createTransactionQueue } from './transaction-queue.ts'
import { CallStatements } from './write-at-once.ts'

export interface SqliteStoresOptions<Tables extends readonly SqlTables[] = readonly SqlTables[]> {
  /** The database file; its directory exists. `:memory:` keeps nothing. */
  readonly path: string
  /** Decides the running month, and which claims still hold. Default: the system's. */
  readonly clock?: Clock | undefined
  /** Gets one line when the database file turns out to be damaged. Default: silent. */
  readonly log?: Pick<Log, 'error'> | undefined
  /** The tables of features of your own. Default: none. */
  readonly tables?: Tables | undefined
  /** Whether to migrate the tables. If not, rejects a file that lacks migrations. Default: true. */
  readonly migrate?: boolean | undefined
}

/**
 * Stores in one SQLite file, on one connection: two in a process would block the event loop waiting for each other.
 * Several processes may share the file. Migrates the tables first; rejects with the reason where the file is unusable.
 */
export async function sqliteStores<const Tables extends readonly SqlTables[] = readonly []>(
  options: SqliteStoresOptions<Tables>,
): Promise<StoresWith<Tables>> {
  const example = "sqliteStores({ path: 'fairlead.db' })"
  requireOptions(
    options,
    ['path', 'clock', 'log', 'tables', 'migrate'] satisfies (keyof SqliteStoresOptions)[],
    example,
  )
  const { path, clock = systemClock, log, tables, migrate: shouldMigrate = true } = options
  if (typeof path !== 'string') throw new TypeError(`path: is required: ${example}`)
  return (await storesOn(await openConnection(path), clock, log, tables, shouldMigrate)) as StoresWith<Tables>
}

/** The stores on a separate connection. */
export async function storesOn(
  connection: DatabaseSync,
  clock: Clock,
  log?: Pick<Log, 'error'>,
  tables: readonly SqlTables[] = [],
  shouldMigrate = true,
): Promise<Stores> {
  const file = connection.location()
  const queue = createTransactionQueue(connection, (error) =>
    log?.error({ file, error }, 'database file damaged, writes disabled: restore it from a backup'),
  )
  const db = kyselyOn(connection, queue.admit)
  const dialect = {
    months: () => runningMonths(clock.now()),
    now: clock.now,
    // One transaction runs at a time, here and in other processes: each has every lock.
    lock: async () => {},
    purge: purgeByTime,
  }
  const tx = sqlTransaction(db, dialect, tables)
  const calls = new CallStatements(connection, db, clock)
  let closing: Promise<void> | undefined
  try {
    await queue.write(() => (shouldMigrate ? migrate(db, tables) : requireMigrated(db, tables)))
  } catch (error) {
    connection.close()
    throw error instanceof FairleadError ? unusable(file ?? ':memory:', error.cause) : error
  }
  return {
    transact: (work, options) => queue.write(() => work(tx), options),
    reserve: (counter, limit) => queue.writeAtOnce(calls.reservations, { counter, limit }),
    addUsage: (record) => queue.writeAtOnce(calls.usage, record),
    read: (work) => queue.read(() => work(tx)),
    storedUsage: {
      prepare: async () => {},
      after: (position, limit, upTo) => queue.read(() => usageAfter(db, position, limit, upTo)),
    },
    close: () => (closing ??= queue.close().then(() => connection.close())),
  }
}

/**
 * Kysely over one open connection.
 *
 * @param admit throws when a query comes from code that may not run one now
 */
export function kyselyOn(connection: DatabaseSync, admit: () => void): Database {
  const driver = new DummyDriver()
  const executor = new DirectExecutor(connection, admit)
  const dialect = {
    createAdapter: () => executor.adapter,
    createIntrospector: (db: Kysely<Schema>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => driver,
  }
  return new Kysely<Schema>({ config: { dialect }, dialect, driver, executor })
}

/** More statements than the program has. */
const maxStatements = 1_500

/** Passes queries to the connection itself: the way of Kysely, made for pools, costs more than most statements do. */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseSync
  readonly #admit: () => void
  readonly #statements = new Map<string, { readonly statement: StatementSync; readonly returnsRows: boolean }>()

  constructor(connection: DatabaseSync, admit: () => void) {
    super(new SqliteQueryCompiler(), new SqliteAdapter(), {
      async provideConnection() {
        throw new Error('only the transaction queue opens transactions')
      },
    })
    this.#connection = connection
    this.#admit = admit
  }

  override async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    this.#admit()
    const { statement, returnsRows } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) as Row[] }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  #prepare(sql: string) {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#connection.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    if (this.#statements.size >= maxStatements) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }
}
