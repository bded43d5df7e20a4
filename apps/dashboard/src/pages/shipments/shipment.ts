import { queryClient } from '../../api/query-client.ts'
import type { components } from '../../api/schema.d.ts'

export type Shipment = components['schemas']['Shipment']
export type ShipmentStatus = Shipment['status']
export type Address = Shipment['origin']

export interface StatusFacts {
  readonly label: string
  /** The statuses that the service allows next. */
  readonly next: readonly ShipmentStatus[]
}

export const statusFacts: Readonly<Record<ShipmentStatus, StatusFacts>> = {
  pending: { label: 'Pending', next: ['in_transit', 'cancelled'] },
  in_transit: { label: 'In transit', next: ['out_for_delivery', 'exception'] },
  out_for_delivery: { label: 'Out for delivery', next: ['delivered', 'exception'] },
  delivered: { label: 'Delivered', next: [] },
  exception: { label: 'Exception', next: ['in_transit', 'returned'] },
  returned: { label: 'Returned', next: [] },
  cancelled: { label: 'Cancelled', next: [] },
}

export const shipmentStatuses = Object.keys(statusFacts) as readonly ShipmentStatus[]

/** Loads shipments again after a change. */
export function reloadShipments(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/v1/shipments'),
  })
}

/** `London, GB`. */
export function formatPlace({ city, country }: Address): string {
  return `${city}, ${country}`
}
