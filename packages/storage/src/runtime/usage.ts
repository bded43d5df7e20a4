import {
  earliestId,
  madeAt,
  positionOf,
  runIdBounds,
  type Slice,
  sliceOfUsage,
  type UsageFilters,
  type UsageRecord,
  type UsageStore,
} from '@fairlead/core/stores'
import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import { prepared } from '../sql/statements.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { addRunToSums, purgeSums, totalSums } from './usage-sums.ts'

export function sqlUsage(db: Database): UsageStore {
  async function ofRequest(requestId: string): Promise<readonly UsageRecord[]> {
    const rows = await db.selectFrom('usage_records').selectAll().where('request_id', '=', requestId).execute()
    return rows.map(toRecord)
  }

  return {
    ofRequest,
    async findMany(runIds) {
      if (runIds.length === 0) return []
      const rows = await db.selectFrom('usage_records').selectAll().where('run_id', 'in', runIds).execute()
      return rows.map(toRecord)
    },
    async list(filters, slice, maxExamined) {
      const { requestId } = filters
      if (requestId !== undefined) return { records: sliceOfUsage(await ofRequest(requestId), filters, slice) }
      const matches = contentFilters(filters)
      const inOrder = recordsInOrder(db, filters, slice)
      if (matches.length === 0) return { records: (await inOrder.limit(slice.limit).execute()).map(toRecord) }
      const lastHour = await lastHourOfUser(db, filters, slice)
      if (lastHour === 'none') return { records: [] }
      const examined = lastHour === undefined ? inOrder : inOrder.where('run_id', '<', endOfHour(lastHour))
      const rows = await db
        .selectFrom(examined.limit(maxExamined).as('usage_records'))
        .selectAll()
        .where((where) => where.and(matches))
        .orderBy('run_id', directionOf(slice))
        .limit(slice.limit)
        .execute()
      const records = rows.map(toRecord)
      if (records.length === slice.limit) return { records }
      const last = await examined
        .offset(maxExamined - 1)
        .limit(1)
        .executeTakeFirst()
      return { records, examinedTo: last && positionOf(toRecord(last)) }
    },
    totals: (query) => totalSums(db, query),
    add: (record) => addRecord(db, record),
    async purge(before, limit) {
      const { numDeletedRows } = await db
        .deleteFrom('usage_records')
        .where('run_id', 'in', (oldest) =>
          oldest
            .selectFrom('usage_records')
            .select('run_id')
            .where('run_id', '<', earliestId('run', before))
            .orderBy('run_id')
            .limit(limit),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
    purgeTotals: (before, limit) => purgeSums(db, before, limit),
  }
}

const hourMs = 3_600_000

const directionOf = ({ first }: Slice) => (first === 'oldest' ? 'asc' : 'desc')

/** The records after a position, in a range of time. */
function recordsInOrder(db: Database, filters: UsageFilters, slice: Slice) {
  const { first, after } = slice
  const [from, end] = runIdBounds(filters)
  return db
    .selectFrom('usage_records')
    .selectAll()
    .$if(from !== undefined, (query) => query.where('run_id', '>=', from!))
    .$if(end !== undefined, (query) => query.where('run_id', '<', end!))
    .$if(after !== undefined, (query) => query.where('run_id', first === 'oldest' ? '>' : '<', after!.id))
    .orderBy('run_id', directionOf(slice))
}

/**
 * The start of the last hour with requests of the user, or `none`. The search begins there, because an index on the user
 * would cost each model call a quarter more time in the store. Undefined without a user, and for the oldest first.
 */
async function lastHourOfUser(db: Database, { userId, before }: UsageFilters, { first, after }: Slice) {
  if (userId === undefined || first === 'oldest') return undefined
  const end = Math.min(before ?? Infinity, after ? madeAt(after.id) : Infinity)
  const found = await db
    .selectFrom('usage_hours')
    .select('hour')
    .where('user_id', '=', userId)
    .$if(end !== Infinity, (query) => query.where('hour', '<=', end))
    .orderBy('hour', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ? Number(found.hour) : 'none'
}

/** The run id is made just after the time that decides the hour of a record. */
function endOfHour(hour: number): string {
  return earliestId('run', hour + hourMs + 60_000)
}

/** The filters that have no index. */
function contentFilters({ userId, credential, model, operation, status }: UsageFilters) {
  const where = expressionBuilder<Schema, 'usage_records'>()
  return [
    ...(userId === undefined ? [] : [where('user_id', '=', userId)]),
    ...(credential === undefined
      ? []
      : [where('counter', '=', credential === 'sessions' ? where.ref('user_id') : credential)]),
    ...(model === undefined ? [] : [where('model', '=', model)]),
    ...(operation === undefined ? [] : [where('operation', '=', operation)]),
    ...(status === undefined
      ? []
      : [status === 'error' ? where('outcome', '<>', 'ok') : where('outcome', '=', status)]),
  ]
}

export type UsageRow = Schema['usage_records']

export const usageColumns = [
  'run_id',
  'request_id',
  'user_id',
  'counter',
  'operation',
  'at',
  'duration_ms',
  'first_token_ms',
  'outcome',
  'charged',
  'model',
  'provider',
  'prompt_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'cached_prompt_tokens',
  'cost_usd',
] as const satisfies readonly (keyof UsageRow)[]

const addRow = prepared<UsageRow>((_db, slot) => addRows(sql`values (${sql.join(usageColumns.map(slot))})`))

/** Adds rows, except for runs that have a record already. The source has a column for each of `usageColumns`. */
export function addRows(source: RawBuilder<unknown>) {
  const columns = sql.join(usageColumns.map((name) => sql.ref(name)))
  return sql`insert into usage_records (${columns}) ${source} on conflict (run_id) do nothing`
}

/** Adds a record; returns false if the run has one already. */
async function addRecord(db: Database, record: UsageRecord): Promise<boolean> {
  const isNew = (await addRow(db, toRow(record))).numAffectedRows === 1n
  if (isNew) await addRunToSums(db, record)
  return isNew
}

export function toRow(record: UsageRecord): UsageRow {
  return {
    run_id: record.runId,
    request_id: record.requestId,
    user_id: record.userId,
    counter: record.counter,
    operation: record.operation,
    at: record.at,
    duration_ms: record.durationMs,
    first_token_ms: record.firstTokenMs,
    outcome: record.outcome,
    charged: record.charged ? 1 : 0,
    model: record.model,
    provider: record.provider,
    prompt_tokens: record.promptTokens,
    completion_tokens: record.completionTokens,
    reasoning_tokens: record.reasoningTokens,
    cached_prompt_tokens: record.cachedPromptTokens,
    cost_usd: record.costUsd,
  }
}

function toRecord(row: UsageRow): UsageRecord {
  return {
    runId: row.run_id,
    requestId: row.request_id,
    userId: row.user_id,
    counter: row.counter,
    operation: row.operation,
    at: row.at,
    durationMs: row.duration_ms,
    firstTokenMs: row.first_token_ms,
    outcome: row.outcome as UsageRecord['outcome'],
    charged: row.charged === 1,
    model: row.model,
    provider: row.provider,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    reasoningTokens: row.reasoning_tokens,
    cachedPromptTokens: row.cached_prompt_tokens,
    costUsd: row.cost_usd,
  }
}
