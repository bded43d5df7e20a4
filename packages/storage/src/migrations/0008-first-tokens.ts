import type { Database } from '../sql/schema.ts'

/** The time to the first token of streams, and its histograms in the sums of usage. */
export async function firstTokens(db: Database): Promise<void> {
  await db.schema.alterTable('usage_records').addColumn('first_token_ms', 'bigint').execute()
  for (const table of ['usage_hours', 'usage_days']) {
    for (let bucket = 0; bucket < firstTokenBuckets; bucket++) {
      await db.schema
        .alterTable(table)
        .addColumn(`first_token_${bucket}`, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    }
  }
}

/** One more than `latencyBoundsMs` had when this was written. */
const firstTokenBuckets = 30
