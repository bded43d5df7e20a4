import type { ShipmentsMethods } from './methods.ts'
import type { Feature } from '../runtime/feature.ts'
import { shipmentEvents } from './events.ts'
import {
  createShipment,
  deleteShipment,
  getShipment,
  listShipments,
  patchShipment,
  updateShipment,
} from './shipment-operations.ts'
import { memoryShipments } from './shipment-store.ts'
import { defineFeature, type ShipmentServices } from './services.ts'

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
export function shipments(): Feature<typeof shipmentOperations, ShipmentsMethods, ShipmentServices> {
  return defineFeature({
    name: 'shipments',
    scopes: { shipments: 'Read and change shipments.' },
    memoryTables: ({ undo }) => ({ shipments: memoryShipments(undo) }),
    operations: shipmentOperations,
    events: Object.values(shipmentEvents),
    removeUserData: (tx, _call, userId) => tx.shipments.removeAllOf(userId),
    sections: [{ name: 'Shipments', description: 'Shipment records.', segments: ['shipments'], prefix: '/api/v1' }],
  })
}
