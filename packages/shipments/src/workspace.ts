/** For the tests of this repository. Not published. */
export { shipmentEvents } from './events.ts'
export { nextStatuses, shipmentStatus } from './shipment.ts'
export { createShipment } from './shipment-operations.ts'
