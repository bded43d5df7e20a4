import {
  latencyBoundsMs,
  latencyBucket,
  type UsageDimension,
  type UsageQuery,
  type UsageRecord,
  type UsageTotal,
} from '@fairlead/core/stores'
import { type RawBuilder, sql } from 'kysely'
import { purge } from '../sql/record-table.ts'
import { type Prepared, prepared } from '../sql/statements.ts'
import type { Database, HistogramColumn } from '../sql/schema.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const latencyColumns = columnsOf('latency')
export const firstTokenColumns = columnsOf('first_token')

function columnsOf(histogram: 'latency' | 'first_token'): readonly HistogramColumn[] {
  return Array.from({ length: latencyBoundsMs.length + 1 }, (_, bucket) => `${histogram}_${bucket}` as const)
}

const keyNames = ['user_id', 'counter', 'operation', 'model'] as const
export const sumNames = ['requests', 'errors', 'charged', 'prompt_tokens', 'completion_tokens', 'cost_usd'] as const

export type Span = 'hour' | 'day'
export const spanMs = { hour: hourMs, day: dayMs } as const satisfies Record<Span, number>
const spans = ['hour', 'day'] as const satisfies readonly Span[]

/** Adds a run to the sums of its hour and its day. */
export async function addRunToSums(db: Database, record: UsageRecord): Promise<void> {
  for (const add of addingToSums(record)) await add(db, record)
}

/** The statements that add a run to the sums of its hour and its day. */
export function addingToSums({ durationMs, firstTokenMs }: UsageRecord): readonly Prepared<UsageRecord>[] {
  const latency = latencyBucket(durationMs)
  const firstToken = firstTokenMs === null ? -1 : latencyBucket(firstTokenMs)
  const known = (statements[latency] ??= [])
  return (known[firstToken + 1] ??= spans.map((span) =>
    addingTo(span, [latencyColumns[latency]!, ...(firstToken < 0 ? [] : [firstTokenColumns[firstToken]!])]),
  ))
}

/** By the bucket of the latency, and of the time to the first token. Each is prepared when it is first used. */
const statements: Prepared<UsageRecord>[][][] = []

function addingTo(span: Span, columns: readonly HistogramColumn[]): Prepared<UsageRecord> {
  return prepared<UsageRecord>((_db, slot) => {
    const at = sql`cast(${slot('at')} as bigint)`
    const values = [
      sql`${at} - ${at} % ${sql.lit(spanMs[span])}`,
      slot('userId'),
      slot('counter'),
      slot('operation'),
      sql`coalesce(${slot('model')}, '')`,
      sql.lit(1),
      sql`case when ${slot('outcome')} = 'ok' then 0 else 1 end`,
      slot('charged'),
      slot('promptTokens'),
      slot('completionTokens'),
      slot('costUsd'),
      ...columns.map(() => sql.lit(1)),
    ]
    return addToSums(span, [...sumNames, ...columns], sql`values (${sql.join(values)})`)
  })
}

/** Adds new values to sums. The source has a column for the start of the span, for each of `keyNames`, and for each sum. */
export function addToSums(span: Span, sums: readonly string[], source: RawBuilder<unknown>) {
  const names = sql.join([span, ...keyNames, ...sums].map((name) => sql.ref(name)))
  const raised = sums.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`usage_${span}s.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  )
  return sql`
    insert into ${sql.table(`usage_${span}s`)} (${names}) ${source}
    on conflict (user_id, ${sql.ref(span)}, counter, operation, model) do update set ${sql.join(raised)}
  `
}

/** Deletes sums before that instant, the oldest first: hours, then days. */
export async function purgeSums(db: Database, before: number, limit: number): Promise<number> {
  const hours = await purge(db, { from: 'usage_hours', key: [...keyNames, 'hour'], by: 'hour' }, before, limit)
  if (hours === limit) return hours
  return hours + (await purge(db, { from: 'usage_days', key: [...keyNames, 'day'], by: 'day' }, before, limit - hours))
}

const expressions = {
  // `start` is a full hour, and a day in UTC has 24 hours.
  day: sql<number>`start - start % ${sql.lit(dayMs)}`,
  hour: sql<number>`start`,
  model: sql<string>`model`,
  operation: sql<string>`operation`,
  counter: sql<string>`counter`,
} satisfies Record<UsageDimension, RawBuilder<unknown>>

type Row = Record<(typeof sumNames)[number] | HistogramColumn, number> & {
  day?: number
  hour?: number
  model?: string
  operation?: string
  counter?: string
}

const sumColumns = [...sumNames, ...latencyColumns, ...firstTokenColumns]
const summed = sql.join(sumColumns.map((name) => sql.ref(name)))

/** Adds up the sums of whole days, and of hours for the rest of the range, or of hours alone if the query asks for hours. */
export async function totalSums(db: Database, query: UsageQuery): Promise<UsageTotal[]> {
  const { by } = query
  const dimensions = by.map((dimension) => sql`${expressions[dimension]} as ${sql.id(dimension)}`)
  const sums = sumColumns.map((name) => sql`sum(${sql.id(name)}) as ${sql.id(name)}`)
  const grouping = by.map((dimension) => expressions[dimension])
  const parts = partsOf(query).map(({ span, from, to }) => {
    const start = sql.ref(span)
    return sql`
      select ${start} as start, counter, operation, model, ${summed} from ${sql.table(`usage_${span}s`)}
      where user_id = ${query.userId} and ${start} >= ${from} and ${start} < ${to}
    `
  })
  const { rows } = await sql<Row>`
    select ${sql.join([...dimensions, ...sums])} from (${sql.join(parts, sql` union all `)}) as parts
    ${grouping.length > 0 ? sql`group by ${sql.join(grouping)}` : sql`having count(*) > 0`}
  `.execute(db)
  return rows.map(toTotal)
}

interface Part {
  readonly span: Span
  readonly from: number
  readonly to: number
}

function partsOf({ from, to, by }: UsageQuery): readonly Part[] {
  const firstDay = Math.ceil(from / dayMs) * dayMs
  const endOfDays = Math.floor(to / dayMs) * dayMs
  if (by.includes('hour') || firstDay >= endOfDays) return [{ span: 'hour', from, to }]
  return [
    { span: 'hour', from, to: firstDay },
    { span: 'day', from: firstDay, to: endOfDays },
    { span: 'hour', from: endOfDays, to },
  ]
}

function toTotal({ day, hour, model, operation, counter, ...sums }: Row): UsageTotal {
  return {
    ...(day !== undefined && { day }),
    ...(hour !== undefined && { hour }),
    ...(model !== undefined && { model: model === '' ? null : model }),
    ...(operation !== undefined && { operation }),
    ...(counter !== undefined && { counter }),
    requests: sums.requests,
    errors: sums.errors,
    charged: sums.charged,
    promptTokens: sums.prompt_tokens,
    completionTokens: sums.completion_tokens,
    costUsd: sums.cost_usd,
    latencies: latencyColumns.map((column) => sums[column]!),
    firstTokens: firstTokenColumns.map((column) => sums[column]!),
  }
}
