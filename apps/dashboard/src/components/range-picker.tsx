import { type DayRange, type Range, ranges, type Zone } from '../ranges.ts'
import { DayRangeButton } from './day-range-button.tsx'
import { Segmented } from './segmented.tsx'
import { Select } from './select.tsx'

export interface RangePickerProps {
  /** The latest hours or days, or the days that were chosen. */
  readonly period: Range | DayRange
  readonly zone: Zone
  onPeriodChange(period: Range | DayRange): void
  onZoneChange(zone: Zone): void
}

/** Chooses the period of a chart, and its time zone. */
export function RangePicker({ period, zone, onPeriodChange, onZoneChange }: RangePickerProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented
        label="Period"
        value={typeof period === 'string' ? period : undefined}
        options={ranges.map((value) => ({ value, label: value }))}
        onChange={onPeriodChange}
      />
      <DayRangeButton
        days={typeof period === 'string' ? undefined : period}
        zone={zone}
        zoneName={zone === 'utc' ? 'UTC' : localZone}
        onChange={onPeriodChange}
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
