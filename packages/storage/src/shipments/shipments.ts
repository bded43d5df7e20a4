import type { Shipment, ShipmentFilters, ShipmentStatus, ShipmentStore } from '@fairlead/core/stores'
import type { ExpressionBuilder, Selectable } from 'kysely'
import { inSlice, unlessTaken } from '../sql/statements.ts'
import type { Database, Schema } from '../sql/schema.ts'

type Row = Selectable<Schema['shipments']>

export function sqlShipments(db: Database): ShipmentStore {
  return {
    async find(id) {
      const row = await db.selectFrom('shipments').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toShipment(row)
    },
    async findMany(ids) {
      if (ids.length === 0) return []
      const rows = await db.selectFrom('shipments').selectAll().where('id', 'in', ids).execute()
      return rows.map(toShipment)
    },
    async list(filters, slice) {
      const query = db.selectFrom('shipments').selectAll().where(fitting(filters))
      const rows = await inSlice(query, slice).execute()
      return rows.map(toShipment)
    },
    async take(id) {
      // An update that changes nothing locks the row on every database, and returns its current state.
      const row = await db
        .updateTable('shipments')
        .set((column) => ({ version: column.ref('version') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toShipment(row)
    },
    async add(shipment) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('shipments')
        .values(toRow(shipment))
        .onConflict((conflict) => conflict.columns(['user_id', 'reference']).doNothing())
        .executeTakeFirst()
      return Number(numInsertedOrUpdatedRows) === 1
    },
    replace(shipment) {
      const { id, ...values } = toRow(shipment)
      return unlessTaken(db, () => db.updateTable('shipments').set(values).where('id', '=', id).execute())
    },
    async remove(id) {
      await db.deleteFrom('shipments').where('id', '=', id).execute()
    },
    async removeAllOf(userId) {
      await db.deleteFrom('shipments').where('user_id', '=', userId).execute()
    },
  }
}

/** For shipments without an owner: a unique index treats nulls as different. */
const noOwner = ''

function fitting({ userId, status, carrier, reference, createdAfter, createdBefore }: ShipmentFilters) {
  return (where: ExpressionBuilder<Schema, 'shipments'>) =>
    where.and([
      ...(userId === undefined ? [] : [where('user_id', '=', userId)]),
      ...(status === undefined ? [] : [where('status', '=', status)]),
      ...(carrier === undefined ? [] : [where('carrier', '=', carrier)]),
      ...(reference === undefined ? [] : [where('reference', '=', reference)]),
      ...(createdAfter === undefined ? [] : [where('created_at', '>', createdAfter)]),
      ...(createdBefore === undefined ? [] : [where('created_at', '<', createdBefore)]),
    ])
}

function toRow(shipment: Shipment): Schema['shipments'] {
  return {
    id: shipment.id,
    user_id: shipment.userId ?? noOwner,
    reference: shipment.reference,
    status: shipment.status,
    carrier: shipment.carrier,
    tracking_number: shipment.trackingNumber,
    origin: JSON.stringify(shipment.origin),
    destination: JSON.stringify(shipment.destination),
    parcels: JSON.stringify(shipment.parcels),
    notes: shipment.notes,
    metadata: JSON.stringify(shipment.metadata),
    estimated_delivery: shipment.estimatedDelivery,
    history: JSON.stringify(shipment.history),
    created_at: shipment.createdAt,
    updated_at: shipment.updatedAt,
    version: shipment.version,
  }
}

function toShipment(row: Row): Shipment {
  return {
    id: row.id,
    userId: row.user_id === noOwner ? null : row.user_id,
    reference: row.reference,
    status: row.status as ShipmentStatus,
    carrier: row.carrier,
    trackingNumber: row.tracking_number,
    origin: JSON.parse(row.origin),
    destination: JSON.parse(row.destination),
    parcels: JSON.parse(row.parcels),
    notes: row.notes,
    metadata: JSON.parse(row.metadata),
    estimatedDelivery: row.estimated_delivery,
    history: JSON.parse(row.history),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}
