import type { Log } from '@fairlead/core'
import { earliestId } from '@fairlead/core/stores'
import { sql } from 'kysely'
import { orDatabaseNow, type SqlDialect } from '../sql/dialect.ts'
import type { Database } from '../sql/schema.ts'
import { purgeByTime, timedEvents, type TimedTable, timedUsage } from '../sql/timed-tables.ts'
import { advisoryLock } from './advisory-lock.ts'

const monthsAhead = 1
/** Other statements wait for those that change partitions, so these do not wait long for others. */
const lockTimeoutMs = 500

/** Creates the partitions of this month and the next. Leaves it to the purge of a later hour if others lock a table. */
export async function addMonthsAhead(db: Database): Promise<void> {
  for (const table of [timedUsage, timedEvents]) {
    try {
      await db.transaction().execute(async (transaction) => {
        await lockPartitions(transaction)
        await addMonths(transaction, table, await readPartitions(transaction, table, null))
      })
    } catch (error) {
      if (!isLocked(error)) throw error
    }
  }
}

export interface PartitionOptions {
  /** The time in milliseconds since the epoch, or null for the clock of the server. */
  now(): number | null
  readonly log?: Pick<Log, 'warn'> | undefined
}

/**
 * Removes whole months, by dropping their partitions, so that rows are kept up to a month longer. Rows that no partition of
 * a month has are deleted. Creates the partitions of this month and the next, too.
 */
export function purgeByMonth({ now, log }: PartitionOptions): SqlDialect['purge'] {
  let isOwner = true
  return async (db, table, before, limit) => {
    if (isOwner) {
      await sql`savepoint before_change`.execute(db)
      try {
        await lockPartitions(db)
        const partitions = await readPartitions(db, table, now())
        await addMonths(db, table, partitions)
        await dropMonths(db, table, partitions, before)
      } catch (error) {
        await sql`rollback to savepoint before_change`.execute(db)
        if (isLocked(error)) return 0
        if (!isDenied(error)) throw error
        isOwner = false
        log?.warn(
          { error },
          'not the owner of the tables: expired rows are deleted, and no partitions created or dropped',
        )
      }
    }
    return purgeByTime(db, table, startOfMonth(before), limit)
  }
}

async function lockPartitions(db: Database): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(db)
  await advisoryLock(db, 'partitions')
}

async function addMonths(db: Database, table: TimedTable, { names, at }: Partitions): Promise<void> {
  // The first partition may have the rows of all earlier months.
  const first = listMonths(table, names)[0] ?? ''
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const [start, end] = [startOfMonth(at, ahead), startOfMonth(at, ahead + 1)]
    const name = partitionName(table, start)
    if (!names.includes(name) && name > first) await addMonth(db, table, name, start, end)
  }
}

/** Adds no partition for a month of which the default partition has rows: these would have to be moved. */
async function addMonth(db: Database, { from, id, prefix }: TimedTable, name: string, start: number, end: number) {
  const [first, last] = [earliestId(prefix, start), earliestId(prefix, end)]
  const { rows } = await sql`
    select from ${sql.table(`${from}_others`)} where ${sql.ref(id)} >= ${first} and ${sql.ref(id)} < ${last} limit 1
  `.execute(db)
  if (rows.length > 0) return
  // Others can read and write the table meanwhile, unlike with `create table … partition of`.
  await sql`create table ${sql.table(name)} (like ${sql.table(from)} including all)`.execute(db)
  await sql`
    alter table ${sql.table(from)} attach partition ${sql.table(name)}
    for values from (${sql.lit(first)}) to (${sql.lit(last)})
  `.execute(db)
}

async function dropMonths(db: Database, table: TimedTable, { names }: Partitions, before: number): Promise<void> {
  const oldest = partitionName(table, startOfMonth(before))
  for (const name of listMonths(table, names)) {
    if (name < oldest) await sql`drop table ${sql.table(name)}`.execute(db)
  }
}

/** The names of partitions of a month, the oldest first. */
function listMonths({ from }: TimedTable, names: readonly string[]): readonly string[] {
  const isMonth = new RegExp(`^${from}_\\d{4}_\\d{2}$`)
  return names.filter((name) => isMonth.test(name)).toSorted()
}

interface Partitions {
  readonly names: readonly string[]
  readonly at: number
}

async function readPartitions(db: Database, { from }: TimedTable, now: number | null): Promise<Partitions> {
  const { rows } = await sql<Partitions>`
    select ${orDatabaseNow(db, now)} as at, array(
      select cast(relname as text) from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = cast(${from} as regclass)
    ) as names
  `.execute(db)
  return rows[0]!
}

function partitionName({ from }: TimedTable, month: number): string {
  return `${from}_${new Date(month).toISOString().slice(0, 7).replace('-', '_')}`
}

function startOfMonth(at: number, ahead = 0): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead)
}

const isLocked = (error: unknown) => errorCode(error) === '55P03'
const isDenied = (error: unknown) => errorCode(error) === '42501'

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
