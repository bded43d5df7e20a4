import type { Database } from '../sql/schema.ts'

/**
 * Whether the email address of a user is known to be theirs. It counts as that for users from before, but not for those that
 * a version before creates later.
 */
export async function verifiedEmails(db: Database): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('email_verified', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.updateTable('users').set({ email_verified: 1 }).execute()
}
