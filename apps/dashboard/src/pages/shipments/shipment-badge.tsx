import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { type Shipment, type ShipmentStatus, statusFacts } from './shipment.ts'

const tones: Readonly<Record<ShipmentStatus, BadgeTone>> = {
  pending: 'neutral',
  in_transit: 'accent',
  out_for_delivery: 'accent',
  delivered: 'success',
  exception: 'danger',
  returned: 'warning',
  cancelled: 'neutral',
}

export function ShipmentBadge({ status }: Pick<Shipment, 'status'>) {
  return <Badge tone={tones[status]}>{statusFacts[status].label}</Badge>
}
