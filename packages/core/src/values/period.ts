import { maxClockSkewMs } from './clock-skew.ts'

/** A calendar month in UTC, written `YYYY-MM`, so that periods sort as text. */
export type Period = string

/** The month that an instant falls in. */
export function periodOf(now: number): Period {
  return new Date(now).toISOString().slice(0, 7)
}

/** The first instant of the month after, in milliseconds since the epoch. */
export function endOf(period: Period): number {
  return Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5, 7)))
}

/** The month that it is by a clock, and the one that it may be by a clock that is ahead by as much as clocks differ. */
export interface RunningMonths {
  readonly month: Period
  readonly soon: Period
}

export function runningMonths(now: number): RunningMonths {
  return { month: periodOf(now), soon: periodOf(now + maxClockSkewMs) }
}

/** The month's first instant, in milliseconds since the epoch. */
export function startOf(period: Period): number {
  return Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5, 7)) - 1)
}
