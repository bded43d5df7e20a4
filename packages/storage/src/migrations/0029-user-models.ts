import type { Database } from '../sql/schema.ts'

/** The models that a user may call, as JSON. */
export async function userModels(db: Database): Promise<void> {
  await db.schema.alterTable('users').addColumn('models', 'text').execute()
}
