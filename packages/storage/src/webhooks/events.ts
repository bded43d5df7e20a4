import { earliestId, type Event, type EventFilters, type EventStore } from '@fairlead/core/stores'
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { inSlice, prepared } from '../sql/statements.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { eventOrder } from './event-order.ts'
import { ownerOf } from './webhooks.ts'

export function sqlEvents(db: Database): EventStore {
  const order = eventOrder(db)
  return {
    async find(id) {
      const row = await db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toEvent(row)
    },
    async findMany(ids) {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('events').selectAll().where('id', 'in', ids).execute()
      return rows.map(toEvent)
    },
    async list(filters, slice) {
      const { types, resourceId } = filters
      if (types?.length === 0) return []
      const sliceOf = (type?: string) =>
        inSlice(db.selectFrom('events').select(columns).where(fitting(filters, type)), slice)
      // A slice of each type, because an index finds a slice of one type in order, but not of several. A record has few.
      const sliced = resourceId === undefined ? types : undefined
      const [first, ...others] = (sliced ?? [undefined]).map((type) =>
        db.selectFrom(sliceOf(type).as('slice')).selectAll(),
      )
      const all = others.reduce((union, part) => union.unionAll(part), first!)
      return (await inSlice(db.selectFrom(all.as('events')).selectAll(), slice).execute()).map(toEvent)
    },
    async follow(after, limit, until) {
      const { place, columns, isAfter, isSettled } = order
      const query = db.selectFrom('events').selectAll().select(place.as('place')).where(isAfter(after)).where(isSettled)
      const bounded = until === undefined ? query : query.where(({ not }) => not(isAfter(until)))
      const rows = await bounded.orderBy(columns).limit(limit).execute()
      return { events: rows.map(toEvent), place: rows.at(-1)?.place ?? after }
    },
    async placeOf(eventId) {
      const query = db.selectFrom('events').select(order.place.as('place')).where('id', '=', eventId)
      return (await query.executeTakeFirst())?.place
    },
    async lastPlace() {
      const { rows } = await order.selectLast.execute(db)
      return rows[0]!.place
    },
    async add(events) {
      for (const event of events) await addRow(db, toRow(event))
    },
    async removeExcess(userId, { max, limit }) {
      const excess = db
        .selectFrom('events')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(max)
      const removed = await db.deleteFrom('events').where('id', 'in', excess).returning('id').execute()
      return removed.map(({ id }) => id)
    },
    async purge(before, limit) {
      const oldest = db
        .selectFrom('events')
        .select('id')
        .where('id', '<', earliestId('evt', before))
        .orderBy('id')
        .limit(limit)
      const { numDeletedRows } = await db.deleteFrom('events').where('id', 'in', oldest).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

type Row = Selectable<Schema['events']>

const columns = ['id', 'type', 'user_id', 'resource_id', 'created_at', 'data'] as const satisfies (keyof Row)[]

const addRow = prepared<Row>(
  (_db, slot) => sql`
    insert into events (${sql.join(columns.map((name) => sql.ref(name)))})
    values (${sql.join(columns.map(slot))})
    on conflict (id) do nothing
  `,
)

function toRow({ id, type, userId, resourceId, createdAt, data }: Event): Row {
  return {
    id,
    type,
    user_id: ownerOf(userId),
    resource_id: resourceId,
    created_at: createdAt,
    data: JSON.stringify(data),
  }
}

function fitting({ userId, types, resourceId }: EventFilters, type: string | undefined) {
  return (where: ExpressionBuilder<Schema, 'events'>) =>
    where.and([
      ...(userId === undefined ? [] : [where('user_id', '=', userId)]),
      ...(resourceId === undefined ? [] : [where('resource_id', '=', resourceId)]),
      ...(type === undefined ? [] : [where('type', '=', type)]),
      // An expression, which keeps SQLite from reading all events of these types instead of those of the record.
      ...(types === undefined || resourceId === undefined ? [] : [where(sql<string>`type || ''`, 'in', types)]),
    ])
}

export function toEvent(row: Row): Event {
  return {
    id: row.id,
    type: row.type,
    userId: row.user_id || null,
    resourceId: row.resource_id,
    createdAt: row.created_at,
    data: JSON.parse(row.data),
  }
}
