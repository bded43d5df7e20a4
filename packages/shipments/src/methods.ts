// Generated from the operations: npm run generate
import type { Deletion, PageInput } from '@fairlead/accounts/types'
import type { Method } from '@fairlead/core'

export interface ShipmentsMethods {
  readonly shipments: {
    /** Lists shipments: the caller’s own, or all of them for an admin. */
    readonly list: Method<ShipmentsInput, Shipment[]>
    /** Creates a shipment. */
    readonly create: Method<CreateShipmentInput, Shipment>
    /** Returns a shipment. */
    readonly get: Method<ShipmentInput, Shipment>
    /** Replaces the writable fields of a shipment. Fields that are left out are cleared, except the status. */
    readonly update: Method<UpdateShipmentInput, Shipment>
    /** Updates fields of a shipment. Fields that are left out keep their value, null clears a field. */
    readonly patch: Method<PatchShipmentInput, Shipment>
    /** Deletes a shipment in any status. */
    readonly delete: Method<DeleteShipmentInput, Deletion>
  }
}

/** Status of a shipment. */
export type ShipmentStatus =
  | 'pending'
  | 'in_transit'
  | 'out_for_delivery'
  | 'delivered'
  | 'exception'
  | 'returned'
  | 'cancelled'

export interface ShipmentsInput extends PageInput {
  /** Only shipments with this status. */
  readonly status?: ShipmentStatus | undefined
  /** Only shipments of this carrier. */
  readonly carrier?: string | undefined
  /** Only shipments with this reference. */
  readonly reference?: string | undefined
  /** Only shipments of this user. */
  readonly userId?: string | undefined
  /** Only shipments created after this time. */
  readonly createdAfter?: string | undefined
  /** Only shipments created before this time. */
  readonly createdBefore?: string | undefined
}

/** A shipment. */
export interface Shipment {
  /** Shipment id: `shp_` and digits. */
  id: string
  /** Reference, chosen by the owner. */
  reference: string
  /** Status. */
  status: ShipmentStatus
  carrier: string | null
  trackingNumber: string | null
  /** Address of origin. */
  origin: Address
  /** Address of destination. */
  destination: Address
  /** Parcels. */
  parcels: Parcel[]
  notes: string | null
  /** Custom key-value pairs, at most 50. Names have 1 to 64 characters. */
  metadata: Record<string, string>
  estimatedDelivery: string | null
  /** When the shipment was created. */
  createdAt: string
  /** When the shipment was last changed. */
  updatedAt: string
  /** Status history, the current status last. */
  history: StatusChange[]
}

/** A postal address. */
export interface Address {
  /** Name of the sender or recipient. */
  name: string
  /** Street and number. */
  street: string
  /** City. */
  city: string
  /** Postal code. */
  postalCode: string
  /** Default: `null`. */
  region: string | null
  /** Country code, ISO 3166-1 alpha-2. */
  country: string
}

/** A parcel of a shipment. */
export interface Parcel {
  /** Weight in kilograms. */
  weightKg: number
  /** Default: `null`. */
  lengthCm: number | null
  /** Default: `null`. */
  widthCm: number | null
  /** Default: `null`. */
  heightCm: number | null
  /** Default: `null`. */
  description: string | null
}

/** A change of status, and when it happened. */
export interface StatusChange {
  /** Status. */
  status: ShipmentStatus
  /** When the status was set. */
  at: string
}

/** A postal address. */
export interface AddressInput {
  /** Name of the sender or recipient. */
  readonly name: string
  /** Street and number. */
  readonly street: string
  /** City. */
  readonly city: string
  /** Postal code. */
  readonly postalCode: string
  /** Default: `null`. */
  readonly region?: string | null | undefined
  /** Country code, ISO 3166-1 alpha-2. */
  readonly country: string
}

/** A parcel of a shipment. */
export interface ParcelInput {
  /** Weight in kilograms. */
  readonly weightKg: number
  /** Default: `null`. */
  readonly lengthCm?: number | null | undefined
  /** Default: `null`. */
  readonly widthCm?: number | null | undefined
  /** Default: `null`. */
  readonly heightCm?: number | null | undefined
  /** Default: `null`. */
  readonly description?: string | null | undefined
}

export interface CreateShipmentInput {
  /** Reference, chosen by the owner, and unique among the owner’s shipments. */
  readonly reference: string
  /** Default: `null`. */
  readonly carrier?: string | null | undefined
  /** Default: `null`. */
  readonly trackingNumber?: string | null | undefined
  /** Address of origin. */
  readonly origin: AddressInput
  /** Address of destination. */
  readonly destination: AddressInput
  /** Parcels. */
  readonly parcels: readonly ParcelInput[]
  /** Default: `null`. */
  readonly notes?: string | null | undefined
  /** Custom key-value pairs, at most 50. Names have 1 to 64 characters. Default: `{}`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** Default: `null`. */
  readonly estimatedDelivery?: string | null | undefined
  /** Initial status. Default: `"pending"`. */
  readonly status?: 'pending' | undefined
}

export interface ShipmentInput {
  /** Shipment id: `shp_` and digits. */
  readonly id: string
}

/** A change of status, and when it happened. */
export type StatusChangeInput = Readonly<StatusChange>

export interface UpdateShipmentInput extends Omit<CreateShipmentInput, 'status'> {
  /** Shipment id: `shp_` and digits. */
  readonly id: string
  /** New status. Default: unchanged. */
  readonly status?: ShipmentStatus | undefined
  /** When the shipment was created. */
  readonly createdAt?: string | undefined
  /** When the shipment was last changed. */
  readonly updatedAt?: string | undefined
  /** Status history, the current status last. */
  readonly history?: readonly StatusChangeInput[] | undefined
}

export interface PatchShipmentInput {
  /** Shipment id: `shp_` and digits. */
  readonly id: string
  /** Reference, chosen by the owner, and unique among the owner’s shipments. */
  readonly reference?: string | undefined
  readonly carrier?: string | null | undefined
  readonly trackingNumber?: string | null | undefined
  /** Address of origin. */
  readonly origin?: AddressInput | undefined
  /** Address of destination. */
  readonly destination?: AddressInput | undefined
  /** Parcels. */
  readonly parcels?: readonly ParcelInput[] | undefined
  readonly notes?: string | null | undefined
  /** Custom key-value pairs, which replace all existing ones. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined
  readonly estimatedDelivery?: string | null | undefined
  /** New status. Default: unchanged. */
  readonly status?: ShipmentStatus | undefined
}

export type DeleteShipmentInput = ShipmentInput
