import { Popover as Base } from '@base-ui/react/popover'
import { type FormEvent, useState } from 'react'
import { type DayRange, toDay, dayRangeIssue, currentMonths, type Zone } from '../ranges.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { CalendarRange } from './icons.tsx'
import { usePopupContainer } from './popup-container.tsx'

export interface DayRangeButtonProps {
  /** Undefined if another period is chosen. */
  readonly days: DayRange | undefined
  readonly zone: Zone
  /** Names the time zone of the days. */
  readonly zoneName: string
  onChange(days: DayRange): void
}

/** Chooses the first and the last day of a period. */
export function DayRangeButton({ days, zone, zoneName, onChange }: DayRangeButtonProps) {
  const container = usePopupContainer()
  const [open, setOpen] = useState(false)
  return (
    <Base.Root open={open} onOpenChange={setOpen}>
      <Base.Trigger
        render={
          <Button className={days ? 'border-accent! text-accent!' : undefined}>
            <CalendarRange aria-hidden className="size-4" />
            {days ? (
              <>
                <span className="sr-only">Period: </span>
                {formatDays(days)}
              </>
            ) : (
              <span className="max-sm:sr-only">Custom</span>
            )}
          </Button>
        }
      />
      <Base.Portal container={container}>
        <Base.Positioner className="z-50" sideOffset={4} align="end" collisionPadding={8}>
          <Base.Popup className="w-76 rounded-lg border border-line bg-raised p-4 shadow-lg outline-none">
            <Base.Title className="text-sm font-semibold">Custom period</Base.Title>
            <Base.Description className="mb-3 text-xs text-muted">Whole days in {zoneName}.</Base.Description>
            <DayRangeForm
              days={days}
              zone={zone}
              onSubmit={(chosen) => {
                onChange(chosen)
                setOpen(false)
              }}
            />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface DayRangeFormProps {
  readonly days: DayRange | undefined
  readonly zone: Zone
  onSubmit(days: DayRange): void
}

function DayRangeForm({ days, zone, onSubmit }: DayRangeFormProps) {
  const today = toDay(Date.now(), zone)
  const { current, previous } = currentMonths(Date.now(), zone)
  const [chosen, setChosen] = useState<DayRange>(days ?? current)
  const [submitted, setSubmitted] = useState(false)
  const problem = dayRangeIssue(chosen)
  const issueOf = (field: keyof DayRange) => (submitted && problem?.field === field ? problem.issue : undefined)
  function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (!problem) onSubmit(chosen)
  }
  return (
    // The browser would report a problem in its own language.
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <div className="grid grid-cols-2 items-start gap-3">
        {fields.map(({ field, label }) => (
          <TextField
            key={field}
            label={label}
            type="date"
            max={today}
            value={chosen[field]}
            error={issueOf(field)}
            onChange={({ target }) => setChosen({ ...chosen, [field]: target.value })}
          />
        ))}
      </div>
      <div className="flex gap-2">
        <Button size="sm" onClick={() => onSubmit(current)}>
          This month
        </Button>
        <Button size="sm" onClick={() => onSubmit(previous)}>
          Last month
        </Button>
        <Button size="sm" variant="primary" type="submit" className="ml-auto">
          Apply
        </Button>
      </div>
    </form>
  )
}

const fields = [
  { field: 'from', label: 'First day' },
  { field: 'to', label: 'Last day' },
] as const

const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `1 – 14 Mar 2026` */
function formatDays({ from, to }: DayRange): string {
  return format.formatRange(new Date(from), new Date(to))
}
