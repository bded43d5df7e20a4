/** The types of the methods of shipments. */
export type {
  Address,
  AddressInput,
  CreateShipmentInput,
  DeleteShipmentInput,
  Parcel,
  ParcelInput,
  PatchShipmentInput,
  Shipment,
  ShipmentInput,
  ShipmentStatus,
  ShipmentsInput,
  ShipmentsMethods,
  StatusChange,
  StatusChangeInput,
  UpdateShipmentInput,
} from './methods.ts'
