import { operationsFor, type Services } from '@fairlead/core'
import type { ShipmentStores } from './shipment-store.ts'

export interface ShipmentServices extends Services {
  readonly stores: ShipmentStores
}

export const { read, list, write, defineFeature } = operationsFor<ShipmentServices>()
