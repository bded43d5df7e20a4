import { Segmented } from './segmented.tsx'
import { Select } from './select.tsx'

export const ranges = ['24h', '7d', '30d', '90d'] as const
export type Range = (typeof ranges)[number]

const hourMs = 3_600_000

/** The length of a range, in milliseconds. */
export const rangeMs: Readonly<Record<Range, number>> = {
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
  '90d': 90 * 24 * hourMs,
}

export type Zone = 'local' | 'utc'

export interface RangePickerProps {
  readonly range: Range
  readonly zone: Zone
  onRangeChange(range: Range): void
  onZoneChange(zone: Zone): void
}

/** Chooses the period of a chart, and its time zone. */
export function RangePicker({ range, zone, onRangeChange, onZoneChange }: RangePickerProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented
        label="Period"
        value={range}
        options={ranges.map((value) => ({ value, label: value }))}
        onChange={onRangeChange}
      />
      <Select
        label="Time zone"
        value={zone}
        options={[
          { value: 'local', label: localZone },
          { value: 'utc', label: 'UTC' },
        ]}
        onChange={onZoneChange}
      />
    </div>
  )
}

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone
