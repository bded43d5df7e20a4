import { maxClockSkewMs, type Period, type RunningMonths } from '@fairlead/core/stores'
import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Database } from './schema.ts'

/** Where the databases differ; all else that is SQL they share. */
export interface SqlDialect {
  /** By the store's clock; null is by the database's own. */
  months(): RunningMonths | null
  /** The store's clock, in milliseconds since the epoch; null is the database's own. */
  now(): number | null
  /** Takes a lock that lasts to the transaction's end. */
  lock(db: Database, name: string): Promise<void>
}

/** The month, or the database's own where it is null. Only PostgreSQL has a clock that nodes share. */
export function orDatabaseMonth(db: Database, month: RawBuilder<Period | null>): RawBuilder<Period> {
  return orMonthAt(db, month, sql`now()`)
}

/** The month that may have begun by a clock that is ahead, likewise. */
export function orDatabaseSoon(db: Database, soon: RawBuilder<Period | null>): RawBuilder<Period> {
  return orMonthAt(db, soon, sql`now() + interval '${sql.lit(maxClockSkewMs)} milliseconds'`)
}

function orMonthAt(db: Database, month: RawBuilder<Period | null>, instant: RawBuilder<unknown>): RawBuilder<Period> {
  if (!isPostgres(db)) return sql<Period>`${month}`
  return sql<Period>`coalesce(cast(${month} as text), to_char((${instant}) at time zone 'UTC', 'YYYY-MM'))`
}

/** The instant, or the database's own where it is null: the same throughout a statement. */
export function orDatabaseNow(db: Database, now: number | null): RawBuilder<number> {
  if (!isPostgres(db)) return sql<number>`${now}`
  return sql<number>`coalesce(cast(${now} as bigint), cast(floor(extract(epoch from statement_timestamp()) * 1000) as bigint))`
}

/** The database's own clock as it runs on within a statement; null where it is no other than the process's. */
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

function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
