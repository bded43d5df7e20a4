import type { Database } from '../sql/schema.ts'

/** Passwords, sessions, rotated secrets of keys, throttles, settings, and sums of usage. */
export async function accounts(db: Database): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema.alterTable('api_keys').addColumn('last_used_at', 'bigint').execute()
  await db.schema.alterTable('api_keys').addColumn('previous_secret_hash', 'text').execute()
  await db.schema.alterTable('api_keys').addColumn('previous_expires_at', 'bigint').execute()
  await db.schema
    .createIndex('api_keys_of_previous_secret')
    .on('api_keys')
    .column('previous_secret_hash')
    .unique()
    .execute()
  await db.schema.createIndex('images_of_user').on('images').column('user_id').execute()
  await db.schema.createIndex('users_by_creation').on('users').columns(['created_at', 'id']).execute()
  await db.schema
    .createTable('passwords')
    .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id'))
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('generation', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('refreshed_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sessions_of_user').on('sessions').columns(['user_id', 'created_at']).execute()
  await db.schema
    .createTable('access_tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id'))
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('access_tokens_of_session').on('access_tokens').column('session_id').execute()
  await db.schema
    .createTable('throttles')
    .addColumn('bucket', 'text', (column) => column.primaryKey())
    .addColumn('hits', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('throttles_by_end').on('throttles').column('expires_at').execute()
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
  await createUsageSums(db, 'hour')
  await createUsageSums(db, 'day')
}

async function createUsageSums(db: Database, span: 'hour' | 'day'): Promise<void> {
  let table = db.schema
    .createTable(`usage_${span}s`)
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn(span, 'bigint', (column) => column.notNull())
    .addColumn('counter', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('errors', 'bigint', (column) => column.notNull())
    .addColumn('charged', 'bigint', (column) => column.notNull())
    .addColumn('prompt_tokens', 'bigint', (column) => column.notNull())
    .addColumn('completion_tokens', 'bigint', (column) => column.notNull())
    .addColumn('cost_usd', 'double precision', (column) => column.notNull())
  for (let bucket = 0; bucket < latencyBuckets; bucket++) {
    table = table.addColumn(`latency_${bucket}`, 'bigint', (column) => column.notNull().defaultTo(0))
  }
  await table
    .addPrimaryKeyConstraint(`usage_${span}s_key`, ['user_id', span, 'counter', 'operation', 'model'])
    .execute()
}

/** One more than `latencyBoundsMs` had when this was written. */
const latencyBuckets = 30
