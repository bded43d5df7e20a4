import type { Database } from '../sql/schema.ts'

/** The audit log, and the end of each month's chain. */
export async function auditLog(db: Database): Promise<void> {
  await db.schema
    .createTable('audit_entries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('month', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('actor', 'text')
    .addColumn('credential', 'text')
    .addColumn('target_type', 'text', (column) => column.notNull())
    .addColumn('target_id', 'text')
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addColumn('address', 'text')
    .addColumn('request_id', 'text')
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
  const index = (name: string, columns: readonly string[]) =>
    db.schema
      .createIndex(`audit_entries_${name}`)
      .on('audit_entries')
      .columns([...columns])
  await index('in_order', ['month', 'number']).unique().execute()
  await index('by_time', ['created_at', 'id']).execute()
  for (const column of ['actor', 'credential', 'action', 'target_id']) {
    await index(`by_${column}`, [column, 'created_at', 'id']).execute()
  }
  await db.schema
    .createTable('audit_months')
    .addColumn('month', 'text', (column) => column.primaryKey())
    .addColumn('entries', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
}
