/** The store interfaces of shipments, and their records. */
export { shipmentNames, shipmentFields } from './shipment.ts'
export type {
  ShipmentStore,
  ShipmentStores,
  ShipmentView,
  ShipmentsTransaction,
  ShipmentsView,
} from './shipment-store.ts'
export type { ShipmentFilters, ShipmentRow, StatusChangeRow } from './shipment.ts'
