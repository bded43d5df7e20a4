import * as z from 'zod'
import { defineEvent } from '@fairlead/core'
import { recordVersion } from '@fairlead/core/feature'
import { type ShipmentRow, shipmentRecord, shipmentStatus, toShipmentRecord } from './shipment.ts'

const shipmentSnapshot = shipmentRecord
  .extend({ version: recordVersion })
  .meta({ id: 'ShipmentSnapshot', description: 'A shipment as it was after a change.' })

const example: z.output<typeof shipmentSnapshot> = {
  id: 'shp_2144006262568942337108473209784351112',
  reference: 'ORDER-1001',
  status: 'in_transit',
  carrier: 'DHL',
  trackingNumber: 'JD0123456789',
  origin: {
    name: 'Warehouse',
    street: 'Hafenstr. 1',
    city: 'Hamburg',
    postalCode: '20457',
    region: null,
    country: 'DE',
  },
  destination: {
    name: 'Ada Lovelace',
    street: '12 St James’s Square',
    city: 'London',
    postalCode: 'SW1Y 4JH',
    region: null,
    country: 'GB',
  },
  parcels: [{ weightKg: 1.5, lengthCm: 30, widthCm: 20, heightCm: 10, description: 'Books' }],
  notes: null,
  metadata: { team: 'fulfillment' },
  estimatedDelivery: '2026-03-20T12:00:00Z',
  createdAt: '2026-03-14T09:26:53.589Z',
  updatedAt: '2026-03-15T08:00:00.000Z',
  history: [
    { status: 'pending', at: '2026-03-14T09:26:53.589Z' },
    { status: 'in_transit', at: '2026-03-15T08:00:00.000Z' },
  ],
  version: 2,
}
const shared = { scope: 'shipments', version: 1, data: shipmentSnapshot, example, truncates: true } as const

export const shipmentEvents = {
  created: defineEvent({
    ...shared,
    type: 'shipment.created',
    summary: 'A shipment was created.',
    example: {
      ...example,
      status: 'pending',
      updatedAt: example.createdAt,
      history: example.history.slice(0, 1),
      version: 1,
    },
  }),
  updated: defineEvent({ ...shared, type: 'shipment.updated', summary: 'A shipment was changed.' }),
  statusChanged: defineEvent({
    ...shared,
    type: 'shipment.status_changed',
    summary: 'The status of a shipment changed. Sent besides `shipment.updated`.',
    data: shipmentSnapshot.extend({ from: shipmentStatus.describe('Status before the change.') }).meta({
      id: 'ShipmentStatusChange',
      description: 'A shipment after a change of its status, and the status before.',
    }),
    example: { ...example, from: 'pending' },
  }),
  deleted: defineEvent({
    ...shared,
    type: 'shipment.deleted',
    summary: 'A shipment was deleted. The data is the shipment as it was before.',
    example: { ...example, version: 3 },
  }),
} as const

export function toShipmentSnapshot(shipment: ShipmentRow): z.output<typeof shipmentSnapshot> {
  return { ...toShipmentRecord(shipment), version: shipment.version }
}
