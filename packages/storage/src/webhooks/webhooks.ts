import {
  type DisabledReason,
  patternsFor,
  type Subscription,
  type Webhook,
  type WebhookFilters,
  type WebhookHealth,
  type WebhookStore,
} from '@fairlead/core/stores'
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { containing, inSlice, prepared } from '../sql/statements.ts'
import type { Database, Schema } from '../sql/schema.ts'

type Row = Selectable<Schema['webhooks']>

export function sqlWebhooks(db: Database): WebhookStore {
  async function count(filter: (where: ExpressionBuilder<Schema, 'webhooks'>) => Filter): Promise<number> {
    const { total } = await db
      .selectFrom('webhooks')
      .select((select) => select.fn.countAll<number>().as('total'))
      .where(filter)
      .executeTakeFirstOrThrow()
    return Number(total)
  }

  return {
    async find(id) {
      const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toWebhook(row)
    },
    async findMany(ids) {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('webhooks').selectAll().where('id', 'in', ids).execute()
      return rows.map(toWebhook)
    },
    async list(filters, slice) {
      const query = db.selectFrom('webhooks').selectAll().where(fitting(filters))
      return (await inSlice(query, slice).execute()).map(toWebhook)
    },
    count: (userId) => count((where) => where('user_id', '=', ownerOf(userId))),
    async subscribed(userIds) {
      const found = new Map<string, Webhook>()
      // Most transactions cause events of one owner. Null equals no owner.
      for (const owner of userIds.length === 0 ? [null] : userIds.map(ownerOf)) {
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
      const rows = await db
        .selectFrom('webhooks')
        .select(['user_id', 'all_users', 'events'])
        .where('enabled', '=', 1)
        .where((where) => where.or(patterns.map((pattern) => containing(sql.ref('events'), pattern))))
        .unionAll(
          db
            .selectFrom('event_streams')
            .select(['user_id', 'all_users', 'events'])
            .where('ends_at', '>', now)
            .where((where) => where.or(patterns.map((pattern) => containing(sql.ref('events'), pattern)))),
        )
        .execute()
      return rows.map(toSubscription)
    },
    countDisabled: () => count((where) => where('disabled_reason', 'is not', null)),
    async add(webhook) {
      await db
        .insertInto('webhooks')
        .values({ ...toRow(webhook), ...toHealthRow(webhook) })
        .execute()
    },
    async take(id) {
      // An update that changes nothing locks the row on every database, and returns its current state.
      const row = await db
        .updateTable('webhooks')
        .set((column) => ({ version: column.ref('version') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toWebhook(row)
    },
    async replace(webhook) {
      const { id, ...values } = toRow(webhook)
      await db.updateTable('webhooks').set(values).where('id', '=', id).execute()
    },
    async setHealth(id, health) {
      await db.updateTable('webhooks').set(toHealthRow(health)).where('id', '=', id).execute()
    },
    async remove(id) {
      await db.deleteFrom('webhooks').where('id', '=', id).execute()
    },
    async removeAllOf(userId) {
      const removed = await db.deleteFrom('webhooks').where('user_id', '=', userId).returning('id').execute()
      return removed.map(({ id }) => id)
    },
    async keepStream(id, subscription, until) {
      const values = { ...toSubscriptionRow(subscription), ends_at: until }
      await db
        .insertInto('event_streams')
        .values({ id, ...values })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
        .execute()
    },
    async removeStream(id) {
      await db.deleteFrom('event_streams').where('id', '=', id).execute()
    },
    async purgeStreams(before, limit) {
      const ended = db.selectFrom('event_streams').select('id').where('ends_at', '<', before).limit(limit)
      const { numDeletedRows } = await db.deleteFrom('event_streams').where('id', 'in', ended).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

const yes = sql.lit(1)

/** The webhooks that `subscribed` returns for one owner. */
const selectSubscribed = prepared<{ readonly owner: string | null }, Row & { readonly is_admin: number }>((db, slot) =>
  db
    .selectFrom('webhooks')
    .selectAll()
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
  return where.or([where('user_id', '=', sql.lit(ownerOf(null))), where.exists(admin)])
}

type Filter = ReturnType<ReturnType<typeof fitting>>

function fitting({ userId, enabled }: WebhookFilters) {
  return (where: ExpressionBuilder<Schema, 'webhooks'>) =>
    where.and([
      ...(userId === undefined ? [] : [where('user_id', '=', ownerOf(userId))]),
      ...(enabled === undefined ? [] : [where('enabled', '=', Number(enabled))]),
    ])
}

/** The column of an owner. Webhooks and events of an embedding program have the owner ''. */
export function ownerOf(userId: string | null): string {
  return userId ?? ''
}

function toSubscriptionRow({ userId, allUsers, events }: Subscription) {
  return { user_id: ownerOf(userId), all_users: Number(allUsers), events: JSON.stringify(events) }
}

function toSubscription(row: Pick<Row, 'user_id' | 'all_users' | 'events'>): Subscription {
  return { userId: row.user_id || null, allUsers: row.all_users === 1, events: JSON.parse(row.events) }
}

/** All columns except the health, which has a method of its own. */
function toRow(webhook: Webhook) {
  return {
    ...toSubscriptionRow(webhook),
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    enabled: Number(webhook.enabled),
    disabled_reason: webhook.disabledReason,
    secret: webhook.secret,
    previous_secret: webhook.previousSecret,
    previous_secret_until: webhook.previousSecretUntil,
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
    version: webhook.version,
  }
}

function toHealthRow({ lastDeliveredAt, failures }: WebhookHealth) {
  return { last_delivered_at: lastDeliveredAt, failures: failures && JSON.stringify(failures) }
}

export function toWebhook(row: Row): Webhook {
  return {
    ...toSubscription(row),
    id: row.id,
    url: row.url,
    description: row.description,
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason as DisabledReason | null,
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
