import type { ShipmentsMethods } from './methods.ts'
import { defineFeature, type Feature } from '../runtime/feature.ts'
import { shipmentEvents } from './events.ts'
import {
  createShipment,
  deleteShipment,
  getShipment,
  listShipments,
  patchShipment,
  updateShipment,
} from './shipment-operations.ts'
import type { ShipmentsTransaction } from './shipment-store.ts'

const shipmentOperations = {
  shipments: {
    list: listShipments,
    create: createShipment,
    get: getShipment,
    update: updateShipment,
    patch: patchShipment,
    delete: deleteShipment,
  },
} as const

/** Adds shipment records. Each belongs to the user that created it. */
export function shipments(): Feature<typeof shipmentOperations, ShipmentsMethods> {
  return defineFeature({
    name: 'shipments',
    operations: shipmentOperations,
    events: Object.values(shipmentEvents),
    removeUserData: (tx: ShipmentsTransaction, _call, userId) => tx.shipments.removeAllOf(userId),
    sections: [{ name: 'Shipments', description: 'Shipment records.', segments: ['shipments'], prefix: '/api/v1' }],
  })
}
