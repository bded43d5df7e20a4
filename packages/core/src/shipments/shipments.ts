import { createShipment } from '../operations/shipments/create-shipment.ts'
import { deleteShipment } from '../operations/shipments/delete-shipment.ts'
import { getShipment } from '../operations/shipments/get-shipment.ts'
import { listShipments } from '../operations/shipments/list-shipments.ts'
import { updateShipment } from '../operations/shipments/update-shipment.ts'
import { defineFeature, type Feature } from '../runtime/feature.ts'

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
    sections: [{ name: 'Shipments', description: 'Shipment records.', segments: ['shipments'], prefix: '/api/v1' }],
  })
}
