import { Button } from '../../components/button.tsx'
import { inputClass } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Plus, Trash2 } from '../../components/icons.tsx'
import type { MetadataValues } from './shipment-values.ts'

export interface MetadataFieldsProps {
  readonly metadata: readonly MetadataValues[]
  /** The reason why the pairs were rejected. */
  readonly error: string | undefined
  onChange(metadata: readonly MetadataValues[]): void
}

const maxPairs = 50

export function MetadataFields({ metadata, error, onChange }: MetadataFieldsProps) {
  const set = (index: number, changes: Partial<MetadataValues>) =>
    onChange(metadata.map((pair, each) => (each === index ? { ...pair, ...changes } : pair)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Metadata</legend>
      {metadata.map(({ name, value }, index) => (
        // Pairs have no id, and fields keep their value by their place.
        <div key={index} className="flex gap-2">
          <input
            aria-label={`Name of pair ${index + 1}`}
            placeholder="Name"
            required
            maxLength={64}
            value={name}
            onChange={({ target }) => set(index, { name: target.value })}
            className={inputClass}
          />
          <input
            aria-label={`Value of pair ${index + 1}`}
            placeholder="Value"
            maxLength={512}
            value={value}
            onChange={({ target }) => set(index, { value: target.value })}
            className={inputClass}
          />
          <IconButton
            icon={Trash2}
            label={`Remove pair ${index + 1}`}
            onClick={() => onChange(metadata.filter((_pair, each) => each !== index))}
          />
        </div>
      ))}
      {error !== undefined && <p className="text-xs text-danger">Metadata {error}</p>}
      {metadata.length < maxPairs && (
        <div>
          <Button size="sm" onClick={() => onChange([...metadata, { name: '', value: '' }])}>
            <Plus aria-hidden className="size-3.5" />
            Add a pair
          </Button>
        </div>
      )}
    </fieldset>
  )
}
