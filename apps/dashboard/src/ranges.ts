import { toLocalInput } from './format.ts'

export const ranges = ['24h', '7d', '30d', '90d'] as const
export type Range = (typeof ranges)[number]

/** The times that lists can be filtered by. */
export const timeRanges = ['1h', '24h', '7d', '30d', 'custom'] as const

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The length of a range, in milliseconds. */
export const rangeMs: Readonly<Record<Range, number>> = {
  '24h': 24 * hourMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
}

export type Zone = 'local' | 'utc'

/** Whole days in a time zone, both included, such as `2026-03-14`. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** The service sums up at most so many days. */
const maxDays = 400

/** A day, if the text is one. */
export function readDay(text: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

/** Why the days are not a range. */
export function dayRangeIssue({
  from,
  to,
}: DayRange): { readonly field: keyof DayRange; readonly issue: string } | undefined {
  if (!readDay(from)) return { field: 'from', issue: 'must be a date' }
  if (!readDay(to)) return { field: 'to', issue: 'must be a date' }
  if (to < from) return { field: 'to', issue: 'must not be before the first day' }
  if (countDays({ from, to }) > maxDays)
    return { field: 'to', issue: `must be at most ${maxDays} days after the first` }
  return undefined
}

export function countDays({ from, to }: DayRange): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1
}

/** When a day starts, or one that is some days later. In milliseconds since the epoch. */
export function startOfDay(day: string, zone: Zone, daysLater = 0): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return zone === 'utc'
    ? Date.UTC(year, month - 1, date + daysLater)
    : new Date(year, month - 1, date + daysLater).getTime()
}

/** The day of a time. */
export function toDay(at: number, zone: Zone): string {
  return zone === 'utc' ? new Date(at).toISOString().slice(0, 10) : toLocalInput(at).slice(0, 10)
}

/** The days of the month of a time up to this time, and all days of the month before. */
export function currentMonths(at: number, zone: Zone): { readonly current: DayRange; readonly previous: DayRange } {
  const today = toDay(at, zone)
  const first = `${today.slice(0, 8)}01`
  const lastBefore = new Date(Date.parse(first) - dayMs).toISOString().slice(0, 10)
  return { current: { from: first, to: today }, previous: { from: `${lastBefore.slice(0, 8)}01`, to: lastBefore } }
}
