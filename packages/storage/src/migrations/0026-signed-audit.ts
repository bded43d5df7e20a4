import type { Database } from '../sql/schema.ts'

/** Signatures of the entries of the audit log, the chain of its months, and its signed head. Versions before leave them out. */
export async function signedAudit(db: Database): Promise<void> {
  for (const column of ['key_id', 'mac']) {
    await db.schema.alterTable('audit_entries').addColumn(column, 'text').execute()
  }
  await db.schema.alterTable('audit_months').addColumn('link', 'text').execute()
  await db.schema.alterTable('audit_months').addColumn('closed', 'integer').execute()
  await db.schema
    .createTable('audit_heads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('mac', 'text', (column) => column.notNull())
    .execute()
}
