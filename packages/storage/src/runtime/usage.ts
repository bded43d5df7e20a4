import {
  earliestId,
  madeAt,
  usagePosition,
  runIdBounds,
  type Slice,
  sliceOfUsage,
  type TagFilter,
  type UsageDetails,
  type UsageFilters,
  type UsageRecord,
  type UsageStore,
  type UsageView,
} from '@fairlead/core/stores'
import { sql, type SqlBool } from 'kysely'
import { isPostgres, type SqlDialect } from '../sql/dialect.ts'
import { type Conditions, equal } from '../sql/record-table.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { insertInto, prepared } from '../sql/statements.ts'
import { timedUsage } from '../sql/timed-tables.ts'
import { addRunToSums, markHour, purgeSums, totalSums } from './usage-sums.ts'
import { addToTags, purgeTags, totalTags } from './usage-tags.ts'

export function sqlUsage(db: Database, dialect: Pick<SqlDialect, 'purge'>): UsageStore & UsageView {
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
      const matches = contentFilters(db, filters)
      const inOrder = recordsInOrder(db, filters, slice)
      if (matches.length === 0) return { records: (await inOrder.limit(slice.limit).execute()).map(toRecord) }
      const lastHour = await lastHourOfUser(db, filters, slice)
      if (lastHour === 'none') return { records: [] }
      const examined = lastHour === undefined ? inOrder : inOrder.where('run_id', '<', endOfHour(lastHour))
      const rows = await db
        .selectFrom(examined.limit(maxExamined).as('usage_records'))
        .selectAll()
        .where((where) => where.and(matches))
        .orderBy('run_id', toDirection(slice))
        .limit(slice.limit)
        .execute()
      const records = rows.map(toRecord)
      if (records.length === slice.limit) return { records }
      const last = await examined
        .offset(maxExamined - 1)
        .limit(1)
        .executeTakeFirst()
      return { records, examinedTo: last && usagePosition(toRecord(last)) }
    },
    totals: (query) => (query.tag ? totalTags(db, query, query.tag) : totalSums(db, query)),
    add: (record) => addRecord(db, record),
    addRejected: (records) => addRejected(db, records),
    purge: (before, limit) => dialect.purge(db, timedUsage, before, limit),
    async purgeTotals(before, limit) {
      const removed = await purgeSums(db, before, limit)
      return removed === limit ? removed : removed + (await purgeTags(db, before, limit - removed))
    },
  }
}

const hourMs = 3_600_000

const toDirection = ({ first }: Slice) => (first === 'oldest' ? 'asc' : 'desc')

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
    .orderBy('run_id', toDirection(slice))
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
function contentFilters(
  db: Database,
  { userId, credential, model, operation, charged, status, tag }: UsageFilters,
): Conditions {
  return [
    ...equal<'usage_records'>({
      user_id: userId,
      model,
      operation,
      charged: charged === undefined ? undefined : Number(charged),
    }),
    ...(status === undefined
      ? []
      : [status === 'error' ? sql<SqlBool>`outcome <> 'ok'` : sql<SqlBool>`outcome = ${status}`]),
    ...(credential === 'sessions'
      ? [sql<SqlBool>`counter = user_id`]
      : equal<'usage_records'>({ counter: credential })),
    ...(tag ? [hasTag(db, tag)] : []),
  ]
}

function hasTag(db: Database, { name, value }: TagFilter) {
  if (isPostgres(db)) {
    const found = sql`cast(details as json) -> 'tags' ->> cast(${name} as text)`
    return value === undefined ? sql<SqlBool>`${found} is not null` : sql<SqlBool>`${found} = ${value}`
  }
  const matches = value === undefined ? sql`true` : sql`value = ${value}`
  return sql<SqlBool>`exists (select 1 from json_each(details, '$.tags') where key = ${name} and ${matches})`
}

export const addRow = prepared<UsageRecord>(
  (_db, slot, first) => sql`${insertInto('usage_records', first, slot)} on conflict (run_id) do nothing`,
)

/** Adds a record; returns false if the run has one already. */
async function addRecord(db: Database, record: UsageRecord): Promise<boolean> {
  const isNew = (await addRow(db, record)).numAffectedRows === 1n
  if (isNew) await addRunToSums(db, record)
  if (isNew && record.details?.tags) await addToTags(db, record, record.details.tags)
  return isNew
}

/** The users are sorted, because two processes that mark the same hours in a different order could deadlock. */
async function addRejected(db: Database, records: readonly UsageRecord[]): Promise<void> {
  for (const record of records) await addRow(db, record)
  const hours = Map.groupBy(records, ({ userId, at }) => `${userId} ${Math.floor(at / hourMs)}`)
  for (const [, [record]] of [...hours].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await markHour(db, record!.userId, record!.at)
  }
}

function toFlag(column: number | null): boolean | null {
  return column === null ? null : column === 1
}

export function toRecord(row: Schema['usage_records']): UsageRecord {
  return {
    runId: row.run_id,
    requestId: row.request_id,
    userId: row.user_id,
    counter: row.counter,
    operation: row.operation,
    at: row.at,
    durationMs: row.duration_ms,
    firstTokenMs: row.first_token_ms,
    outcome: row.outcome,
    charged: row.charged === 1,
    model: row.model,
    provider: row.provider,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    reasoningTokens: row.reasoning_tokens,
    cachedPromptTokens: row.cached_prompt_tokens,
    costUsd: row.cost_usd,
    stream: toFlag(row.stream),
    cached: toFlag(row.cached),
    details: row.details === null ? null : (JSON.parse(row.details) as UsageDetails),
  }
}
