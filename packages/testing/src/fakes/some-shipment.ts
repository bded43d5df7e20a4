import * as z from 'zod'
import type { NewId } from '@fairlead/core/adapter'
import { type ShipmentRow, shipmentFields } from '@fairlead/shipments/stores'

/** The input of `createShipment`: the required fields and a reference. */
export function shipmentInput(reference = 'order-1') {
  return {
    reference,
    origin: { name: 'Ada', street: '1 Quay', city: 'Hamburg', postalCode: '20457', country: 'DE' },
    destination: { name: 'Bo', street: '2 Pier', city: 'Oslo', postalCode: '0150', country: 'NO' },
    parcels: [{ weightKg: 1.5 }],
  }
}

/** A stored shipment. */
export function someShipment(newId: NewId, facts: Partial<ShipmentRow> = {}): ShipmentRow {
  const createdAt = facts.createdAt ?? Date.parse('2026-03-14T12:00:00.000Z')
  return {
    ...z.object(shipmentFields).parse(shipmentInput()),
    id: newId('shp'),
    userId: 'usr_1',
    status: 'pending',
    history: [{ status: 'pending', at: createdAt }],
    createdAt,
    updatedAt: createdAt,
    version: 1,
    ...facts,
  }
}
