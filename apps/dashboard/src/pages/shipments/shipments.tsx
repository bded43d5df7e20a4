// One chunk, so that a record opens at once.
export { ShipmentDetail } from './shipment-detail.tsx'
export { ShipmentList } from './shipment-list.tsx'
