import type { components } from '../../api/schema.d.ts'
import type { Pair } from '../../components/pair.ts'
import { toLocalInput } from '../../format.ts'
import type { Address, Shipment } from './shipment.ts'

/** A parcel as it is typed. */
export interface ParcelValues {
  readonly weight: string
  readonly length: string
  readonly width: string
  readonly height: string
  readonly description: string
}

/** The fields of a shipment as they are typed. */
export interface ShipmentValues {
  readonly reference: string
  readonly carrier: string
  readonly trackingNumber: string
  readonly estimatedDelivery: string
  readonly origin: AddressValues
  readonly destination: AddressValues
  readonly parcels: readonly ParcelValues[]
  readonly notes: string
  readonly metadata: readonly Pair[]
}

export type AddressValues = { readonly [Field in keyof Address]: string }

export const emptyAddress: AddressValues = { name: '', street: '', city: '', postal_code: '', region: '', country: '' }
export const emptyParcel: ParcelValues = { weight: '', length: '', width: '', height: '', description: '' }
export const emptyShipment: ShipmentValues = {
  reference: '',
  carrier: '',
  trackingNumber: '',
  estimatedDelivery: '',
  origin: emptyAddress,
  destination: emptyAddress,
  parcels: [emptyParcel],
  notes: '',
  metadata: [],
}

export function toValues(shipment: Shipment): ShipmentValues {
  return {
    reference: shipment.reference,
    carrier: shipment.carrier ?? '',
    trackingNumber: shipment.tracking_number ?? '',
    estimatedDelivery: shipment.estimated_delivery === null ? '' : toLocalInput(shipment.estimated_delivery),
    origin: { ...shipment.origin, region: shipment.origin.region ?? '' },
    destination: { ...shipment.destination, region: shipment.destination.region ?? '' },
    parcels: shipment.parcels.map((parcel) => ({
      weight: String(parcel.weight_kg),
      length: String(parcel.length_cm ?? ''),
      width: String(parcel.width_cm ?? ''),
      height: String(parcel.height_cm ?? ''),
      description: parcel.description ?? '',
    })),
    notes: shipment.notes ?? '',
    metadata: Object.entries(shipment.metadata).map(([name, value]) => ({ name, value })),
  }
}

/** The body of a request. Fields that are empty are null. */
export function toBody(values: ShipmentValues): components['schemas']['CreateShipmentRequest'] {
  return {
    reference: values.reference,
    carrier: values.carrier || null,
    tracking_number: values.trackingNumber || null,
    estimated_delivery: values.estimatedDelivery === '' ? null : new Date(values.estimatedDelivery).toISOString(),
    origin: toAddress(values.origin),
    destination: toAddress(values.destination),
    parcels: values.parcels.map(({ weight, length, width, height, description }) => ({
      weight_kg: Number(weight),
      length_cm: toNumber(length),
      width_cm: toNumber(width),
      height_cm: toNumber(height),
      description: description || null,
    })),
    notes: values.notes || null,
    metadata: Object.fromEntries(values.metadata.map(({ name, value }) => [name, value])),
  }
}

function toAddress({ region, ...address }: AddressValues): Address {
  return { ...address, region: region || null, country: address.country.toUpperCase() }
}

function toNumber(text: string): number | null {
  return text === '' ? null : Number(text)
}
