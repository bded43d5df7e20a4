import type { Database } from '../sql/schema.ts'

/** Indexes that find expired records. The ids of other purged records contain their time. */
export async function ages(db: Database): Promise<void> {
  await db.schema.createIndex('counters_by_period').on('counters').column('period').execute()
  await db.schema.createIndex('usage_hours_by_hour').on('usage_hours').column('hour').execute()
  await db.schema.createIndex('usage_days_by_day').on('usage_days').column('day').execute()
  await db.schema.createIndex('sessions_by_end').on('sessions').column('expires_at').execute()
}
