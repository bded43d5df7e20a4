import { earliestId, type UsageRecord, type UsageStore } from '@fairlead/core/stores'
import { prepared } from '../sql/statements.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { addRunsToSums, addRunToSums, purgeSums, totalSums } from './usage-sums.ts'

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

const addRow = prepared<Schema['usage_records']>((db, slot) =>
  db
    .insertInto('usage_records')
    .values({
      run_id: slot('run_id'),
      request_id: slot('request_id'),
      user_id: slot('user_id'),
      counter: slot('counter'),
      operation: slot('operation'),
      at: slot('at'),
      duration_ms: slot('duration_ms'),
      outcome: slot('outcome'),
      charged: slot('charged'),
      model: slot('model'),
      provider: slot('provider'),
      prompt_tokens: slot('prompt_tokens'),
      completion_tokens: slot('completion_tokens'),
      cost_usd: slot('cost_usd'),
    })
    .onConflict((conflict) => conflict.column('run_id').doNothing()),
)

/** Adds a record; returns false if the run has one already. */
async function addRecord(db: Database, record: UsageRecord): Promise<boolean> {
  const isNew = (await addRow(db, toRow(record))).numAffectedRows === 1n
  if (isNew) await addRunToSums(db, record)
  return isNew
}

/** Adds records in few statements; returns which of them are new. */
export async function addUsage(db: Database, records: readonly UsageRecord[]): Promise<readonly boolean[]> {
  const rows = await db
    .insertInto('usage_records')
    .values(records.map(toRow))
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .returning('run_id')
    .execute()
  const added = new Set(rows.map(({ run_id: runId }) => runId))
  // Of two records of the same run, the first one was added.
  const areNew = records.map(({ runId }) => added.delete(runId))
  await addRunsToSums(
    db,
    records.filter((_, place) => areNew[place]),
  )
  return areNew
}

function toRow(record: UsageRecord): Schema['usage_records'] {
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

function toRecord(row: Schema['usage_records']): UsageRecord {
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
