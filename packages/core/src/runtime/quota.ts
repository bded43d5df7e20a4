import { maxClockSkewMs } from './clock.ts'
import type { Limits } from './envelope.ts'
import { FairleadError } from './errors.ts'

/** A counter, and how far it may go. */
export interface Quota {
  readonly counter: string
  /** Units a month; null is without limit. */
  readonly limit: number | null
}

/** A unit taken before the work, to be kept or given back after it. */
export interface ReservedUnit extends Quota {
  readonly period: Period
  readonly limits: Limits | undefined
}

export type ReserveOutcome =
  | { readonly granted: true; readonly reservation: ReservedUnit }
  | { readonly granted: false; readonly limits: Limits }

/** Takes one unit of the running month, or tells where the exhausted counter stands. */
export async function reserve(
  counters: Pick<CounterStore, 'reserve'>,
  { counter, limit }: Quota,
): Promise<ReserveOutcome> {
  const reading = await counters.reserve(counter, limit)
  const limits = limitsFrom(reading, limit)
  if (!reading.granted && limits) return { granted: false, limits }
  return { granted: true, reservation: { counter, limit, period: reading.period, limits } }
}

/** Gives a reserved unit back to its month, and tells where the counter stands in the running one. */
export async function giveBack(
  counters: CounterStore,
  { counter, limit, period }: ReservedUnit,
): Promise<Limits | undefined> {
  await counters.giveBack(counter, period)
  return limitsFrom(await counters.peek(counter), limit)
}

/** Tells a limited caller where it stands. A limit lowered below what was used leaves nothing, never less. */
export function limitsFrom(reading: Reading, limit: number | null): Limits | undefined {
  if (limit === null) return undefined
  const resetAt = endOf(reading.period)
  return {
    limit,
    remaining: Math.max(0, limit - reading.used),
    resetAt,
    windowMs: resetAt - startOf(reading.period),
  }
}

/** The refusal of a request beyond the monthly quota. */
export function quotaExceeded({ limit, resetAt }: Limits, now: number): FairleadError {
  const retryAfterMs = Math.max(0, resetAt - now)
  return new FairleadError(
    'QUOTA_EXCEEDED',
    `The quota of ${limit} requests a month is used up; it starts anew at ${new Date(resetAt).toISOString()}.`,
    { retryAfterMs },
  )
}

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

/** Monthly counters, each named after whose requests it counts: an API key, or a user's sessions. */
export interface CounterView {
  /** Where the counter stands in the running month. */
  peek(counter: string): Promise<Reading>
  /** The units taken from each of the counters in the running month, in one look-up. Counters without any are left out. */
  used(counters: readonly string[]): Promise<ReadonlyMap<string, number>>
}

export interface CounterStore extends CounterView {
  /**
   * Takes one unit of the running month if that leaves the counter at or under the limit; null is without limit.
   *
   * The running month is that of the store's clock. A counter that was in the next month already stays there while the
   * next month begins within `maxClockSkewMs`, so that a small correction of the clock does not reopen a month that has
   * ended. Each month has a count of its own: when a clock that jumped far ahead comes back, the count of the month that
   * it left is known, and what was taken meanwhile stays with the later month.
   */
  reserve(counter: string, limit: number | null): Promise<Reservation>
  /** Gives a unit back to the month that it was taken from. */
  giveBack(counter: string, period: Period): Promise<void>
  /** Removes counts of months before that one, at most `limit`, and tells how many. */
  purge(before: Period, limit: number): Promise<number>
}

export interface Reading {
  readonly period: Period
  readonly used: number
}

/** Whether a unit was taken, and where the counter stands with it. */
export interface Reservation extends Reading {
  readonly granted: boolean
}
