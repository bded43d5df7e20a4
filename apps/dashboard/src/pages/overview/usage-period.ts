import type { components } from '../../api/schema.d.ts'
import type { ChartColor } from '../../components/chart-data.ts'
import { countDays, toDay, type DayRange, type Range, rangeMs, startOfDay, type Zone } from '../../ranges.ts'

export type UsageGroup = components['schemas']['UsageGroup']

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A period, and the one of the same length before it. Times are in milliseconds since the epoch. */
export interface UsagePeriod {
  readonly from: number
  readonly to: number
  readonly before: number
  /** The unit of the service's sums. It knows hours, and days in UTC. */
  readonly groupBy: 'hour' | 'day'
  /** The unit of a point of a chart: days in another time zone are summed up from hours. */
  readonly step: 'hour' | 'day'
  /** When each step starts. */
  readonly times: readonly number[]
  /** When each group of the service starts, for percentiles, which cannot be summed up. */
  readonly groupTimes: readonly number[]
}

/** The latest whole hours or days. */
export function latestPeriod(range: Range, now: number, zone: Zone): UsagePeriod {
  if (rangeMs[range] <= maxHourlyMs) {
    const to = (Math.floor(now / hourMs) + 1) * hourMs
    return createPeriod(to - rangeMs[range], to)
  }
  const count = rangeMs[range] / dayMs
  const today = toDay(now, zone)
  const first = new Date(Date.parse(today) - (count - 1) * dayMs).toISOString().slice(0, 10)
  return daysFit(count) ? periodOfDays({ from: first, to: today }, zone) : periodOfDays(utcDays(now, count), 'utc')
}

/** Whole days in a time zone, to the hour: some time zones begin a day at half an hour of UTC. */
export function periodOfDays({ from, to }: DayRange, zone: Zone): UsagePeriod {
  const start = Math.floor(startOfDay(from, zone) / hourMs) * hourMs
  const end = Math.ceil(startOfDay(to, zone, 1) / hourMs) * hourMs
  const count = countDays({ from, to })
  const isHourly = end - start <= maxHourlyMs
  const isUtc = start % dayMs === 0 && end % dayMs === 0
  if (isHourly || isUtc || !daysFit(count)) return createPeriod(start, end)
  const times = Array.from({ length: count }, (_, day) => startOfDay(from, zone, day))
  return { ...toSpan(start, end), groupBy: 'hour', step: 'day', times, groupTimes: listTimes(start, end, hourMs) }
}

/** A week has an hour more when the clocks are set back. */
const maxHourlyMs = 7 * dayMs + hourMs

/** Whether the service sums up the hours of so many days, of which one has an hour more when the clocks are set back. */
function daysFit(count: number): boolean {
  return count <= 30
}

function utcDays(now: number, count: number): DayRange {
  return { from: toDay(now - (count - 1) * dayMs, 'utc'), to: toDay(now, 'utc') }
}

function createPeriod(from: number, to: number): UsagePeriod {
  const step = to - from <= maxHourlyMs ? 'hour' : 'day'
  const times = listTimes(from, to, step === 'hour' ? hourMs : dayMs)
  return { ...toSpan(from, to), groupBy: step, step, times, groupTimes: times }
}

function toSpan(from: number, to: number) {
  return { from, to, before: from - (to - from) }
}

/** The service counts days in UTC, so the first and the last one may be incomplete. */
function listTimes(from: number, to: number, stepMs: number): readonly number[] {
  const times: number[] = []
  for (let at = Math.floor(from / stepMs) * stepMs; at < to; at += stepMs) times.push(at)
  return times
}

/** The step that a group of the service belongs to. An hour in which a day starts counts for the day before. */
function chooseStep(times: readonly number[], group: UsageGroup['group']): number {
  const at = Date.parse(group ?? '')
  return Math.max(
    0,
    times.findLastIndex((start) => start <= at),
  )
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

/** One group for each time: the service leaves out those without usage. Sums of several groups have no percentiles. */
export function fillGaps(times: readonly number[], groups: readonly UsageGroup[]): readonly TimeGroup[] {
  const filled: TimeGroup[] = times.map((at) => ({ at, ...nothing }))
  for (const { group, ...sums } of groups) {
    const step = chooseStep(times, group)
    const before = filled[step]
    if (before)
      filled[step] = before.requests === 0 ? { ...sums, at: before.at } : { ...add(before, sums), at: before.at }
  }
  return filled
}

function add(one: Omit<UsageGroup, 'group'>, other: Omit<UsageGroup, 'group'>): Omit<UsageGroup, 'group'> {
  return {
    ...nothing,
    requests: one.requests + other.requests,
    errors: one.errors + other.errors,
    prompt_tokens: one.prompt_tokens + other.prompt_tokens,
    completion_tokens: one.completion_tokens + other.completion_tokens,
    total_tokens: one.total_tokens + other.total_tokens,
    cost_usd: one.cost_usd + other.cost_usd,
  }
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
  const emptyValues = () => times.map(() => 0)
  const series = new Map(labels.map(([label]) => [label, emptyValues()]))
  const others = emptyValues()
  for (const { group, split, requests: count } of groups) {
    const values = series.get(split ?? none) ?? others
    const step = chooseStep(times, group)
    values[step] = (values[step] ?? 0) + count
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
