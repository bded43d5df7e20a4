import type { Database } from '../sql/schema.ts'

/**
 * Whether only its own budget pays for a project: true for older ones, and for ones that an earlier version creates.
 */
export async function fundedProjects(db: Database): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('funded', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
}
