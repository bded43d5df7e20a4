import { operationsFor } from '../runtime/feature.ts'
import type { Services } from '../runtime/run/operation-run.ts'
import type { ShipmentStores } from './shipment-store.ts'

export interface ShipmentServices extends Services {
  readonly stores: ShipmentStores
}

export const { read, list, write, defineFeature } = operationsFor<ShipmentServices>()
