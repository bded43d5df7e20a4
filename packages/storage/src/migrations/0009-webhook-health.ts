import type { Database } from '../sql/schema.ts'

/** When a delivery of a webhook last succeeded. */
export async function webhookHealth(db: Database): Promise<void> {
  await db.schema.alterTable('webhooks').addColumn('last_delivered_at', 'bigint').execute()
}
