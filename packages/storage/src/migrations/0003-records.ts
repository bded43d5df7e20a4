import type { Database } from '../sql/schema.ts'

/** Shipments, and the claims of Idempotency-Keys. */
export async function records(db: Database): Promise<void> {
  await db.schema
    .createTable('shipments')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('carrier', 'text')
    .addColumn('tracking_number', 'text')
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('destination', 'text', (column) => column.notNull())
    .addColumn('parcels', 'text', (column) => column.notNull())
    .addColumn('notes', 'text')
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('estimated_delivery', 'text')
    .addColumn('history', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
  for (const [name, columns, unique] of shipmentIndexes) {
    const index = db.schema
      .createIndex(name)
      .on('shipments')
      .columns([...columns])
    await (unique ? index.unique() : index).execute()
  }
  await db.schema
    .createTable('claims')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .execute()
  await db.schema.createIndex('claims_by_age').on('claims').column('at').execute()
}

/** One for each way to list shipments: of an owner or of all, filtered or not. */
const shipmentIndexes = [
  ['shipments_reference_of_user', ['user_id', 'reference'], true],
  ['shipments_of_user', ['user_id', 'created_at', 'id'], false],
  ['shipments_of_user_by_status', ['user_id', 'status', 'created_at', 'id'], false],
  ['shipments_of_user_by_carrier', ['user_id', 'carrier', 'created_at', 'id'], false],
  ['shipments_by_creation', ['created_at', 'id'], false],
  ['shipments_by_status', ['status', 'created_at', 'id'], false],
  ['shipments_by_carrier', ['carrier', 'created_at', 'id'], false],
  ['shipments_by_reference', ['reference', 'created_at', 'id'], false],
] as const
