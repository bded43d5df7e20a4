import { latencyBoundsMs, type UsageRecord } from '@fairlead/core/stores'
import { type RawBuilder, sql } from 'kysely'
import { addToSums, firstTokenColumns, latencyColumns, type Span, spanMs, sumNames } from '../runtime/usage-sums.ts'
import { commitMode } from '../sql/dialect.ts'
import type { Database } from '../sql/schema.ts'
import { columnName, prepared } from '../sql/statements.ts'

/** Adds records and their sums without waiting for the disk; returns which records are new. */
export async function addUsage(db: Database, records: readonly UsageRecord[]): Promise<readonly boolean[]> {
  const add = records.some(({ firstTokenMs }) => firstTokenMs !== null) ? addStreams : addOthers
  const { rows } = await add(db, { records: JSON.stringify(records) })
  const added = new Set(rows.map(({ run_id: runId }) => runId))
  // Of two records of the same run, the first one was added.
  return records.map(({ runId }) => added.delete(runId))
}

/**
 * One statement, because it is one round trip and one transaction: the sums of a busy key, which all processes share, are
 * locked for a short time. The records are one parameter, so that the server plans the statement only once. Without streams, it counts no times to first tokens.
 */
function addingTo(histograms: readonly Histogram[]) {
  return prepared<{ readonly records: string }, Added>((db, slot) => {
    const columns = sql.join(fields.map((field) => sql.ref(columnName(field))))
    const values = sql.join(
      fields.map((field) => (fieldTypes[field] === 'boolean' ? sql`${sql.ref(field)}::int` : sql.ref(field))),
    )
    const types = sql.join(fields.map((field) => sql`${sql.ref(field)} ${sql.raw(fieldTypes[field])}`))
    const addSums = (span: Span, where?: RawBuilder<unknown>) =>
      addToSums(
        span,
        [...sumNames, ...histograms.flatMap((histogram) => histogram.columns)],
        sumsOfAdded(span, histograms, where),
      )
    // Two statements that lock sums in a different order could deadlock, so days wait for hours.
    const afterHours = sql`where (select count(*) from hours) > 0`
    return sql<Added>`
      with added as (
          insert into usage_records (${columns})
          select ${values} from json_to_recordset(${slot('records')}) as record (${types})
          on conflict (run_id) do nothing returning ${columns}
        ),
        hours as (${addSums('hour')} returning hour),
        days as (${addSums('day', afterHours)})
      select run_id, ${commitMode(db, sql.lit(0))} from added
    `
  })
}

interface Added {
  readonly run_id: string
}

/** The types of the fields in JSON. */
const fieldTypes = {
  runId: 'text',
  requestId: 'text',
  userId: 'text',
  counter: 'text',
  operation: 'text',
  at: 'bigint',
  durationMs: 'bigint',
  firstTokenMs: 'bigint',
  outcome: 'text',
  charged: 'boolean',
  model: 'text',
  provider: 'text',
  promptTokens: 'bigint',
  completionTokens: 'bigint',
  reasoningTokens: 'bigint',
  cachedPromptTokens: 'bigint',
  costUsd: 'double precision',
  stream: 'boolean',
  cached: 'boolean',
  details: 'text',
} as const satisfies Record<keyof UsageRecord, string>
const fields = Object.keys(fieldTypes) as (keyof UsageRecord)[]

interface Histogram {
  readonly of: 'duration_ms' | 'first_token_ms'
  readonly columns: readonly string[]
}

const latencies: Histogram = { of: 'duration_ms', columns: latencyColumns }
const addOthers = addingTo([latencies])
const addStreams = addingTo([latencies, { of: 'first_token_ms', columns: firstTokenColumns }])

/** The sums of new records, in the same order in every statement. */
function sumsOfAdded(span: Span, histograms: readonly Histogram[], where: RawBuilder<unknown> = sql``) {
  return sql`
    select
      at - at % ${sql.lit(spanMs[span])}, user_id, counter, operation, coalesce(model, ''),
      count(*), count(*) filter (where outcome <> 'ok'), sum(charged),
      sum(prompt_tokens), sum(completion_tokens), sum(cost_usd),
      ${sql.join(histograms.flatMap(({ of, columns }) => columns.map((_column, bucket) => requestsIn(of, bucket))))}
    from added ${where} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  `
}

/** The number of requests in a bucket of a histogram, as `latencyBucket` chooses it. */
function requestsIn(of: Histogram['of'], bucket: number) {
  const above = sql.lit(latencyBoundsMs[bucket - 1] ?? -1)
  const upTo = latencyBoundsMs[bucket]
  const end = upTo === undefined ? sql`` : sql`and ${sql.ref(of)} <= ${sql.lit(upTo)}`
  return sql`count(*) filter (where ${sql.ref(of)} > ${above} ${end})`
}
