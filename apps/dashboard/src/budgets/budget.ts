import type { components } from '../api/schema.d.ts'
import { formatDate, formatUsd } from '../format.ts'
import { madeAt } from '../made-at.ts'

export type Budget = components['schemas']['BudgetStatus']
type BudgetPeriod = Budget['period']

/** A budget as keys and users have it. */
export interface BudgetLimit {
  readonly budget_usd: number | null
  readonly budget_period: BudgetPeriod
}

const words: Readonly<Record<NonNullable<BudgetPeriod>, string>> = {
  day: 'per day',
  week: 'per week',
  month: 'per month',
}

/** `per month`, or `in total`. */
function describePeriod(period: BudgetPeriod): string {
  return period === null ? 'in total' : words[period]
}

/** `$20 per month`. Undefined without a budget. */
export function describeBudget({ budget_usd, budget_period }: BudgetLimit): string | undefined {
  return budget_usd === null ? undefined : `${formatWhole(budget_usd)} ${describePeriod(budget_period)}`
}

/** `$20`, but `$2.50`. */
function formatWhole(usd: number): string {
  return formatUsd(usd).replace(/\.00$/, '')
}

/** Whose budget it is, for people. */
export function budgetName({ kind, id }: Budget, nameOfKey: (id: string) => string | null | undefined): string {
  if (kind === 'user') return 'All keys and sessions'
  return kind === 'project' ? 'Project' : (nameOfKey(id) ?? `…${id.slice(-6)}`)
}

const dayMs = 86_400_000
/** Before this share of a period has passed, a few calls would decide the forecast. */
const minElapsedShare = 0.02

/** The cost by the end of the period if spending goes on at its rate. Times are in milliseconds since the epoch. */
export interface Forecast {
  readonly spentUsd: number
  readonly at: number
  /** When the budget is used up, if that is before the end of the period. */
  readonly usedUpAt: number | undefined
}

/**
 * A linear forecast for the end of the period. Undefined for a total, which has none, for a budget that is used up, and while too
 * little is known. Spending began with the period, or with the key or the user.
 */
export function forecast(budget: Budget, now: number): Forecast | undefined {
  const { id, period, resets_at, spent_usd, limit_usd } = budget
  if (period === null || resets_at === null) return undefined
  const end = Date.parse(resets_at)
  const from = Math.max(periodStart(period, end), madeAt(id) ?? 0)
  const elapsed = now - from
  if (spent_usd === 0 || spent_usd >= limit_usd || elapsed < minElapsedShare * (end - from)) return undefined
  const perMs = spent_usd / elapsed
  const usedUpAt = from + limit_usd / perMs
  return { spentUsd: perMs * (end - from), at: end, usedUpAt: usedUpAt < end ? usedUpAt : undefined }
}

function periodStart(period: NonNullable<BudgetPeriod>, end: number): number {
  if (period !== 'month') return end - (period === 'day' ? dayMs : 7 * dayMs)
  const last = new Date(end - 1)
  return Date.UTC(last.getUTCFullYear(), last.getUTCMonth())
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

/** `At this rate: $41 by 30 Nov (linear)`, with the day on which the budget is used up before. */
export function describeForecast({ spentUsd, at, usedUpAt }: Forecast, period: BudgetPeriod): string {
  const format = (time: number) => (period === 'day' ? `${timeFormat.format(time)} UTC` : dayFormat.format(time))
  // The last day of the period, not the first of the next.
  const by = period === 'day' ? '24:00 UTC' : dayFormat.format(at - 1)
  const usedUp = usedUpAt === undefined ? '' : `, used up ${period === 'day' ? 'at' : 'on'} ${format(usedUpAt)}`
  return `At this rate: ${formatEstimate(spentUsd)} by ${by}${usedUp} (linear)`
}

/** An estimate has no cents. */
function formatEstimate(usd: number): string {
  return usd >= 10 ? formatWhole(Math.round(usd)) : formatUsd(usd)
}

/** `resets on 1 Dec 2026, 00:00 UTC`, or that it does not. */
export function describeReset({ resets_at }: Budget): string {
  return resets_at === null ? 'does not reset' : `resets on ${formatDate(resets_at, 'UTC')}, 00:00 UTC`
}
