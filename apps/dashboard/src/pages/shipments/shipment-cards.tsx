import { Card } from '../../components/card.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { formatNumber } from '../../format.ts'
import type { Address, Shipment } from './shipment.ts'

export function AddressCard({ title, address }: { readonly title: string; readonly address: Address }) {
  const { name, street, city, postal_code: postalCode, region, country } = address
  return (
    <Card title={title}>
      <address className="text-sm break-words not-italic">
        <span className="block font-medium">{name}</span>
        <span className="block text-muted">{street}</span>
        <span className="block text-muted">
          {postalCode} {city}
        </span>
        <span className="block text-muted">{region === null ? country : `${region}, ${country}`}</span>
      </address>
    </Card>
  )
}

export function ParcelsCard({ parcels }: Pick<Shipment, 'parcels'>) {
  const weight = parcels.reduce((sum, parcel) => sum + parcel.weight_kg, 0)
  return (
    <Card
      title="Parcels"
      description={`${formatNumber(parcels.length)} ${parcels.length === 1 ? 'parcel' : 'parcels'}, ${formatNumber(weight)} kg`}
    >
      <ol className="flex flex-col">
        {parcels.map((parcel, index) => (
          <li
            key={index}
            className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2 text-sm first:pt-0 last:border-0 last:pb-0"
          >
            <span className="min-w-0 break-words">{parcel.description ?? `Parcel ${index + 1}`}</span>
            <span className="tabular text-muted">
              {formatSize(parcel)}
              {formatNumber(parcel.weight_kg)} kg
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** `40 × 30 × ? cm, `, or nothing without any size. */
function formatSize({ length_cm: length, width_cm: width, height_cm: height }: Shipment['parcels'][number]): string {
  const sides = [length, width, height]
  return sides.every((side) => side === null) ? '' : `${sides.map((side) => side ?? '?').join(' × ')} cm, `
}

export function MetadataCard({ metadata }: Pick<Shipment, 'metadata'>) {
  const pairs = Object.entries(metadata)
  if (pairs.length === 0) return null
  return (
    <Card title="Metadata">
      <FactList facts={pairs.map(([label, value]) => ({ label, value }))} />
    </Card>
  )
}
