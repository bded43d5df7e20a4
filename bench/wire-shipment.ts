import { shipmentInput } from '@fairlead/testing'

/** The body of `POST /shipments`. */
export function wireShipment(reference: string): object {
  const { origin, destination } = shipmentInput()
  return {
    reference,
    origin: wireAddress(origin),
    destination: wireAddress(destination),
    parcels: [{ weight_kg: 1.5 }],
  }
}

function wireAddress({ postalCode, ...others }: ReturnType<typeof shipmentInput>['origin']): object {
  return { ...others, postal_code: postalCode }
}
