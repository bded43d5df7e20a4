import { type ShipmentRow, type ShipmentFilters, shipmentNames, type ShipmentStore } from '@fairlead/shipments/stores'
import { sql, type SqlBool } from 'kysely'
import { type Conditions, equal, RecordTable, unlessTaken } from '../sql/record-table.ts'
import type { Database, Schema } from '../sql/schema.ts'
import { fromRow, ownerColumn, toRow } from '../sql/statements.ts'

export function sqlShipments(db: Database): ShipmentStore {
  const shipments = new RecordTable(db, 'shipments', toShipment)
  return {
    find: (id) => shipments.find(id),
    findMany: (ids) => shipments.findMany(ids),
    list: (filters, slice) => shipments.list(whereClauses(filters), slice),
    take: (id) => shipments.take(id, 'version'),
    async add(shipment) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('shipments')
        .values(toShipmentRow(shipment))
        .onConflict((conflict) => conflict.columns(['user_id', 'reference']).doNothing())
        .executeTakeFirst()
      return Number(numInsertedOrUpdatedRows) === 1
    },
    replace(shipment) {
      const { id, ...values } = toShipmentRow(shipment)
      return unlessTaken(db, () => db.updateTable('shipments').set(values).where('id', '=', id).execute())
    },
    async remove(id) {
      await shipments.remove(sql`id = ${id}`)
    },
    async removeAllOf(userId) {
      await shipments.remove(...equal<'shipments'>({ user_id: userId }))
    },
  }
}

function whereClauses({
  userId,
  status,
  carrier,
  reference,
  createdAfter,
  createdBefore,
}: ShipmentFilters): Conditions {
  return [
    ...equal<'shipments'>({ user_id: userId, status, carrier, reference }),
    ...(createdAfter === undefined ? [] : [sql<SqlBool>`created_at > ${createdAfter}`]),
    ...(createdBefore === undefined ? [] : [sql<SqlBool>`created_at < ${createdBefore}`]),
  ]
}

function toShipmentRow(shipment: ShipmentRow): Schema['shipments'] {
  return { ...toRow(shipment), user_id: ownerColumn(shipment.userId) }
}

function toShipment(row: Schema['shipments']): ShipmentRow {
  const json = ['origin', 'destination', 'parcels', 'metadata', 'history'] as const
  return { ...fromRow<ShipmentRow>(row, shipmentNames, json), userId: row.user_id || null }
}
