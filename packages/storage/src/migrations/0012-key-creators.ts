import type { Database } from '../sql/schema.ts'

/** The API key or session that created each API key; null for keys before. */
export async function keyCreators(db: Database): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('created_by', 'text').execute()
  await db.schema.createIndex('api_keys_of_creator').on('api_keys').column('created_by').execute()
}
