import type { CounterStore, Period, Reading, RunningMonths } from '@fairlead/core/stores'
import { sql } from 'kysely'
import { orDatabaseMonth, orDatabaseSoon, type SqlDialect } from './dialect.ts'
import { prepared, type Slot } from './prepared.ts'
import type { Database, Schema } from './schema.ts'

type Counted = Pick<Schema['counters'], 'period' | 'used'>

export function sqlCounters(db: Database, { months }: SqlDialect): CounterStore {
  return {
    peek: (counter) => peek(db, { counter, months: months() }),
    async reserve(counter, limit) {
      const { units, ...reading } = await takeUnits(db, { counter, months: months(), limit, units: 1 })
      return { granted: units === 1, ...reading }
    },
    async giveBack(counter, period) {
      await returnUnit(db, { counter, period })
    },
    async purge(before, limit) {
      const { numAffectedRows } = await sql`
        delete from counters where (counter, period) in (
          select counter, period from counters where period < ${before} order by period, counter limit ${limit}
        )
      `.execute(db)
      return Number(numAffectedRows)
    },
  }
}

interface Asked {
  readonly counter: string
  /** By the store's clock; null is by the database's own. */
  readonly months: RunningMonths | null
}

interface Wanted extends Asked {
  readonly limit: number | null
  readonly units: number
}

/** Takes the units, or as many of them as the limit leaves. */
export async function takeUnits(db: Database, wanted: Wanted): Promise<Reading & { readonly units: number }> {
  let { units } = wanted
  while (true) {
    const { rows } = await tryToTake(db, { ...valuesOf(wanted), limit: wanted.limit, units })
    if (rows[0]) return { units, ...rows[0] }
    const reading = await peek(db, wanted)
    const left = (wanted.limit ?? Infinity) - reading.used
    if (left <= 0) return { units: 0, ...reading }
    units = Math.min(units, left)
  }
}

async function peek(db: Database, asked: Asked): Promise<Reading> {
  return (await look(db, valuesOf(asked))).rows[0]!
}

interface CounterValues {
  readonly counter: string
  readonly month: Period | null
  readonly soon: Period | null
}

function valuesOf({ counter, months }: Asked): CounterValues {
  return { counter, month: months?.month ?? null, soon: months?.soon ?? null }
}

/** The clock's month, or the next where it begins within the skew and the counter has been in it. */
function running(db: Database, slot: Slot<CounterValues>) {
  const month = orDatabaseMonth(db, slot('month'))
  return sql<Period>`(
    select coalesce(max(period), ${month}) from counters
    where counter = ${slot('counter')} and period > ${month} and period <= ${orDatabaseSoon(db, slot('soon'))}
  )`
}

const look = prepared<CounterValues, Counted>((db, slot) => {
  const counter = slot('counter')
  return sql<Counted>`
    select month.period, coalesce(counters.used, 0) as used
    from (select ${running(db, slot)} as period) as month
    left join counters on counters.counter = ${counter} and counters.period = month.period
  `
})

/** Takes all of the units or none: one statement, so that no two processes can both take the last. */
const tryToTake = prepared<CounterValues & Pick<Wanted, 'limit' | 'units'>, Counted>((db, slot) => {
  const counter = slot('counter')
  const units = sql`cast(${slot('units')} as bigint)`
  const limit = sql`cast(${slot('limit')} as bigint)`
  return sql<Counted>`
    insert into counters (counter, period, used)
    select cast(${counter} as text), ${running(db, slot)}, ${units}
    where ${limit} is null or ${limit} >= ${units}
    on conflict (counter, period) do update set used = counters.used + excluded.used
    where ${limit} is null or ${limit} >= counters.used + excluded.used
    returning period, used
  `
})

const returnUnit = prepared<{ readonly counter: string; readonly period: string }>(
  (_db, slot) => sql`
    update counters set used = used - 1
    where counter = ${slot('counter')} and period = ${slot('period')} and used > 0
  `,
)
