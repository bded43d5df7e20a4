import type { components } from '../../api/schema.d.ts'
import type { ChartColor } from '../../components/draw-chart.ts'
import { type Range, rangeMs } from '../../ranges.ts'

export type UsageGroup = components['schemas']['UsageGroup']

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A period of whole hours or days, and the one of the same length before it. Times are in milliseconds since the epoch. */
export interface UsagePeriod {
  readonly from: number
  readonly to: number
  readonly before: number
  readonly groupBy: 'hour' | 'day'
  readonly stepMs: number
}

export function usagePeriod(range: Range, now: number): UsagePeriod {
  const groupBy = rangeMs[range] <= 7 * dayMs ? 'hour' : 'day'
  const stepMs = groupBy === 'hour' ? hourMs : dayMs
  const to = (Math.floor(now / stepMs) + 1) * stepMs
  const from = to - rangeMs[range]
  return { from, to, before: from - rangeMs[range], groupBy, stepMs }
}

export interface TimeGroup extends Omit<UsageGroup, 'group'> {
  readonly at: number
}

const nothing: Omit<UsageGroup, 'group'> = {
  requests: 0,
  errors: 0,
  latency_p50_ms: null,
  latency_p95_ms: null,
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  cost_usd: 0,
}

/** One group for each hour or day of the period: the service leaves out those without usage. */
export function fillGaps({ from, to, stepMs }: UsagePeriod, groups: readonly UsageGroup[]): readonly TimeGroup[] {
  const known = new Map(groups.map(({ group, ...sums }) => [Date.parse(group ?? ''), sums]))
  const filled: TimeGroup[] = []
  for (let at = from; at < to; at += stepMs) filled.push({ at, ...(known.get(at) ?? nothing) })
  return filled
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
  { from, to, stepMs }: UsagePeriod,
  groups: readonly UsageGroup[],
  none: string,
): readonly SplitSeries[] {
  const requests = new Map<string, number>()
  for (const { split, requests: count } of groups) {
    // The service sums up the least used ones under this name.
    if (split !== 'other') requests.set(split ?? none, (requests.get(split ?? none) ?? 0) + count)
  }
  const labels = [...requests].sort(([, one], [, other]) => other - one).slice(0, maxSeries)
  const emptyValues = () => Array.from({ length: (to - from) / stepMs }, () => 0)
  const series = new Map(labels.map(([label]) => [label, emptyValues()]))
  const others = emptyValues()
  for (const { group, split, requests: count } of groups) {
    const values = series.get(split ?? none) ?? others
    const index = (Date.parse(group ?? '') - from) / stepMs
    if (index in values) values[index] = (values[index] ?? 0) + count
  }
  const shown: SplitSeries[] = [...series].map(([label, values]) => ({ label, values }))
  return others.some((count) => count > 0) ? [...shown, { label: 'Other', values: others, color: 'chart-6' }] : shown
}

const csvColumns = [
  'requests',
  'errors',
  'latency_p50_ms',
  'latency_p95_ms',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cost_usd',
] as const

/** Comma-separated values (RFC 4180), with times in UTC. */
export function toCsv(groups: readonly TimeGroup[]): string {
  const lines = groups.map((group) =>
    [new Date(group.at).toISOString(), ...csvColumns.map((column) => group[column] ?? '')].join(','),
  )
  return `${['time', ...csvColumns].join(',')}\r\n${lines.join('\r\n')}\r\n`
}
