import { systemClock, type Clock, type Log } from '@fairlead/core'
import { CircuitBreaker, requireOptions, runningMonths, type UsageRecord } from '@fairlead/core/stores'
import type { Stores } from '../stores.ts'
import { sql } from 'kysely'
import { createStatementDeadline, takeUnits } from '../runtime/counters.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import type { Database } from '../sql/schema.ts'
import type { SqlTables, StoresWith } from '../sql/tables.ts'
import { sqlTransaction } from '../sql/transaction.ts'
import { addUsage } from './add-usage.ts'
import { advisoryLock } from './advisory-lock.ts'
import { inBatches, reserveTogether } from './batching.ts'
import { createConnectionShares } from './connection-shares.ts'
import { purgeByMonth } from './partitions.ts'
import { openDatabase, openPool, probePool } from './pool.ts'
import { classify, repeatConflicts, toStoreError } from './postgres-failure.ts'
import { prepareDatabase } from './prepare-database.ts'
import { prepareStoredUsage, usageAfter } from './stored-usage.ts'
import { takeUnlocked } from './take-unlocked.ts'
import { createTurns } from './turns.ts'

export interface PostgresStoresOptions<Tables extends readonly SqlTables[] = readonly SqlTables[]> {
  /** `postgres://user:password@host:port/database`, with settings of `pg` as query parameters. */
  readonly url: string
  /** Decides the current month, and which claims still hold. Default: the clock of the server, which all nodes share. */
  readonly clock?: Clock | undefined
  /** Maximum number of connections. Default: 10. */
  readonly poolSize?: number | undefined
  /** How long to wait for a connection, in milliseconds. Default: 2,000. */
  readonly connectionTimeoutMs?: number | undefined
  /** How long one statement may take, in milliseconds. Default: 5,000. */
  readonly statementTimeoutMs?: number | undefined
  /** How many calls may wait for a connection. One more is rejected, of the account with most of them. Default: 1,000. */
  readonly maxWaiting?: number | undefined
  /**
   * How often to probe a server that is unavailable, in milliseconds; requests are rejected immediately meanwhile.
   * Default: 1,000.
   */
  readonly probeIntervalMs?: number | undefined
  /** Default: silent. */
  readonly log?: Pick<Log, 'warn'> | undefined
  /** The tables of features of your own. Default: none. */
  readonly tables?: Tables | undefined
  /** Whether to migrate the tables. If not, rejects a database that lacks migrations. Default: true. */
  readonly migrate?: boolean | undefined
}

/** How long a probe of an unavailable server may take once it is connected, in milliseconds. */
const probeTimeoutMs = 2_000

const example = "postgresStores({ url: 'postgres://localhost/fairlead' })"
const optionNames: readonly (keyof PostgresStoresOptions)[] = [
  'url',
  'clock',
  'poolSize',
  'connectionTimeoutMs',
  'statementTimeoutMs',
  'maxWaiting',
  'probeIntervalMs',
  'log',
  'tables',
  'migrate',
]

/**
 * Stores in a PostgreSQL database, which many processes may share. Migrates the tables first, unless told otherwise. Transactions run
 * concurrently, read committed; rules that read before they write take a lock.
 */
export async function postgresStores<const Tables extends readonly SqlTables[] = readonly []>(
  options: PostgresStoresOptions<Tables>,
): Promise<StoresWith<Tables>> {
  requireOptions(options, optionNames, example)
  const {
    url,
    clock,
    poolSize = 10,
    connectionTimeoutMs = 2_000,
    statementTimeoutMs = 5_000,
    maxWaiting = 1_000,
    probeIntervalMs = 1_000,
    log,
    tables = [],
    migrate = true,
  }: PostgresStoresOptions = options
  if (typeof url !== 'string') throw new TypeError(`url: is required: ${example}`)
  const months = () => (clock ? runningMonths(clock.now()) : null)
  const now = () => clock?.now() ?? null
  const dialect: SqlDialect = { months, now, lock: advisoryLock, purge: purgeByMonth({ now, log }) }
  await prepareDatabase(url, connectionTimeoutMs, tables, migrate)
  const pool = openPool({
    url,
    size: poolSize,
    connectionTimeoutMs,
    statementTimeoutMs,
    onLost: ({ message }) => log?.warn({ reason: message }, 'lost an idle connection to PostgreSQL'),
  })
  const breaker = new CircuitBreaker({
    name: 'The database',
    // Not the clock of the options: connections and statements have the timers of the system, too.
    clock: systemClock,
    maxFailures: 3,
    classify,
    probe: () => probePool(pool, probeTimeoutMs),
    probeIntervalMs,
    onOpen: (error) =>
      log?.warn(
        { error },
        'database unavailable: circuit breaker opened, rejecting requests until it is available again',
      ),
    onClose: () => log?.warn({}, 'database available again: circuit breaker closed'),
  })
  const shares = createConnectionShares({
    size: poolSize,
    timeoutMs: connectionTimeoutMs,
    maxWaiting,
    log,
  })
  const db = openDatabase(pool, { shares })
  const unsyncedDb = openDatabase(pool, { shares, durable: false })
  const view = sqlTransaction(db, dialect, tables)
  const deadline = createStatementDeadline(statementTimeoutMs)
  // A batch may start long after its calls arrived, so it checks the breaker again.
  const execute = <Result>(batch: () => Promise<Result>) => breaker.execute(() => repeatConflicts(batch))
  const reserve = reserveTogether({
    // Accounts share a batch, but each waits for its own counters.
    takeUnlocked: (wanted) =>
      shares.runAs(undefined, () => execute(() => takeUnlocked(db, wanted, { months: months(), deadline }))),
    take: (wanted) => execute(() => takeUnits(db, { ...wanted, months: months() }, { durable: false, deadline })),
  })
  const inTurn = createTurns()
  const add = inBatches<UsageRecord, boolean>({
    keyOf: () => 'all',
    run: (records) => execute(() => addUsage(db, records)),
  })

  async function guarded<Result>(account: string | undefined, work: () => Promise<Result>): Promise<Result> {
    try {
      return await breaker.execute(() => shares.runAs(account, work))
    } catch (error) {
      throw toStoreError(error)
    }
  }

  async function withUnlimitedStatements(work: (db: Database) => Promise<void>): Promise<void> {
    const own = openPool({ url, size: 2, connectionTimeoutMs, onLost: () => {} })
    try {
      await work(openDatabase(own))
    } catch (error) {
      throw toStoreError(error)
    } finally {
      await own.end()
    }
  }

  const close = async () => {
    breaker.stop()
    await pool.end()
  }
  const storesFor = (account: string | undefined): Stores => ({
    transact(work, { durable = true, lockTimeoutMs, queue } = {}) {
      const transact = () =>
        guarded(account, () =>
          (durable ? db : unsyncedDb).transaction().execute(async (transaction) => {
            if (lockTimeoutMs !== undefined)
              await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(transaction)
            return work(sqlTransaction(transaction, dialect, tables))
          }),
        )
      return queue === undefined ? transact() : inTurn(queue, transact)
    },
    reserve: (counter, limit) => guarded(account, () => reserve(counter, limit)),
    // Accounts share a batch.
    addUsage: (record) => guarded(undefined, () => add(record)),
    read: (work) => guarded(account, () => work(view)),
    forAccount: storesFor,
    ...(clock === undefined && { now: () => guarded(undefined, () => readTime(db)) }),
    storedUsage: {
      prepare: () => withUnlimitedStatements(prepareStoredUsage),
      after: (position, limit, upTo) => guarded(account, () => usageAfter(db, position, limit, upTo)),
    },
    connections: () => ({ ...shares.counts(), idle: pool.idleCount, max: poolSize }),
    close,
  })
  return storesFor(undefined) as StoresWith<Tables>
}

async function readTime(db: ReturnType<typeof openDatabase>): Promise<number> {
  const { rows } = await sql<{ now: number }>`select extract(epoch from clock_timestamp()) * 1000 as now`.execute(db)
  return Number(rows[0]!.now)
}
