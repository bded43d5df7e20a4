import { sql } from 'kysely'
import { isPostgres } from '../sql/dialect.ts'
import type { Database } from '../sql/schema.ts'

/** Webhooks, the deliveries of events to them, and the subscriptions of open streams. Events get their resource and their order. */
export async function webhooks(db: Database): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('all_users', 'integer', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('disabled_reason', 'text')
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_secret_until', 'bigint')
    .addColumn('failures', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('event_streams')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('all_users', 'integer', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .execute()
  await createEvents(db)
  for (const [name, table, columns] of indexes) {
    await db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute()
  }
  // Most deliveries are delivered, and no worker reads them again.
  await db.schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .column('next_attempt_at')
    .where(sql<boolean>`status = 'pending'`)
    .execute()
  await db.schema
    .createIndex('deliveries_of_event')
    .on('deliveries')
    .columns(['event_id', 'webhook_id'])
    .unique()
    .execute()
}

/**
 * `position` follows the order of commits on SQLite, which runs one transaction at a time. PostgreSQL needs the ids of
 * the transactions as well. Earlier versions wrote events that nothing read.
 */
async function createEvents(db: Database): Promise<void> {
  await db.schema.dropTable('events').execute()
  const columns = sql`
    id text not null unique,
    type text not null,
    user_id text not null,
    resource_id text not null,
    created_at bigint not null,
    data text not null
  `
  if (!isPostgres(db)) {
    await sql`create table events (position integer primary key autoincrement, ${columns})`.execute(db)
    return
  }
  await sql`
    create table events (
      position bigint generated always as identity,
      transaction_id xid8 not null default pg_current_xact_id(),
      ${columns},
      primary key (transaction_id, position)
    )
  `.execute(db)
}

const indexes = [
  ['webhooks_of_all_users', 'webhooks', ['all_users']],
  ['webhooks_of_user', 'webhooks', ['user_id', 'created_at', 'id']],
  ['deliveries_of_webhook', 'deliveries', ['webhook_id', 'created_at', 'id']],
  ['events_by_creation', 'events', ['created_at', 'id']],
  ['events_of_user', 'events', ['user_id', 'created_at', 'id']],
  ['events_of_resource', 'events', ['resource_id', 'created_at', 'id']],
] as const
