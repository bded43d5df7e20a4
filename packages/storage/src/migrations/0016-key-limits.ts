import type { Database } from '../sql/schema.ts'

/** The limits of API keys, as JSON, whether the keys of a user share a quota, and daily sums of the usage by tag. */
export async function keyLimits(db: Database): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('limits', 'text').execute()
  await db.schema
    .alterTable('users')
    .addColumn('quota_scope', 'text', (column) => column.notNull().defaultTo('key'))
    .execute()
  const sum = ['requests', 'errors', 'charged', 'prompt_tokens', 'completion_tokens'] as const
  let table = db.schema
    .createTable('usage_tags')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('tag', 'text', (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
  for (const name of sum) table = table.addColumn(name, 'bigint', (column) => column.notNull())
  await table
    .addColumn('cost_usd', 'double precision', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_tags_key', ['user_id', 'tag', 'day', 'value'])
    .execute()
  await db.schema.createIndex('usage_tags_by_day').on('usage_tags').column('day').execute()
}
