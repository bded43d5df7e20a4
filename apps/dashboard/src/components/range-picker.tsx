import { type Range, ranges, type Zone } from '../ranges.ts'
import { Segmented } from './segmented.tsx'
import { Select } from './select.tsx'

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
