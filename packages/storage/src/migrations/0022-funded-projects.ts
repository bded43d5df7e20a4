import type { Database } from '../sql/schema.ts'

/** Whether a project has a budget of its own alone: those from before have, and so have those that a version before creates. */
export async function fundedProjects(db: Database): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('funded', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
}
