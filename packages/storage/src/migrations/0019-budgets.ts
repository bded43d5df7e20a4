import type { Database } from '../sql/schema.ts'

/** Budgets of users, what budgets have spent, and what calls in progress have reserved of them. */
export async function budgets(db: Database): Promise<void> {
  await db.schema.alterTable('users').addColumn('budget_usd', 'double precision').execute()
  await db.schema.alterTable('users').addColumn('budget_period', 'text').execute()
  await db.schema
    .createTable('spend')
    .addColumn('budget', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('spent', 'bigint', (column) => column.notNull())
    .addColumn('reserved', 'bigint', (column) => column.notNull())
    .addColumn('marked', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('spend_key', ['budget', 'period'])
    .execute()
  await db.schema
    .createTable('holds')
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('budget', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('holds_key', ['run_id', 'budget'])
    .execute()
  await db.schema.createIndex('holds_by_expiry').on('holds').column('expires_at').execute()
}
