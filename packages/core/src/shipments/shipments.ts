import { createShipment } from './shipment-operations.ts'
import { deleteShipment } from './shipment-operations.ts'
import { getShipment } from './shipment-operations.ts'
import { listShipments } from './shipment-operations.ts'
import { updateShipment } from './shipment-operations.ts'
import { defineFeature, type Feature } from '../runtime/feature.ts'
import type { ShipmentsTransaction } from './shipment-store.ts'

const shipmentOperations = {
  shipments: {
    list: listShipments,
    create: createShipment,
    get: getShipment,
    update: updateShipment,
    delete: deleteShipment,
  },
} as const

/** Shipment records of users. */
export function shipments(): Feature<typeof shipmentOperations> {
  return defineFeature({
    name: 'shipments',
    operations: shipmentOperations,
    removeUserData: (tx: ShipmentsTransaction, _call, userId) => tx.shipments.removeAllOf(userId),
    sections: [{ name: 'Shipments', description: 'Shipment records.', segments: ['shipments'], prefix: '/api/v1' }],
  })
}
