/** The feature of shipments, for `createFairlead`. */
export { shipmentOperations, shipments } from './shipments.ts'
export type { ShipmentsMethods } from './methods.ts'
export type { ShipmentServices } from './services.ts'
