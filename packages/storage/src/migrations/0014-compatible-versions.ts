import type { Database } from '../sql/schema.ts'

/** The migration that a version needs to use the tables after another one. */
export async function compatibleVersions(db: Database): Promise<void> {
  await db.schema.alterTable('migrations').addColumn('compatible_from', 'text').execute()
}
