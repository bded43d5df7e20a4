import {
  type ClaimedDelivery,
  type Delivery,
  type DeliveryFilters,
  type DeliveryStatus,
  type DeliveryStore,
  earliestId,
} from '@fairlead/core/stores'
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { isPostgres } from '../sql/dialect.ts'
import { inSlice, prepared, type Slot } from '../sql/statements.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { toEvent } from './events.ts'
import { toWebhook } from './webhooks.ts'

/** A literal, as in `fitting`, so that the databases use the indexes of pending and failed deliveries. */
const pending = sql.lit('pending')

export function sqlDeliveries(db: Database): DeliveryStore {
  const ofWebhook = (webhookId: string, status: DeliveryStatus) =>
    db.selectFrom('deliveries').select('id').where(fitting({ webhookId, status }))

  async function change(ids: ReturnType<typeof ofWebhook>, values: Partial<Row>): Promise<number> {
    const { numUpdatedRows } = await db.updateTable('deliveries').set(values).where('id', 'in', ids).executeTakeFirst()
    return Number(numUpdatedRows)
  }

  return {
    async find(id) {
      const row = await db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toDelivery(row)
    },
    async findMany(ids) {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('deliveries').selectAll().where('id', 'in', ids).execute()
      return rows.map(toDelivery)
    },
    async list(filters, slice) {
      const query = db.selectFrom('deliveries').selectAll().where(fitting(filters))
      return (await inSlice(query, slice).execute()).map(toDelivery)
    },
    async queue() {
      const { total, dueSince } = await db
        .selectFrom('deliveries')
        .select(({ fn }) => [fn.countAll<number>().as('total'), fn.min('next_attempt_at').as('dueSince')])
        .where('status', '=', pending)
        .where('webhook_id', 'in', db.selectFrom('webhooks').select('id'))
        .executeTakeFirstOrThrow()
      return { pending: Number(total), dueSince: dueSince === null ? null : Number(dueSince) }
    },
    async add(deliveries) {
      for (const delivery of deliveries) await addRow(db, toRow(delivery))
    },
    async claim({ now, leaseMs, limit, except }) {
      const due = db
        .selectFrom('deliveries')
        .innerJoin('events', 'events.id', 'deliveries.event_id')
        .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
        .leftJoin('users', 'users.id', 'webhooks.user_id')
        .selectAll('deliveries')
        .select(claimedColumns)
        .where('deliveries.status', '=', pending)
        .where('deliveries.next_attempt_at', '<=', now)
        .orderBy('deliveries.next_attempt_at')
        .limit(limit)
      const admitted = except.length === 0 ? due : due.where('deliveries.webhook_id', 'not in', except)
      // SQLite runs one transaction at a time.
      const rows = await (isPostgres(db) ? admitted.forUpdate('deliveries').skipLocked() : admitted).execute()
      if (rows.length === 0) return []
      const ids = rows.map(({ id }) => id)
      const leaseUntil = now + leaseMs
      await db.updateTable('deliveries').set({ next_attempt_at: leaseUntil }).where('id', 'in', ids).execute()
      return rows.map((row) => toClaimed(row, leaseUntil))
    },
    async replace(delivery, leaseUntil) {
      const row = toRow(delivery)
      const { numAffectedRows } =
        leaseUntil === undefined
          ? await replaceRow(db, row)
          : await replaceLeased(db, { ...row, lease_until: leaseUntil })
      return numAffectedRows === 1n
    },
    async expedite(limit, at) {
      await db
        .updateTable('deliveries')
        .set({ next_attempt_at: at })
        .where('status', '=', pending)
        .where('next_attempt_at', '>', limit)
        .execute()
    },
    async failPending(webhookId, at, limit) {
      const found = ofWebhook(webhookId, 'pending').limit(limit)
      return change(found, { status: 'failed', next_attempt_at: null, updated_at: at })
    },
    async failExcess(webhookId, { max, limit, at }) {
      const oldest = ofWebhook(webhookId, 'pending').orderBy('created_at', 'desc').orderBy('id', 'desc')
      return change(oldest.limit(limit).offset(max), { status: 'failed', next_attempt_at: null, updated_at: at })
    },
    async failOfEvents(eventIds, at) {
      if (eventIds.length === 0) return 0
      const found = db
        .selectFrom('deliveries')
        .select('id')
        .where('event_id', 'in', eventIds)
        .where('status', '=', pending)
      return change(found, { status: 'failed', next_attempt_at: null, updated_at: at })
    },
    async countFailed(webhookId, since) {
      const { total } = await db
        .selectFrom('deliveries')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where(fitting({ webhookId, status: 'failed' }))
        .where('created_at', '>=', since)
        .executeTakeFirstOrThrow()
      return Number(total)
    },
    async recover(webhookId, { since, at, limit }) {
      const failed = ofWebhook(webhookId, 'failed').where('created_at', '>=', since)
      return change(failed.limit(limit), { status: 'pending', tries: 0, next_attempt_at: at, updated_at: at })
    },
    async removeOf(webhookId, limit) {
      const found = db.selectFrom('deliveries').select('id').where('webhook_id', '=', webhookId).limit(limit)
      const { numDeletedRows } = await db.deleteFrom('deliveries').where('id', 'in', found).executeTakeFirst()
      return Number(numDeletedRows)
    },
    async purge(before, limit) {
      const oldest = db
        .selectFrom('deliveries')
        .select('id')
        .where('id', '<', earliestId('dlv', before))
        .orderBy('id')
        .limit(limit)
      const { numDeletedRows } = await db.deleteFrom('deliveries').where('id', 'in', oldest).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

function fitting({ webhookId, status, eventId }: DeliveryFilters) {
  return (where: ExpressionBuilder<Schema, 'deliveries'>) =>
    where.and([
      ...(webhookId === undefined ? [] : [where('webhook_id', '=', webhookId)]),
      ...(status === undefined ? [] : [where('status', '=', sql.lit(status))]),
      ...(eventId === undefined ? [] : [where('event_id', '=', eventId)]),
    ])
}

type Row = Selectable<Schema['deliveries']>

const columns = [
  'id',
  'webhook_id',
  'event_id',
  'event_type',
  'status',
  'attempts',
  'tries',
  'next_attempt_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof Row)[]

const addRow = prepared<Row>(
  (_db, slot) => sql`
    insert into deliveries (${sql.join(columns.map((name) => sql.ref(name)))})
    values (${sql.join(columns.map(slot))})
    on conflict (event_id, webhook_id) do nothing
  `,
)

/** Sets only the columns that change: SQLite writes each index that has one of the columns. */
function updateRow(slot: Slot<Row>) {
  const changing = ['status', 'attempts', 'tries', 'next_attempt_at', 'updated_at'] as const
  const values = changing.map((name) => sql`${sql.ref(name)} = ${slot(name)}`)
  return sql`update deliveries set ${sql.join(values)} where id = ${slot('id')}`
}

const replaceRow = prepared<Row>((_db, slot) => updateRow(slot))

const replaceLeased = prepared<Row & { readonly lease_until: number }>(
  (_db, slot) => sql`${updateRow(slot)} and next_attempt_at = ${slot('lease_until')}`,
)

function toRow(delivery: Delivery): Schema['deliveries'] {
  return {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: JSON.stringify(delivery.attempts),
    tries: delivery.tries,
    next_attempt_at: delivery.nextAttemptAt,
    created_at: delivery.createdAt,
    updated_at: delivery.updatedAt,
  }
}

function toDelivery(row: Row): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    status: row.status as DeliveryStatus,
    attempts: JSON.parse(row.attempts),
    tries: row.tries,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** The columns of a delivery's event, webhook, and owner. Those that a delivery has as well have other names. */
const claimedColumns = [
  'events.user_id as event_user_id',
  'events.resource_id',
  'events.data',
  'events.created_at as event_created_at',
  'webhooks.user_id',
  'webhooks.url',
  'webhooks.events',
  'webhooks.all_users',
  'webhooks.description',
  'webhooks.enabled',
  'webhooks.disabled_reason',
  'webhooks.secret',
  'webhooks.previous_secret',
  'webhooks.previous_secret_until',
  'webhooks.failures',
  'webhooks.last_delivered_at',
  'webhooks.created_at as webhook_created_at',
  'webhooks.updated_at as webhook_updated_at',
  'webhooks.version',
  'users.role',
  'users.status as user_status',
] as const

interface ClaimedRow extends Row, Omit<Selectable<Schema['webhooks']>, 'id' | 'created_at' | 'updated_at'> {
  readonly event_user_id: string
  readonly resource_id: string
  readonly data: string
  readonly event_created_at: number
  readonly webhook_created_at: number
  readonly webhook_updated_at: number
  readonly role: string | null
  readonly user_status: string | null
}

function toClaimed(row: ClaimedRow, leaseUntil: number): ClaimedDelivery {
  return {
    delivery: { ...toDelivery(row), nextAttemptAt: leaseUntil },
    event: toEvent({
      id: row.event_id,
      type: row.event_type,
      user_id: row.event_user_id,
      resource_id: row.resource_id,
      created_at: row.event_created_at,
      data: row.data,
    }),
    webhook: toWebhook({
      ...row,
      id: row.webhook_id,
      created_at: row.webhook_created_at,
      updated_at: row.webhook_updated_at,
    }),
    owner: toOwner(row),
  }
}

function toOwner({ role, user_status: status }: ClaimedRow): ClaimedDelivery['owner'] {
  return role === null || status === null ? undefined : ({ role, status } as ClaimedDelivery['owner'])
}
