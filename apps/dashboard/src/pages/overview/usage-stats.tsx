import { ArrowDownRight, ArrowUpRight } from '../../components/icons.tsx'
import { StatCard } from '../../components/stat-card.tsx'
import { formatCompact, formatMs, formatNumber, formatPercent, formatUsd } from '../../format.ts'
import type { UsageGroup, UsageSum } from './usage-period.ts'

export interface UsageStatsProps {
  /** Undefined while they load. */
  readonly sum: UsageSum | undefined
  /** The sums of the period before. */
  readonly before: UsageSum | undefined
  /** The usage of the operation whose responses can be streams. */
  readonly generations: UsageGroup | undefined
  readonly range: string
}

export function UsageStats({ sum, before, generations, range }: UsageStatsProps) {
  const errorShare = sum && (sum.requests === 0 ? 0 : sum.errors / sum.requests)
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 md:gap-4 xl:grid-cols-6">
      <StatCard
        label="Requests"
        value={sum && formatNumber(sum.requests)}
        note={<Change now={sum?.requests} before={before?.requests} range={range} />}
      />
      <StatCard
        label="Error rate"
        value={errorShare === undefined ? undefined : formatPercent(errorShare)}
        note={sum && `${formatNumber(sum.errors)} failed`}
      />
      <StatCard
        label="Time to first token"
        value={sum && milliseconds(generations?.first_token_p50_ms)}
        note={percentileNote(generations?.first_token_p95_ms, 'No streams')}
      />
      <StatCard
        label="Text latency"
        value={sum && milliseconds(generations?.latency_p50_ms)}
        note={percentileNote(generations?.latency_p95_ms, 'No texts')}
      />
      <StatCard
        label="Tokens"
        value={sum && formatCompact(sum.tokens)}
        note={<Change now={sum?.tokens} before={before?.tokens} range={range} />}
      />
      <StatCard
        label="Cost"
        value={sum && formatUsd(sum.costUsd)}
        note={<Change now={sum?.costUsd} before={before?.costUsd} range={range} />}
      />
    </dl>
  )
}

function milliseconds(value: number | null | undefined): string {
  return value == null ? '–' : formatMs(value)
}

function percentileNote(p95Ms: number | null | undefined, none: string): string {
  return p95Ms == null ? none : `Median; p95 ${formatMs(p95Ms)}`
}

interface ChangeProps {
  readonly now: number | undefined
  readonly before: number | undefined
  readonly range: string
}

/** The change since the period before. Neither direction is good or bad, so it has no color. */
function Change({ now, before, range }: ChangeProps) {
  if (now === undefined || before === undefined) return null
  if (before === 0) return `none in the prior ${range}`
  const change = now / before - 1
  const percent = formatPercent(change)
  // A change that rounds to nothing has no direction.
  if (percent === formatPercent(0) || percent === formatPercent(-0)) return `no change vs. prior ${range}`
  const Icon = change > 0 ? ArrowUpRight : ArrowDownRight
  return (
    <span className="inline-flex items-center gap-0.5">
      <Icon aria-hidden className="size-3.5" />
      {change > 0 ? '+' : ''}
      {percent} vs. prior {range}
    </span>
  )
}
