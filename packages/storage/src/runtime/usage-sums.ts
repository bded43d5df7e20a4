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

export const latencyColumns = histogramColumns('latency')
export const firstTokenColumns = histogramColumns('first_token')

function histogramColumns(histogram: 'latency' | 'first_token'): readonly HistogramColumn[] {
  return Array.from({ length: latencyBoundsMs.length + 1 }, (_, bucket) => `${histogram}_${bucket}` as const)
}

const keyNames = ['user_id', 'counter', 'operation', 'model'] as const
export const sumNames = ['requests', 'errors', 'charged', 'prompt_tokens', 'completion_tokens', 'cost_usd'] as const

export type Span = 'hour' | 'day'
export const spanMs = { hour: hourMs, day: dayMs } as const satisfies Record<Span, number>
const spans = ['hour', 'day'] as const satisfies readonly Span[]

/**
 * The amounts that runs with the same key, operation, model and buckets add to the sums of their hour and their day.
 */
export interface RunSums extends Pick<UsageRecord, 'userId' | 'counter' | 'operation' | 'model'> {
  /** When one of them began. */
  readonly at: number
  /** Of the latency, and of the time to the first token, as one number. */
  readonly buckets: number
  requests: number
  errors: number
  charged: number
  promptTokens: number
  completionTokens: number
  costUsd: number
}

/** The amounts that one run adds. */
export function toSums(record: UsageRecord): RunSums {
  const { at, userId, counter, operation, model, durationMs, firstTokenMs, outcome } = record
  return {
    at,
    userId,
    counter,
    operation,
    model,
    buckets:
      latencyBucket(durationMs) * firstTokenBuckets + (firstTokenMs === null ? 0 : 1 + latencyBucket(firstTokenMs)),
    requests: 1,
    errors: outcome === 'ok' ? 0 : 1,
    charged: record.charged ? 1 : 0,
    promptTokens: record.promptTokens,
    completionTokens: record.completionTokens,
    costUsd: record.costUsd,
  }
}

/** The amounts that several runs add, so that the sums of a busy key change once for all of its runs. */
export function sumRuns(records: readonly UsageRecord[]): Iterable<RunSums> {
  const groups = new Map<string, RunSums>()
  for (const record of records) {
    const sums = toSums(record)
    const { buckets, userId, counter, operation, model } = sums
    // No text in a store contains a NUL.
    const key = [Math.floor(sums.at / hourMs), buckets, userId, counter, operation, model].join('\0')
    const group = groups.get(key)
    if (!group) {
      groups.set(key, sums)
      continue
    }
    group.requests += 1
    group.errors += sums.errors
    group.charged += sums.charged
    group.promptTokens += sums.promptTokens
    group.completionTokens += sums.completionTokens
    group.costUsd += sums.costUsd
  }
  return groups.values()
}

/** Adds a run to the sums of its hour and its day. */
export async function addRunToSums(db: Database, record: UsageRecord): Promise<void> {
  const sums = toSums(record)
  for (const add of addingToSums(sums)) await add(db, sums)
}

/** One bucket more, for runs without a first token. */
const firstTokenBuckets = firstTokenColumns.length + 1
/** By their buckets. Each is prepared when it is first used. */
const statements: Prepared<RunSums>[][] = []

/** The statements that add to the sums of the hour and the day. */
export function addingToSums({ buckets }: RunSums): readonly Prepared<RunSums>[] {
  const latency = latencyColumns[Math.floor(buckets / firstTokenBuckets)]!
  const firstToken = firstTokenColumns[(buckets % firstTokenBuckets) - 1]
  return (statements[buckets] ??= spans.map((span) => addingTo(span, [latency, ...(firstToken ? [firstToken] : [])])))
}

function addingTo(span: Span, columns: readonly HistogramColumn[]): Prepared<RunSums> {
  return prepared<RunSums>((_db, slot) => {
    const at = sql`cast(${slot('at')} as bigint)`
    const requests = slot('requests')
    const values = [
      sql`${at} - ${at} % ${sql.lit(spanMs[span])}`,
      slot('userId'),
      slot('counter'),
      slot('operation'),
      sql`coalesce(${slot('model')}, '')`,
      requests,
      slot('errors'),
      slot('charged'),
      slot('promptTokens'),
      slot('completionTokens'),
      slot('costUsd'),
      ...columns.map(() => requests),
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

/** Marks the hour of a record that is not part of the sums, by sums of zero, so that `lastHourOfUser` finds the hour. */
export async function markHour(db: Database, userId: string, at: number): Promise<void> {
  const zeros = sql.join(sumNames.map(() => sql.lit(0)))
  await sql`
    insert into usage_hours (user_id, hour, counter, operation, model, ${sql.join(sumNames.map((name) => sql.ref(name)))})
    values (${userId}, ${at - (at % hourMs)}, '', '', '', ${zeros}) on conflict do nothing
  `.execute(db)
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
  user: sql<string>`user_id`,
  model: sql<string>`model`,
  operation: sql<string>`operation`,
  counter: sql<string>`counter`,
} satisfies Record<SumDimension, RawBuilder<unknown>>

/** The value of a tag is not among them. */
type SumDimension = Exclude<UsageDimension, 'value'>

type Row = Record<(typeof sumNames)[number] | HistogramColumn, number> & {
  day?: number
  hour?: number
  user?: string
  model?: string
  operation?: string
  counter?: string
}

const sumColumns = [...sumNames, ...latencyColumns, ...firstTokenColumns]
const summed = sql.join(sumColumns.map((name) => sql.ref(name)))

/** Adds up the sums of whole days, and of hours for the rest of the range, or of hours alone if the query asks for hours. */
export async function totalSums(db: Database, query: UsageQuery): Promise<UsageTotal[]> {
  const by = query.by.filter((dimension): dimension is SumDimension => dimension in expressions)
  const dimensions = by.map((dimension) => sql`${expressions[dimension]} as ${sql.id(dimension)}`)
  const sums = sumColumns.map((name) => sql`sum(${sql.id(name)}) as ${sql.id(name)}`)
  const grouping = by.map((dimension) => expressions[dimension])
  const parts = splitQuery(query).map(({ span, from, to }) => {
    const start = sql.ref(span)
    const ofUser = query.userId === undefined ? sql`` : sql`user_id = ${query.userId} and`
    return sql`
      select ${start} as start, user_id, counter, operation, model, ${summed} from ${sql.table(`usage_${span}s`)}
      where ${ofUser} ${start} >= ${from} and ${start} < ${to} and requests > 0
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

function splitQuery({ from, to, by }: UsageQuery): readonly Part[] {
  const firstDay = Math.ceil(from / dayMs) * dayMs
  const endOfDays = Math.floor(to / dayMs) * dayMs
  if (by.includes('hour') || firstDay >= endOfDays) return [{ span: 'hour', from, to }]
  return [
    { span: 'hour', from, to: firstDay },
    { span: 'day', from: firstDay, to: endOfDays },
    { span: 'hour', from: endOfDays, to },
  ]
}

function toTotal({ day, hour, user, model, operation, counter, ...sums }: Row): UsageTotal {
  return {
    ...(day !== undefined && { day }),
    ...(hour !== undefined && { hour }),
    ...(user !== undefined && { user }),
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
