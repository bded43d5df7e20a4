import { anyText, useFilters } from '../../filters.ts'
import { ShipmentDetail } from './shipment-detail.tsx'
import { ShipmentList } from './shipment-list.tsx'

const readers = { shipment: anyText }

/** The list of shipments, or the one that the URL names. */
export function Shipments() {
  const [{ shipment }] = useFilters(readers)
  return shipment === undefined ? <ShipmentList /> : <ShipmentDetail key={shipment} id={shipment} />
}
