import { earliestId, type UsageRecord, type UsageStore } from '@fairlead/core/stores'
import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../sql/statements.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { addRunToSums, purgeSums, totalSums } from './usage-sums.ts'

export function sqlUsage(db: Database): UsageStore {
  return {
    async ofRequest(requestId) {
      const rows = await db.selectFrom('usage_records').selectAll().where('request_id', '=', requestId).execute()
      return rows.map(toRecord)
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

export type UsageRow = Schema['usage_records']

export const usageColumns = [
  'run_id',
  'request_id',
  'user_id',
  'counter',
  'operation',
  'at',
  'duration_ms',
  'outcome',
  'charged',
  'model',
  'provider',
  'prompt_tokens',
  'completion_tokens',
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
    outcome: record.outcome,
    charged: record.charged ? 1 : 0,
    model: record.model,
    provider: record.provider,
    prompt_tokens: record.promptTokens,
    completion_tokens: record.completionTokens,
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
    outcome: row.outcome as UsageRecord['outcome'],
    charged: row.charged === 1,
    model: row.model,
    provider: row.provider,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    costUsd: row.cost_usd,
  }
}
