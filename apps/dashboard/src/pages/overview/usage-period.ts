import type { components } from '../../api/schema.d.ts'
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
