import type { Database } from '../sql/schema.ts'

/** Versions of API keys, for their events, and marks of counters whose quota events were emitted. */
export async function eventVersions(db: Database): Promise<void> {
  await db.schema
    .alterTable('api_keys')
    .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute()
  for (const mark of ['warned', 'exceeded']) {
    await db.schema
      .alterTable('counters')
      .addColumn(mark, 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  }
}
