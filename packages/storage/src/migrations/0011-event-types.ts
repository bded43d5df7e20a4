import type { Database } from '../sql/schema.ts'

/** Finds the events of a type without reading others, and gives each node a separate row to write to. */
export async function eventTypes(db: Database): Promise<void> {
  await db.schema.createIndex('events_of_type').on('events').columns(['type', 'created_at', 'id']).execute()
  await db.schema
    .createIndex('events_of_user_and_type')
    .on('events')
    .columns(['user_id', 'type', 'created_at', 'id'])
    .execute()
  await db.schema
    .createTable('write_checks')
    .addColumn('node', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
  await db.deleteFrom('settings').where('name', '=', 'write_check').execute()
}
