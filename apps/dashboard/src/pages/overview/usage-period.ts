import type { components } from '../../api/schema.d.ts'
import type { ChartColor } from '../../components/chart-data.ts'
import { type DayRange, type Range, rangeMs, startOfDay, type Zone } from '../../ranges.ts'

export type UsageGroup = components['schemas']['UsageGroup']

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A period, and the one of the same length before it. Times are in milliseconds since the epoch. */
export interface UsagePeriod {
  readonly from: number
  readonly to: number
  readonly before: number
  readonly groupBy: 'hour' | 'day'
  /** When each hour or day starts. */
  readonly times: readonly number[]
}

/** The latest whole hours or days. */
export function latestPeriod(range: Range, now: number): UsagePeriod {
  const stepMs = rangeMs[range] <= maxHourlyMs ? hourMs : dayMs
  const to = (Math.floor(now / stepMs) + 1) * stepMs
  return periodOf(to - rangeMs[range], to)
}

/** Whole days in a time zone, to the hour: some time zones begin a day at half an hour of UTC. */
export function periodOfDays({ from, to }: DayRange, zone: Zone): UsagePeriod {
  return periodOf(
    Math.floor(startOfDay(from, zone) / hourMs) * hourMs,
    Math.ceil(startOfDay(to, zone, 1) / hourMs) * hourMs,
  )
}

/** A week has an hour more when the clocks are set back. */
const maxHourlyMs = 7 * dayMs + hourMs

function periodOf(from: number, to: number): UsagePeriod {
  const groupBy = to - from <= maxHourlyMs ? 'hour' : 'day'
  const stepMs = groupBy === 'hour' ? hourMs : dayMs
  const times: number[] = []
  // The service counts days in UTC, so the first and the last one may be incomplete.
  for (let at = Math.floor(from / stepMs) * stepMs; at < to; at += stepMs) times.push(at)
  return { from, to, before: from - (to - from), groupBy, times }
}

export interface TimeGroup extends Omit<UsageGroup, 'group'> {
  readonly at: number
}

const nothing: Omit<UsageGroup, 'group'> = {
  requests: 0,
  errors: 0,
  latency_p50_ms: null,
  latency_p95_ms: null,
  first_token_p50_ms: null,
  first_token_p95_ms: null,
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  cost_usd: 0,
}

/** One group for each hour or day of the period: the service leaves out those without usage. */
export function fillGaps({ times }: UsagePeriod, groups: readonly UsageGroup[]): readonly TimeGroup[] {
  const known = new Map(groups.map(({ group, ...sums }) => [Date.parse(group ?? ''), sums]))
  return times.map((at) => ({ at, ...(known.get(at) ?? nothing) }))
}

export interface UsageSum {
  readonly requests: number
  readonly errors: number
  readonly tokens: number
  readonly costUsd: number
}

export function sumUsage(groups: readonly Omit<UsageGroup, 'group'>[]): UsageSum {
  const sum = { requests: 0, errors: 0, tokens: 0, costUsd: 0 }
  for (const group of groups) {
    sum.requests += group.requests
    sum.errors += group.errors
    sum.tokens += group.total_tokens
    sum.costUsd += group.cost_usd
  }
  return sum
}

export interface SplitSeries {
  readonly label: string
  /** The number of requests in each hour or day of the period. */
  readonly values: readonly number[]
  readonly color?: ChartColor | undefined
}

/** A chart with more colors is hard to read. */
const maxSeries = 5

/** A series for each of the most used models or operations, and one for the others. */
export function splitRequests(
  { times }: UsagePeriod,
  groups: readonly UsageGroup[],
  none: string,
): readonly SplitSeries[] {
  const requests = new Map<string, number>()
  for (const { split, requests: count } of groups) {
    // The service sums up the least used ones under this name.
    if (split !== 'other') requests.set(split ?? none, (requests.get(split ?? none) ?? 0) + count)
  }
  const labels = [...requests].sort(([, one], [, other]) => other - one).slice(0, maxSeries)
  const indexes = new Map(times.map((at, index) => [at, index]))
  const emptyValues = () => times.map(() => 0)
  const series = new Map(labels.map(([label]) => [label, emptyValues()]))
  const others = emptyValues()
  for (const { group, split, requests: count } of groups) {
    const values = series.get(split ?? none) ?? others
    const index = indexes.get(Date.parse(group ?? ''))
    if (index !== undefined) values[index] = (values[index] ?? 0) + count
  }
  const shown: SplitSeries[] = [...series].map(([label, values]) => ({ label, values }))
  return others.some((count) => count > 0) ? [...shown, { label: 'Other', values: others, color: 'chart-6' }] : shown
}

const csvColumns = Object.keys(nothing) as readonly (keyof typeof nothing)[]

/** Comma-separated values (RFC 4180), with times in UTC. */
export function toCsv(groups: readonly TimeGroup[]): string {
  const lines = groups.map((group) =>
    [new Date(group.at).toISOString(), ...csvColumns.map((column) => group[column] ?? '')].join(','),
  )
  return `${['time', ...csvColumns].join(',')}\r\n${lines.join('\r\n')}\r\n`
}
