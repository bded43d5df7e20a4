import type { Database } from '../sql/schema.ts'

/** The limits of API keys, as JSON; null for keys without any. */
export async function keyLimits(db: Database): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('limits', 'text').execute()
}
