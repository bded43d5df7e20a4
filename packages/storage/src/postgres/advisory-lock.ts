import { sql } from 'kysely'
import type { Database } from '../sql/schema.ts'

/** Takes a lock until the transaction ends. */
export async function advisoryLock(db: Database, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`fairlead ${name}`}, 0))`.execute(db)
}
