import {
  type CounterStore,
  maxClockSkewMs,
  type Period,
  type QuotaMark,
  type Reading,
  type Reservation,
  type RunningMonths,
} from '@fairlead/core/stores'
import type { CountersView } from '@fairlead/accounts/stores'
import { type RawBuilder, sql } from 'kysely'
import { commitMode, databaseClock, orDatabaseMonth, type SqlDialect } from '../sql/dialect.ts'
import { purge } from '../sql/record-table.ts'
import { prepared, type Slot } from '../sql/statements.ts'
import type { Database, Schema } from '../sql/schema.ts'

type Counted = Pick<Schema['counters'], 'period' | 'used'>
/** With the clock of the database server, if there is one. */
type CounterRow = Counted & { readonly server_now: number | null }

export function sqlCounters(db: Database, { months }: SqlDialect): CounterStore & CountersView {
  return {
    peek: (counter) => peek(db, { counter, months: months() }),
    used: (counters) => unitsUsed(db, counters, months()),
    async reserve(counter, limit) {
      const { units, ...reading } = await takeUnits(db, { counter, months: months(), limit, units: 1 })
      return { granted: units === 1, ...reading }
    },
    async add(counter, units) {
      const { period, used } = await takeUnits(db, { counter, months: months(), limit: null, units })
      return { period, used }
    },
    async refund(counter, period) {
      await returnUnit(db, { counter, period })
    },
    async mark(counter, period, mark) {
      const column = sql.ref(markColumns[mark])
      const { rows } = await sql`
        insert into counters (counter, period, used, ${column}) values (${counter}, ${period}, 0, 1)
        on conflict (counter, period) do update set ${column} = 1 where counters.${column} = 0
        returning counter
      `.execute(db)
      return rows.length > 0
    },
    purge: (before, limit) => purge(db, { from: 'counters', key: ['counter', 'period'], by: 'period' }, before, limit),
  }
}

const markColumns = { warning: 'warned', exceeded: 'exceeded' } as const satisfies Record<QuotaMark, string>

async function unitsUsed(
  db: Database,
  counters: readonly string[],
  months: RunningMonths | null,
): Promise<ReadonlyMap<string, number>> {
  if (counters.length === 0) return new Map()
  const month = orDatabaseMonth(db, sql<Period | null>`${months?.month ?? null}`)
  const soon = orDatabaseMonth(db, sql<Period | null>`${months?.soon ?? null}`, maxClockSkewMs)
  const { rows } = await sql<Counted & { readonly counter: string }>`
    select counter, period, used from counters
    where counter in (${sql.join(counters)}) and period >= ${month} and period <= ${soon}
    order by period
  `.execute(db)
  // Where a counter has units in both months, the later month counts.
  const used = new Map(rows.map((row) => [row.counter, row.used]))
  return new Map([...used].filter(([, units]) => units > 0))
}

interface Asked {
  readonly counter: string
  /** By the clock of the store; null for the clock of the database server. */
  readonly months: RunningMonths | null
}

export interface WantedUnits {
  readonly counter: string
  readonly limit: number | null
  readonly units: number
}

type Wanted = Asked & WantedUnits

interface TakeOptions {
  /** False commits the statement, and the transaction around it, without waiting for the disk. Default: true. */
  readonly durable?: boolean
  /** No unit is taken after it. */
  readonly deadline?: StatementDeadline
}

/** Takes the units, or as many as the limit allows. */
export async function takeUnits(
  db: Database,
  wanted: Wanted,
  { durable = true, deadline }: TakeOptions = {},
): Promise<Reading & { readonly units: number }> {
  const values = toValues(wanted)
  let { units } = wanted
  while (true) {
    const { rows } = await tryToTake(db, {
      ...values,
      limit: wanted.limit,
      units,
      deadline: deadline?.next() ?? null,
      durable: durable ? 1 : 0,
    })
    if (rows[0]) return { units, ...toReading(rows[0], deadline) }
    const reading = await peek(db, wanted, deadline)
    const left = (wanted.limit ?? Infinity) - reading.used
    if (left <= 0) return { units: 0, ...reading }
    // Either the limit allows fewer, or a clock was set: the response contains the new difference.
    units = Math.min(units, left)
  }
}

/** Grants units to those who came first, each with the count as it stood after its own unit, and refuses all others. */
export function* share({ units, used, period }: Reading & { readonly units: number }): Generator<Reservation, never> {
  for (let left = units - 1; left >= 0; left--) yield { granted: true, period, used: used - left }
  while (true) yield { granted: false, period, used }
}

async function peek(db: Database, asked: Asked, deadline?: StatementDeadline): Promise<Reading> {
  return toReading((await look(db, toValues(asked))).rows[0]!, deadline)
}

function toReading({ server_now: serverNow, period, used }: CounterRow, deadline?: StatementDeadline): Reading {
  if (serverNow !== null) deadline?.learn(serverNow)
  return { period, used }
}

export interface MonthValues {
  readonly month: Period | null
  readonly soon: Period | null
}

interface CounterValues extends MonthValues {
  readonly counter: string
}

export function monthValues(months: RunningMonths | null): MonthValues {
  return { month: months?.month ?? null, soon: months?.soon ?? null }
}

function toValues({ counter, months }: Asked): CounterValues {
  return { counter, ...monthValues(months) }
}

/** The current month, or the next if it begins within the allowed clock skew and the counter has units in it. */
export function running(db: Database, counter: RawBuilder<unknown>, slot: Slot<MonthValues>) {
  const month = orDatabaseMonth(db, slot('month'))
  return sql<Period>`(
    select coalesce(max(period), ${month}) from counters
    where counter = ${counter} and period > ${month} and period <= ${orDatabaseMonth(db, slot('soon'), maxClockSkewMs)}
  )`
}

export interface DeadlineValues {
  /** By the clock of the database server. */
  readonly deadline: number | null
}

export function beforeDeadline(db: Database, slot: Slot<DeadlineValues>) {
  const deadline = sql`cast(${slot('deadline')} as bigint)`
  return sql`(${deadline} is null or ${databaseClock(db)} < ${deadline})`
}

/** Reads a counter. */
export const look = prepared<CounterValues, CounterRow>((db, slot) => {
  const counter = slot('counter')
  return sql<CounterRow>`
    select month.period, coalesce(counters.used, 0) as used, ${databaseClock(db)} as server_now
    from (select ${running(db, counter, slot)} as period) as month
    left join counters on counters.counter = ${counter} and counters.period = month.period
  `
})

interface TakeValues extends CounterValues, WantedUnits, DeadlineValues {
  readonly durable: 0 | 1
}

/** Takes all units or none, in one statement, so that two processes cannot both take the last unit. */
export const tryToTake = prepared<TakeValues, CounterRow>((db, slot) => {
  const counter = slot('counter')
  const units = sql`cast(${slot('units')} as bigint)`
  const limit = sql`cast(${slot('limit')} as bigint)`
  const inTime = beforeDeadline(db, slot)
  return sql<CounterRow>`
    insert into counters (counter, period, used)
    select cast(${counter} as text), ${running(db, counter, slot)}, ${units}
    where ${inTime} and (${limit} is null or ${limit} >= ${units})
    on conflict (counter, period) do update set used = counters.used + excluded.used
    where ${inTime} and (${limit} is null or ${limit} >= counters.used + excluded.used)
    returning period, used, ${databaseClock(db)} as server_now, ${commitMode(db, slot('durable'))} as commit_mode
  `
})

const returnUnit = prepared<{ readonly counter: string; readonly period: string }>(
  (_db, slot) => sql`
    update counters set used = used - 1
    where counter = ${slot('counter')} and period = ${slot('period')} and used > 0
  `,
)

/**
 * Prevents a statement from taking effect after its caller timed out: a frozen server executes what it received once it
 * wakes.
 */
export interface StatementDeadline {
  /** The deadline of a statement sent now, by the clock of the server; null while that clock is unknown. */
  next(): number | null
  /** Records the clock of the server, in milliseconds since the epoch. */
  learn(serverNow: number): void
}

/** @param timeoutMs less than the timeout of the caller */
export function createStatementDeadline(timeoutMs: number, now: () => number = Date.now): StatementDeadline {
  /** Updated by each response, so that neither clock has to be right. */
  let aheadMs: number | undefined
  return {
    next: () => (aheadMs === undefined ? null : now() + aheadMs + timeoutMs),
    learn(serverNow) {
      aheadMs = serverNow - now()
    },
  }
}
