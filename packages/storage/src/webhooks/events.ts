import type { EventRow } from '@fairlead/core/stores'
import type { EventFilters, EventStore } from '@fairlead/webhooks/stores'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { isPostgres, type SqlDialect } from '../sql/dialect.ts'
import { type Conditions, equal, RecordTable, selectSlice } from '../sql/record-table.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { insertInto, ownerColumn, prepared } from '../sql/statements.ts'
import { timedEvents } from '../sql/timed-tables.ts'

export function sqlEvents(db: Database, dialect: Pick<SqlDialect, 'purge'>): EventStore {
  const order = isPostgres(db) ? postgresOrder : sqliteOrder
  const events = new RecordTable(db, 'events', toEvent)
  return {
    find: (id) => events.find(id),
    findMany: (ids) => events.findMany(ids),
    async list(filters, slice) {
      const { types, resourceId } = filters
      if (types?.length === 0) return []
      // A slice of each type, because an index finds a slice of one type in order, but not of several. A record has few.
      const sliced = resourceId === undefined ? types : undefined
      const slices = (sliced ?? [undefined]).map(
        (type) => sql`select * from (${selectSlice(sql`events`, whereClauses(filters, type), slice)}) as slice`,
      )
      return events.select(selectSlice(sql`(${sql.join(slices, sql` union all `)}) as events`, [], slice))
    },
    async follow(after, limit, until) {
      const { position, columns, isAfter, isSettled } = order
      const query = db
        .selectFrom('events')
        .selectAll()
        .select(position.as('event_position'))
        .where(isAfter(after))
        .where(isSettled)
      const bounded = until === undefined ? query : query.where(({ not }) => not(isAfter(until)))
      const rows = await bounded.orderBy(columns).limit(limit).execute()
      return { events: rows.map(toEvent), position: rows.at(-1)?.event_position ?? after }
    },
    async positionOf(eventId) {
      const query = db.selectFrom('events').select(order.position.as('event_position')).where('id', '=', eventId)
      return (await query.executeTakeFirst())?.event_position
    },
    async lastPosition() {
      const { rows } = await order.selectLast.execute(db)
      return rows[0]!.event_position
    },
    async add(added) {
      for (const event of added) await addRow(db, { ...event, userId: ownerColumn(event.userId) })
    },
    removeExcess: (userId, { max, limit }) =>
      events.remove(sql`id in (
        select id from events where user_id = ${userId} order by created_at desc, id desc limit ${limit} offset ${max}
      )`),
    purge: (before, limit) => dialect.purge(db, timedEvents, before, limit),
  }
}

const addRow = prepared<EventRow>(
  (_db, slot, first) => sql`${insertInto('events', first, slot)} on conflict (id) do nothing`,
)

function whereClauses({ userId, types, resourceId }: EventFilters, type: string | undefined): Conditions {
  return [
    ...equal<'events'>({ user_id: userId, resource_id: resourceId, type }),
    // An expression, which keeps SQLite from reading all events of these types instead of the record's.
    ...(types === undefined || resourceId === undefined ? [] : [sql<SqlBool>`type || '' in (${sql.join(types)})`]),
  ]
}

export function toEvent(row: Schema['events']): EventRow {
  return {
    id: row.id,
    type: row.type,
    userId: row.user_id || null,
    resourceId: row.resource_id,
    createdAt: row.created_at,
    data: JSON.parse(row.data),
  }
}

/** The order in which events were committed, in SQL. */
interface EventOrder {
  /** The place of a row, as text. */
  readonly position: RawBuilder<string>
  readonly columns: RawBuilder<unknown>
  isAfter(position: string): RawBuilder<boolean>
  /** Whether no event can still be committed before the row. */
  readonly isSettled: RawBuilder<boolean>
  /** Selects the place after all committed events. */
  readonly selectLast: RawBuilder<{ readonly event_position: string }>
}

const sqliteOrder: EventOrder = {
  position: sql`cast(position as text)`,
  columns: sql`position`,
  isAfter: (position) => sql`position > cast(${position} as integer)`,
  isSettled: sql`true`,
  selectLast: sql`select cast(coalesce(max(position), 0) as text) as event_position from events`,
}

/**
 * Transactions commit in another order than they add their events. The events of a transaction are passed on once all
 * older transactions have ended, and each later one has a higher id than they have.
 */
const postgresOrder: EventOrder = {
  position: sql`transaction_id::text || ':' || position`,
  columns: sql`transaction_id, position`,
  isAfter(position) {
    const [transactionId, index] = position.split(':')
    return sql`(transaction_id, position) > (cast(${transactionId} as xid8), cast(${index} as bigint))`
  },
  isSettled: sql`transaction_id < pg_snapshot_xmin(pg_current_snapshot())`,
  selectLast: sql`select pg_snapshot_xmin(pg_current_snapshot())::text || ':0' as event_position`,
}
