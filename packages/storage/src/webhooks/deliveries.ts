import type {
  ClaimedDelivery,
  DeliveryRow,
  DeliveryFilters,
  DeliveryStatus,
  DeliveryStore,
} from '@fairlead/webhooks/stores'
import { earliestId } from '@fairlead/core/stores'
import { sql, type SqlBool } from 'kysely'
import { isPostgres } from '../sql/dialect.ts'
import { type Conditions, equal, purge, RecordTable } from '../sql/record-table.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { columnName, insertInto, prepared, type Slot } from '../sql/statements.ts'
import { toOwner } from '../accounts/owners.ts'
import { sqlMembers } from '../accounts/project-members.ts'
import { toEvent } from './events.ts'
import { toWebhook } from './webhooks.ts'

/** A literal, as in `whereClauses`, so that the databases use the indexes of pending and failed deliveries. */
const pending = sql.lit<DeliveryStatus>('pending')

export function sqlDeliveries(db: Database): DeliveryStore {
  const deliveries = new RecordTable(db, 'deliveries', toDelivery)
  const ofWebhook = (webhookId: string, status: DeliveryStatus) =>
    db
      .selectFrom('deliveries')
      .select('id')
      .where(({ and }) => and(whereClauses({ webhookId, status })))

  async function change(ids: ReturnType<typeof ofWebhook>, values: Partial<Row>): Promise<number> {
    const { numUpdatedRows } = await db.updateTable('deliveries').set(values).where('id', 'in', ids).executeTakeFirst()
    return Number(numUpdatedRows)
  }

  /** Adds the event, the webhook, and the owner. Another transaction may have removed the event or the webhook since. */
  async function withContext(claimed: readonly DeliveryRow[]): Promise<readonly ClaimedDelivery[]> {
    const events = await new RecordTable(db, 'events', toEvent).findMany(claimed.map(({ eventId }) => eventId))
    const webhooks = await new RecordTable(db, 'webhooks', toWebhook).findMany(
      claimed.map(({ webhookId }) => webhookId),
    )
    const owners = await new RecordTable(db, 'users', toOwner).findMany(webhooks.flatMap(({ userId }) => userId ?? []))
    const projects = owners.flatMap(({ id }) => (id.startsWith('prj_') ? [id] : []))
    const stopped = await sqlMembers(db).withoutActiveOwner(projects)
    return claimed.flatMap((delivery) => {
      const event = events.find(({ id }) => id === delivery.eventId)
      const webhook = webhooks.find(({ id }) => id === delivery.webhookId)
      const owner = owners.find(({ id }) => id === webhook?.userId)
      if (!event || !webhook) return []
      const isStopped = owner && stopped.includes(owner.id)
      return [{ delivery, event, webhook, owner: isStopped ? { ...owner, status: 'suspended' } : owner }]
    })
  }

  return {
    find: (id) => deliveries.find(id),
    findMany: (ids) => deliveries.findMany(ids),
    list: (filters, slice) => deliveries.list(whereClauses(filters), slice),
    async queue() {
      const { total, dueSince } = await db
        .selectFrom('deliveries')
        .select(({ fn }) => [fn.countAll<number>().as('total'), fn.min('next_attempt_at').as('dueSince')])
        .where('status', '=', pending)
        .where('webhook_id', 'in', db.selectFrom('webhooks').select('id'))
        .executeTakeFirstOrThrow()
      return { pending: total, dueSince }
    },
    async crowded(status, max) {
      const found = await db
        .selectFrom('deliveries')
        .select('webhook_id')
        .where('status', '=', sql.lit(status))
        .groupBy('webhook_id')
        .having(({ fn }) => fn.countAll(), '>', max)
        .execute()
      return found.map((row) => row.webhook_id)
    },
    async add(added) {
      for (const delivery of added) await addRow(db, delivery)
    },
    async claim({ now, leaseMs, limit, except }) {
      const excepted = except.length === 0 ? sql`` : sql`and webhook_id not in (${sql.join(except)})`
      // SQLite runs one transaction at a time.
      const locked = isPostgres(db) ? sql`for update of deliveries skip locked` : sql``
      const due = await deliveries.select(sql`
        select deliveries.* from deliveries
        join events on events.id = event_id
        join webhooks on webhooks.id = webhook_id
        where deliveries.status = ${pending} and next_attempt_at <= ${now} ${excepted}
        order by next_attempt_at limit ${limit} ${locked}
      `)
      if (due.length === 0) return []
      const leaseUntil = now + leaseMs
      const ids = due.map(({ id }) => id)
      await db.updateTable('deliveries').set({ next_attempt_at: leaseUntil }).where('id', 'in', ids).execute()
      return withContext(due.map((delivery) => ({ ...delivery, nextAttemptAt: leaseUntil })))
    },
    async replace(delivery, leaseUntil) {
      const { numAffectedRows } =
        leaseUntil === undefined ? await replaceRow(db, delivery) : await replaceLeased(db, { ...delivery, leaseUntil })
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
    countFailed: (webhookId, since) =>
      deliveries.count([...whereClauses({ webhookId, status: 'failed' }), sql<SqlBool>`created_at >= ${since}`]),
    async recover(webhookId, { since, at, limit }) {
      const failed = ofWebhook(webhookId, 'failed').where('created_at', '>=', since)
      return change(failed.limit(limit), { status: 'pending', tries: 0, next_attempt_at: at, updated_at: at })
    },
    async removeOf(webhookId, limit) {
      const found = sql`select id from deliveries where webhook_id = ${webhookId} limit ${limit}`
      return (await deliveries.remove(sql`id in (${found})`)).length
    },
    async removeExcess(webhookId, { status, max, limit }) {
      const oldest = ofWebhook(webhookId, status).orderBy('created_at', 'desc').orderBy('id', 'desc')
      const { numDeletedRows } = await db
        .deleteFrom('deliveries')
        .where('id', 'in', oldest.limit(limit).offset(max))
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
    purge: (before, limit) =>
      purge(db, { from: 'deliveries', key: ['id'], by: 'id' }, earliestId('dlv', before), limit),
  }
}

function whereClauses({ webhookId, status, eventId }: DeliveryFilters): Conditions {
  return [
    ...equal<'deliveries'>({ webhook_id: webhookId, event_id: eventId }),
    ...(status === undefined ? [] : [sql<SqlBool>`status = ${sql.lit(status)}`]),
  ]
}

type Row = Schema['deliveries']

const addRow = prepared<DeliveryRow>(
  (_db, slot, first) => sql`${insertInto('deliveries', first, slot)} on conflict (event_id, webhook_id) do nothing`,
)

/** Sets only the columns that change: SQLite writes each index that has one of the columns. */
function updateRow(slot: Slot<DeliveryRow>) {
  const changing = ['status', 'attempts', 'tries', 'nextAttemptAt', 'updatedAt'] as const
  const values = changing.map((field) => sql`${sql.ref(columnName(field))} = ${slot(field)}`)
  return sql`update deliveries set ${sql.join(values)} where id = ${slot('id')}`
}

const replaceRow = prepared<DeliveryRow>((_db, slot) => updateRow(slot))

const replaceLeased = prepared<DeliveryRow & { readonly leaseUntil: number }>(
  (_db, slot) => sql`${updateRow(slot)} and next_attempt_at = ${slot('leaseUntil')}`,
)

function toDelivery(row: Row): DeliveryRow {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    status: row.status,
    attempts: JSON.parse(row.attempts),
    tries: row.tries,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
