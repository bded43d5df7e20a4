import { sql } from 'kysely'
import type { Database } from '../sql/schema.ts'

/**
 * Lets workers skip the deliveries of a slow webhook without reading them, and finds the pending and failed deliveries of
 * a webhook among many delivered ones.
 */
export async function deliveryIndexes(db: Database): Promise<void> {
  await db.schema.dropIndex('deliveries_due').execute()
  await createPartial(db, 'deliveries_due', 'pending', ['next_attempt_at', 'webhook_id'])
  await createPartial(db, 'deliveries_pending', 'pending', ['webhook_id', 'created_at', 'id'])
  await createPartial(db, 'deliveries_failed', 'failed', ['webhook_id', 'created_at', 'id'])
}

async function createPartial(db: Database, name: string, status: string, columns: readonly string[]): Promise<void> {
  await db.schema
    .createIndex(name)
    .on('deliveries')
    .columns([...columns])
    .where(sql<boolean>`status = ${sql.lit(status)}`)
    .execute()
}
