import { maxClockSkewMs } from '../clock.ts'
import type { Limits } from '../run/envelope.ts'
import { FairleadError } from '../errors.ts'

export interface Quota {
  readonly counter: string
  /** Units per month; null means no limit. */
  readonly limit: number | null
}

/** A unit that was reserved before the work, to be charged or refunded after it. */
export interface ReservedUnit extends Quota {
  readonly period: Period
  /** The units of the other quotas that the request counts toward. Default: there are none. */
  readonly others?: readonly ReservedUnit[] | undefined
}

/** The quotas that the requests of an account count toward, in the order of their ids, in which transactions lock them. */
export function listQuotas({ counter, limit, sharedQuotas = [] }: AccountQuotas): readonly Quota[] {
  return quotaOrder([{ counter, limit }, ...sharedQuotas])
}

export type AccountQuotas = Quota & { readonly sharedQuotas: readonly Quota[] | undefined }

/**
 * Reserves a unit of each quota, in a transaction that must be rolled back if it throws `QUOTA_EXCEEDED`.
 *
 * @returns the unit of the account's own quota with all others, and the limits of the quota that is nearest to its end
 */
export async function reserveEach(
  counters: Pick<CounterStore, 'reserve'>,
  account: AccountQuotas,
  now: number,
): Promise<{ readonly unit: ReservedUnit; readonly limits: Limits | undefined }> {
  const units: ReservedUnit[] = []
  let limits: Limits | undefined
  for (const quota of listQuotas(account)) {
    const reading = await counters.reserve(quota.counter, quota.limit)
    const own = limitsIn(account, quota, reading)
    if (!reading.granted && own) throw quotaExceeded(own, now)
    units.push({ ...quota, period: reading.period })
    limits = nearestEnd(limits, own)
  }
  const [unit] = units.filter(({ counter }) => counter === account.counter)
  return { unit: { ...unit!, others: units.filter((other) => other !== unit) }, limits }
}

/** The limits of the account's quota that is nearest to its end, without a reservation. Undefined if none has a limit. */
export async function readNearest(counters: CounterView, account: AccountQuotas): Promise<Limits | undefined> {
  let limits: Limits | undefined
  for (const quota of listQuotas(account)) {
    limits = nearestEnd(limits, limitsIn(account, quota, await counters.peek(quota.counter)))
  }
  return limits
}

function limitsIn(account: Quota, { counter, limit }: Quota, reading: Reading): Limits | undefined {
  const limits = limitsFrom(reading, limit)
  return limits && counter !== account.counter ? { ...limits, keyId: counter } : limits
}

function nearestEnd(one: Limits | undefined, other: Limits | undefined): Limits | undefined {
  return one && other ? (one.remaining <= other.remaining ? one : other) : (one ?? other)
}

/** Refunds the units of a reservation to their month. Returns the limits of the current month. */
export async function refund(counters: CounterStore, unit: ReservedUnit): Promise<Limits | undefined> {
  const { others = [] } = unit
  let limits: Limits | undefined
  for (const each of quotaOrder([unit, ...others])) {
    await counters.refund(each.counter, each.period)
    limits = nearestEnd(limits, limitsIn(unit, each, await counters.peek(each.counter)))
  }
  return limits
}

function quotaOrder<Each extends Quota>(quotas: readonly Each[]): readonly Each[] {
  return quotas.toSorted((one, other) => (one.counter < other.counter ? -1 : 1))
}

/** The limits of a caller with a quota. If the limit was lowered below the used units, 0 remain. */
export function limitsFrom(reading: Reading, limit: number | null): Limits | undefined {
  if (limit === null) return undefined
  const resetAt = periodEnd(reading.period)
  return {
    limit,
    remaining: Math.max(0, limit - reading.used),
    resetAt,
    windowMs: resetAt - periodStart(reading.period),
  }
}

export function quotaExceeded({ limit, resetAt, keyId }: Limits, now: number): FairleadError {
  const retryAfterMs = Math.max(0, resetAt - now)
  const whose = keyId === undefined ? '' : ' of the API key that this one descends from'
  return new FairleadError(
    'QUOTA_EXCEEDED',
    `The quota of ${limit} requests per month${whose} is used up. It resets at ${new Date(resetAt).toISOString()}.`,
    { retryAfterMs },
  )
}

/** A calendar month in UTC, written `YYYY-MM`, so that periods sort as text. */
export type Period = string

export function toPeriod(now: number): Period {
  const date = new Date(now)
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`
}

/** The end of a month, exclusive, in milliseconds since the epoch. */
export function periodEnd(period: Period): number {
  return Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5, 7)))
}

export type RunningMonths = ReturnType<typeof runningMonths>

/** The current month, and the month by a clock that is ahead by `maxClockSkewMs`. */
export function runningMonths(now: number): { readonly month: Period; readonly soon: Period } {
  return { month: toPeriod(now), soon: toPeriod(now + maxClockSkewMs) }
}

/** The start of a month, in milliseconds since the epoch. */
export function periodStart(period: Period): number {
  return Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5, 7)) - 1)
}

/** Monthly counters. The name of a counter is the id of an API key, or of a user for all sessions of that user. */
export interface CounterView {
  /** Returns the units used in the current month. */
  peek(counter: string): Promise<Reading>
}

export interface CounterStore extends CounterView {
  /**
   * Reserves one unit of the current month unless the counter has reached the limit; null means no limit.
   *
   * The store's clock decides which month is current. A counter that has entered the next month stays there if that
   * month begins within `maxClockSkewMs`, so that a small correction of the clock does not reopen a month that has
   * ended. Each month has its own count: after a clock jumped far ahead and back, the count of the current month is
   * unchanged.
   */
  reserve(counter: string, limit: number | null): Promise<Reservation>
  /** Adds units of the current month, whatever the limit. Exact under concurrency. */
  add(counter: string, units: number): Promise<Reading>
  /** Refunds a unit to the month that it was reserved in. */
  refund(counter: string, period: Period): Promise<void>
  /** Marks that an event was emitted for a month. Returns false if the mark was set before. Exact under concurrency. */
  mark(counter: string, period: Period, mark: QuotaMark): Promise<boolean>
  /** Removes at most `limit` counts of earlier months. Returns how many. */
  purge(before: Period, limit: number): Promise<number>
}

/** `warning`: most of the quota is used. `exceeded`: all of it is. */
export type QuotaMark = 'warning' | 'exceeded'

export interface Reading {
  readonly period: Period
  readonly used: number
}

/** Whether a unit was reserved, and the units used including it. */
export interface Reservation extends Reading {
  readonly granted: boolean
}
