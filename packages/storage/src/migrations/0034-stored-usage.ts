import { sql } from 'kysely'
import { isPostgres } from '../sql/dialect.ts'
import type { Database } from '../sql/schema.ts'

export const storedUsageName = '0034-stored-usage'

/**
 * The transaction that stored a usage record on PostgreSQL, so that records can be read in the order of their commits. Null
 * for records from before. SQLite has the row id.
 */
export async function storedUsage(db: Database): Promise<void> {
  if (isPostgres(db)) await addStoredIn(db)
}

/** Rewrites no row. */
export async function addStoredIn(db: Database): Promise<void> {
  await sql`alter table usage_records add column stored_in xid8`.execute(db)
  await sql`alter table usage_records alter column stored_in set default pg_current_xact_id()`.execute(db)
}
