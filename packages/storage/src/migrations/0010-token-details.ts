import type { Database } from '../sql/schema.ts'

/** The reasoning tokens and the cached prompt tokens of requests; null for those before. */
export async function tokenDetails(db: Database): Promise<void> {
  for (const column of ['reasoning_tokens', 'cached_prompt_tokens']) {
    await db.schema.alterTable('usage_records').addColumn(column, 'bigint').execute()
  }
}
