import { sql } from 'kysely'
import type { Database } from '../sql/schema.ts'

/**
 * Projects, which are rows of the users, their members and invitations, and the entries of the audit log about them. Foreign
 * keys cascade, because versions before do
 * not know the tables when they delete a user.
 */
export async function projects(db: Database): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('user'))
    .execute()
  await db.schema.alterTable('users').addColumn('created_by', 'text').execute()
  const index = (name: string, columns: readonly string[]) =>
    sql`create index ${sql.ref(name)} on users (${sql.join(columns.map((column) => sql.ref(column)))}) where kind = 'project'`
  await index('projects_by_creation', ['created_at', 'id']).execute(db)
  await index('projects_by_creator', ['created_by']).execute(db)
  await db.schema
    .createTable('project_members')
    .addColumn('project_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('project_members_key', ['project_id', 'user_id'])
    .execute()
  await db.schema.createIndex('project_members_of_user').on('project_members').column('user_id').execute()
  await db.schema
    .createTable('project_invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('email', 'text')
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_by', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('accepted_at', 'bigint')
    .addColumn('accepted_by', 'text')
    .execute()
  await db.schema
    .createIndex('project_invitations_of_project')
    .on('project_invitations')
    .columns(['project_id', 'created_at', 'id'])
    .execute()
  await db.schema.createIndex('project_invitations_by_end').on('project_invitations').column('expires_at').execute()
  await db.schema.alterTable('audit_entries').addColumn('project_id', 'text').execute()
  await db.schema
    .createIndex('audit_entries_by_project')
    .on('audit_entries')
    .columns(['project_id', 'created_at', 'id'])
    .where('project_id', 'is not', null)
    .execute()
}
