import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Plus, Trash2 } from '../../components/icons.tsx'
import { emptyParcel, type ParcelValues } from './shipment-values.ts'

export interface ParcelFieldsProps {
  readonly parcels: readonly ParcelValues[]
  readonly issues: ReadonlyMap<string, string>
  onChange(parcels: readonly ParcelValues[]): void
}

const sizes = [
  { name: 'weight', wire: 'weight_kg', label: 'Weight, kg' },
  { name: 'length', wire: 'length_cm', label: 'Length, cm' },
  { name: 'width', wire: 'width_cm', label: 'Width, cm' },
  { name: 'height', wire: 'height_cm', label: 'Height, cm' },
] as const

const maxParcels = 100

export function ParcelFields({ parcels, issues, onChange }: ParcelFieldsProps) {
  const set = (index: number, changes: Partial<ParcelValues>) =>
    onChange(parcels.map((parcel, each) => (each === index ? { ...parcel, ...changes } : parcel)))
  return (
    <fieldset className="rounded-lg border border-line p-4 pt-2">
      <legend className="px-1 text-sm font-semibold">Parcels</legend>
      <div className="flex flex-col gap-4">
        {parcels.map((parcel, index) => (
          // Parcels have no id, and fields keep their value by their place.
          <div
            key={index}
            role="group"
            aria-label={`Parcel ${index + 1}`}
            className="flex items-start gap-2 border-b border-line pb-4 last-of-type:border-0 last-of-type:pb-0"
          >
            <div className="grid flex-1 grid-cols-2 gap-3 sm:grid-cols-4">
              {sizes.map(({ name, wire, label }) => (
                <TextField
                  key={name}
                  label={label}
                  type="number"
                  inputMode="decimal"
                  min={0.001}
                  max={1000}
                  step="any"
                  required={name === 'weight'}
                  value={parcel[name]}
                  error={issues.get(`parcels[${index}].${wire}`)}
                  onChange={({ target }) => set(index, { [name]: target.value })}
                />
              ))}
              <TextField
                label="Contents"
                maxLength={256}
                className="col-span-2 sm:col-span-4"
                value={parcel.description}
                error={issues.get(`parcels[${index}].description`)}
                onChange={({ target }) => set(index, { description: target.value })}
              />
            </div>
            {parcels.length > 1 && (
              <IconButton
                icon={Trash2}
                label={`Remove parcel ${index + 1}`}
                className="mt-6"
                onClick={() => onChange(parcels.filter((_parcel, each) => each !== index))}
              />
            )}
          </div>
        ))}
        {parcels.length < maxParcels && (
          <div>
            <Button size="sm" onClick={() => onChange([...parcels, emptyParcel])}>
              <Plus aria-hidden className="size-3.5" />
              Add a parcel
            </Button>
          </div>
        )}
      </div>
    </fieldset>
  )
}
