import { patternsFor, type Subscription, type WebhookRow, type WebhookStore } from '@fairlead/webhooks/stores'
import { type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { containing, equal, purge, RecordTable, upsert } from '../sql/record-table.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { ownerColumn, prepared, toRow } from '../sql/statements.ts'

type Row = Schema['webhooks']

export function sqlWebhooks(db: Database): WebhookStore {
  const webhooks = new RecordTable(db, 'webhooks', toWebhook)
  return {
    find: (id) => webhooks.find(id),
    findMany: (ids) => webhooks.findMany(ids),
    list: ({ userId, enabled }, slice) =>
      webhooks.list(
        equal<'webhooks'>({
          user_id: userId === undefined ? undefined : ownerColumn(userId),
          enabled: enabled === undefined ? undefined : Number(enabled),
        }),
        slice,
      ),
    count: (userId) => webhooks.count(equal<'webhooks'>({ user_id: ownerColumn(userId) })),
    async subscribed(userIds) {
      const found = new Map<string, WebhookRow>()
      // Most transactions cause events of one owner. Null equals no owner.
      for (const owner of userIds.length === 0 ? [null] : userIds.map(ownerColumn)) {
        const { rows } = await selectSubscribed(db, { owner })
        for (const { is_admin: isAdmin, ...row } of rows) {
          found.set(row.id, toWebhook({ ...row, all_users: row.all_users && isAdmin }))
        }
      }
      return [...found.values()]
    },
    async subscriptionsTo(types, now) {
      if (types.length === 0) return []
      const patterns = [...new Set(types.flatMap(patternsFor))].map((pattern) => JSON.stringify(pattern))
      const matches = sql.join(
        patterns.map((pattern) => containing(sql.ref('events'), pattern)),
        sql` or `,
      )
      const { rows } = await sql<Pick<Row, 'user_id' | 'all_users' | 'events'>>`
        select user_id, all_users, events from webhooks where enabled = 1 and (${matches})
        union all
        select user_id, all_users, events from event_streams where ends_at > ${now} and (${matches})
      `.execute(db)
      return rows.map(toSubscription)
    },
    countDisabled: () => webhooks.count([sql<SqlBool>`disabled_reason is not null`]),
    async add(webhook) {
      await db.insertInto('webhooks').values(toWebhookRow(webhook)).execute()
    },
    take: (id) => webhooks.take(id, 'version'),
    async replace(webhook) {
      const { id, last_delivered_at: _at, failures: _failures, ...values } = toWebhookRow(webhook)
      await db.updateTable('webhooks').set(values).where('id', '=', id).execute()
    },
    async setHealth(id, health) {
      await db.updateTable('webhooks').set(toRow(health)).where('id', '=', id).execute()
    },
    async remove(id) {
      await webhooks.remove(sql`id = ${id}`)
    },
    removeAllOf: (userId) => webhooks.remove(...equal<'webhooks'>({ user_id: userId })),
    keepStream: (id, subscription, until) =>
      upsert(db, 'event_streams', 'id', {
        ...toRow(subscription),
        user_id: ownerColumn(subscription.userId),
        id,
        ends_at: until,
      }),
    async removeStream(id) {
      await db.deleteFrom('event_streams').where('id', '=', id).execute()
    },
    purgeStreams: (before, limit) => purge(db, { from: 'event_streams', key: ['id'], by: 'ends_at' }, before, limit),
  }
}

const yes = sql.lit(1)

const columns = [
  'id',
  'user_id',
  'url',
  'description',
  'events',
  'all_users',
  'enabled',
  'disabled_reason',
  'last_delivered_at',
  'failures',
  'secret',
  'previous_secret',
  'previous_secret_until',
  'created_at',
  'updated_at',
  'version',
] as const satisfies readonly (keyof Row)[]

/**
 * The webhooks that `subscribed` returns for one owner. It names the columns: PostgreSQL rejects a prepared `select *` after
 * a newer version has added one.
 */
const selectSubscribed = prepared<{ readonly owner: string | null }, Row & { readonly is_admin: number }>((db, slot) =>
  db
    .selectFrom('webhooks')
    .select(columns)
    .select((where) => where.case().when(ownedByAdmin(where)).then(yes).else(sql.lit(0)).end().as('is_admin'))
    .where('enabled', '=', yes)
    .where((where) =>
      where.or([where.and([where('all_users', '=', yes), ownedByAdmin(where)]), where('user_id', '=', slot('owner'))]),
    ),
)

function ownedByAdmin(where: ExpressionBuilder<Schema, 'webhooks'>) {
  const admin = where
    .selectFrom('users')
    .select('users.id')
    // By id for each webhook: there are many more users than webhooks for all users.
    .whereRef('users.id', '=', 'webhooks.user_id')
    .where('role', '=', sql.lit('admin'))
    .where('status', '=', sql.lit('active'))
  return where.or([where('user_id', '=', sql.lit(ownerColumn(null))), where.exists(admin)])
}

function toWebhookRow(webhook: WebhookRow): Row {
  return { ...toRow(webhook), user_id: ownerColumn(webhook.userId) }
}

function toSubscription(row: Pick<Row, 'user_id' | 'all_users' | 'events'>): Subscription {
  return { userId: row.user_id || null, allUsers: row.all_users === 1, events: JSON.parse(row.events) }
}

export function toWebhook(row: Row): WebhookRow {
  return {
    ...toSubscription(row),
    id: row.id,
    url: row.url,
    description: row.description,
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    lastDeliveredAt: row.last_delivered_at,
    failures: row.failures === null ? null : JSON.parse(row.failures),
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousSecretUntil: row.previous_secret_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}
