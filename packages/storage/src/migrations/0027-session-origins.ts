import type { Database } from '../sql/schema.ts'

/** Where a session began and when it was last used, and the networks from which the sessions of a user may be used, as JSON. */
export async function sessionOrigins(db: Database): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('user_agent', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('address', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('last_used_at', 'bigint').execute()
  await db.schema.alterTable('users').addColumn('allowed_networks', 'text').execute()
}
