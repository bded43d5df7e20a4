import { sql } from 'kysely'
import type { Database } from '../sql/schema.ts'

/**
 * When the issuer of an identity last confirmed a session, and who is an admin by an identity alone. Databases
 * from before keep their defaults, such as sessions without an end, unless the operator sets others.
 */
export async function confirmedSessions(db: Database): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('admin_by_identity', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('sessions').addColumn('confirmed_at', 'bigint').execute()
  await db.schema.alterTable('sessions').addColumn('issuer_token', 'text').execute()
  await sql`
    insert into settings (name, value)
    select 'defaults', '1' where exists (select 1 from users)
    on conflict (name) do nothing
  `.execute(db)
}
