import { isPostgres } from '../sql/dialect.ts'
import type { Database } from '../sql/schema.ts'
import { partitionByMonth } from './partition-by-month.ts'

/** Usage records in partitions by month on PostgreSQL. */
export async function usageByMonth(db: Database): Promise<void> {
  if (isPostgres(db)) await partitionByMonth(db, { table: 'usage_records', prefix: 'run', id: 'run_id' })
}
