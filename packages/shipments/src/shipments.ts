import type { ShipmentsMethods } from './methods.ts'
import type { Feature } from '@fairlead/core'
import { operationsByName } from '@fairlead/core/feature'
import { findShipmentOwners } from './loaders.ts'
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

const tree = {
  shipments: {
    list: listShipments,
    create: createShipment,
    get: getShipment,
    update: updateShipment,
    patch: patchShipment,
    delete: deleteShipment,
  },
} as const

/** The operations of shipments by name, for `core.run`. */
export const shipmentOperations = operationsByName(tree)

/** Adds shipment records. Each belongs to the user that created it. */
export function shipments(): Feature<typeof tree, ShipmentsMethods, ShipmentServices> {
  return defineFeature({
    name: 'shipments',
    scopes: { shipments: 'Read and change shipments.' },
    memoryTables: ({ undo }) => ({ shipments: memoryShipments(undo) }),
    operations: tree,
    edges: {
      Shipment: { user: { description: 'The owner.', loader: findShipmentOwners, idOf: ({ id }) => id } },
    },
    events: Object.values(shipmentEvents),
    removeUserData: (tx, _call, userId) => tx.shipments.removeAllOf(userId),
    sections: [{ name: 'Shipments', description: 'Shipment records.', segments: ['shipments'], prefix: '/api/v1' }],
  })
}
