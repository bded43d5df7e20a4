import type { Database } from '../sql/schema.ts'

/** Identities of users, and what their issuers call the sessions. */
export async function identities(db: Database): Promise<void> {
  await db.schema
    .createTable('identities')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    // Versions before do not know the table when they delete a user.
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('identities_key', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('identities_of_user').on('identities').column('user_id').execute()
  await db.schema.alterTable('sessions').addColumn('issuer_session', 'text').execute()
  await db.schema
    .createIndex('sessions_of_issuer_session')
    .on('sessions')
    .column('issuer_session')
    .where('issuer_session', 'is not', null)
    .execute()
}
