import { Button } from './button.tsx'
import { inputClass } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import { Plus, Trash2 } from './icons.tsx'
import type { Pair } from './pair.ts'

export interface PairFieldsProps {
  readonly legend: string
  /** A name for a pair, such as `tag`. */
  readonly pair: string
  readonly hint?: string | undefined
  readonly pairs: readonly Pair[]
  readonly maxPairs: number
  readonly maxValueLength: number
  /** The reason why the pairs were rejected. */
  readonly error: string | undefined
  onChange(pairs: readonly Pair[]): void
}

/** Names and values, in rows that can be added and removed. */
export function PairFields(props: PairFieldsProps) {
  const { legend, pair, hint, pairs, maxPairs, maxValueLength, error, onChange } = props
  const set = (index: number, changes: Partial<Pair>) =>
    onChange(pairs.map((before, each) => (each === index ? { ...before, ...changes } : before)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {pairs.map(({ name, value }, index) => (
        // Pairs have no id, and fields keep their value by their place.
        <div key={index} className="flex gap-2">
          <input
            aria-label={`Name of ${pair} ${index + 1}`}
            placeholder="Name"
            required
            maxLength={64}
            value={name}
            onChange={({ target }) => set(index, { name: target.value })}
            className={inputClass}
          />
          <input
            aria-label={`Value of ${pair} ${index + 1}`}
            placeholder="Value"
            maxLength={maxValueLength}
            value={value}
            onChange={({ target }) => set(index, { value: target.value })}
            className={inputClass}
          />
          <IconButton
            icon={Trash2}
            label={`Remove ${pair} ${index + 1}`}
            onClick={() => onChange(pairs.filter((_pair, each) => each !== index))}
          />
        </div>
      ))}
      {error === undefined ? (
        hint !== undefined && <p className="text-xs text-muted">{hint}</p>
      ) : (
        <p className="text-xs text-danger">
          {legend} {error}
        </p>
      )}
      {pairs.length < maxPairs && (
        <div>
          <Button size="sm" onClick={() => onChange([...pairs, { name: '', value: '' }])}>
            <Plus aria-hidden className="size-3.5" />
            Add a {pair}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
