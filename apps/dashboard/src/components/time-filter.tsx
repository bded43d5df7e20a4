import { toLocalInput } from '../format.ts'
import type { timeRanges } from '../ranges.ts'
import { inputClass } from './field.tsx'
import { Select } from './select.tsx'

const hourMs = 3_600_000

const presets = [
  { value: '1h', label: 'Last hour', ms: hourMs },
  { value: '24h', label: 'Last 24 hours', ms: 24 * hourMs },
  { value: '7d', label: 'Last 7 days', ms: 7 * 24 * hourMs },
  { value: '30d', label: 'Last 30 days', ms: 30 * 24 * hourMs },
] as const

type TimeRange = (typeof timeRanges)[number]

/** The chosen range, and its ends in ISO 8601: a cursor belongs to one range, so it must not move with the time. */
export interface TimeFilterValue {
  readonly range: TimeRange | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

export interface TimeFilterProps {
  readonly value: TimeFilterValue
  onChange(changes: Partial<TimeFilterValue>): void
}

export function TimeFilter({ value: { range, from, to }, onChange }: TimeFilterProps) {
  function choose(next: TimeRange | 'any') {
    if (next === 'custom') return onChange({ range: next })
    const preset = presets.find(({ value }) => value === next)
    onChange({
      range: preset?.value,
      from: preset && new Date(Date.now() - preset.ms).toISOString(),
      to: undefined,
    })
  }
  return (
    <>
      <Select
        label="Time"
        showLabel
        value={range ?? 'any'}
        options={[{ value: 'any', label: 'Any' }, ...presets, { value: 'custom', label: 'Custom' }]}
        onChange={choose}
      />
      {range === 'custom' && (
        <>
          <TimeInput label="From" value={from} onChange={(next) => onChange({ from: next })} />
          <TimeInput label="To" value={to} onChange={(next) => onChange({ to: next })} />
        </>
      )}
    </>
  )
}

interface TimeInputProps {
  readonly label: string
  /** ISO 8601. */
  readonly value: string | undefined
  onChange(value: string | undefined): void
}

function TimeInput({ label, value, onChange }: TimeInputProps) {
  const at = value === undefined ? NaN : Date.parse(value)
  return (
    <label className="inline-flex items-center gap-1.5 text-sm text-muted">
      {label}
      <input
        type="datetime-local"
        value={Number.isNaN(at) ? '' : toLocalInput(at)}
        onChange={({ target }) => onChange(target.value === '' ? undefined : new Date(target.value).toISOString())}
        className={`${inputClass} w-auto!`}
      />
    </label>
  )
}
