import type { Period, RunningMonths } from '@fairlead/core/stores'
import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Database } from './schema.ts'
import type { TimedTable } from './timed-tables.ts'

/** How the databases differ. All other SQL is the same. */
export interface SqlDialect {
  /** By the clock of the store; null for the clock of the database server. */
  months(): RunningMonths | null
  /** The clock of the store, in milliseconds since the epoch; null for the clock of the database server. */
  now(): number | null
  /** Takes a lock until the transaction ends. */
  lock(db: Database, name: string): Promise<void>
  /** Deletes at most `limit` rows from before that time, the oldest first. Returns how many. */
  purge(db: Database, table: TimedTable, before: number, limit: number): Promise<number>
}

/**
 * The month, or by default the month of the database server, whose clock may be taken to be ahead. Only PostgreSQL has a
 * clock that nodes share.
 */
export function orDatabaseMonth(db: Database, month: RawBuilder<Period | null>, aheadMs = 0): RawBuilder<Period> {
  if (!isPostgres(db)) return sql<Period>`${month}`
  const instant = sql`now() + interval '${sql.lit(aheadMs)} milliseconds'`
  return sql<Period>`coalesce(cast(${month} as text), to_char((${instant}) at time zone 'UTC', 'YYYY-MM'))`
}

/** The instant, or by default the time at the start of the statement on the database server. */
export function orDatabaseNow(db: Database, now: number | null): RawBuilder<number> {
  if (!isPostgres(db)) return sql<number>`${now}`
  return sql<number>`coalesce(cast(${now} as bigint), cast(floor(extract(epoch from statement_timestamp()) * 1000) as bigint))`
}

/** The current time of the database server, also within a statement; null on SQLite, which has no server. */
export function databaseClock(db: Database): RawBuilder<number | null> {
  if (!isPostgres(db)) return sql<null>`null`
  return sql<number>`cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)`
}

/**
 * Lets the transaction of the statement commit without waiting for the disk, where it is not durable: in the statement
 * itself, because `SET LOCAL` before it would take two more round trips. On SQLite, the transaction queue decides.
 */
export function commitMode(db: Database, durable: RawBuilder<0 | 1>): RawBuilder<unknown> {
  if (!isPostgres(db)) return sql`${durable}`
  return sql`case when cast(${durable} as int) = 0 then set_config('synchronous_commit', 'off', true) end`
}

/** A text column with its ASCII letters in lower case. SQLite knows the case of no others. */
export function lowerAscii(db: Database, column: string): RawBuilder<string> {
  return isPostgres(db) ? sql`lower(${sql.ref(column)} collate "C")` : sql`lower(${sql.ref(column)})`
}

export function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
