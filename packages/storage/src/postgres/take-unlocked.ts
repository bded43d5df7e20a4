import type { Reading, RunningMonths } from '@fairlead/core/stores'
import { sql } from 'kysely'
import {
  beforeDeadline,
  type DeadlineValues,
  type MonthValues,
  monthValues,
  running,
  type StatementDeadline,
  type WantedUnits,
} from '../runtime/counters.ts'
import { commitMode, databaseClock } from '../sql/dialect.ts'
import type { Database } from '../sql/schema.ts'
import { prepared } from '../sql/statements.ts'

/** Units that were taken of a counter, and its count after them. */
export interface TakenUnits extends Reading {
  readonly counter: string
  readonly units: number
}

interface TakeOptions {
  /** By the clock of the store; null for the clock of the database server. */
  readonly months: RunningMonths | null
  /** No unit is taken after it. */
  readonly deadline: StatementDeadline
}

/**
 * Takes the units, or as many as each limit allows, without waiting for the disk. Leaves out counters that another
 * transaction has locked, that have no row for the month yet, and all of them after the deadline. Each counter may be
 * wanted once.
 */
export async function takeUnlocked(
  db: Database,
  wanted: readonly WantedUnits[],
  { months, deadline }: TakeOptions,
): Promise<readonly TakenUnits[]> {
  const { rows } = await takeWhereUnlocked(db, {
    wanted: JSON.stringify(wanted),
    ...monthValues(months),
    deadline: deadline.next(),
  })
  if (rows[0]) deadline.learn(rows[0].server_now)
  return rows
}

interface TakeValues extends MonthValues, DeadlineValues {
  readonly wanted: string
}

/**
 * The lock comes first, so that the count is the latest. It waits for no other transaction, so no order of the counters
 * can cause a deadlock. The subquery keeps the server from reading the whole table, which it expects to be faster.
 */
const takeWhereUnlocked = prepared<TakeValues, TakenUnits & { readonly server_now: number }>(
  (db, slot) => sql`
    with locked as (
        select counter.*, greatest(0, least(wanted.units, wanted.limit - counter.used)) as units
        from json_to_recordset(${slot('wanted')}) as wanted (counter text, "limit" bigint, units bigint),
          lateral (
            select counter, period, used from counters
            where counter = wanted.counter and period = ${running(db, sql.ref('wanted.counter'), slot)}
              and ${beforeDeadline(db, slot)}
            for update skip locked
          ) as counter
      ),
      taken as (
        update counters set used = counters.used + locked.units from locked
        where counters.counter = locked.counter and counters.period = locked.period and locked.units > 0
      )
    select counter, period, used + units as used, units,
      ${databaseClock(db)} as server_now, ${commitMode(db, sql.lit(0))} from locked
  `,
)
