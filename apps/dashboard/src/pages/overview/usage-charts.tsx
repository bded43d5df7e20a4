import { useCallback, useMemo } from 'react'
import { Card } from '../../components/card.tsx'
import { TimeSeriesChart } from '../../components/time-series-chart.tsx'
import { formatDate, formatDateTime, formatMs, formatUsd } from '../../format.ts'
import type { TimeGroup, UsagePeriod } from './usage-period.ts'

/** How often the charts load the latest usage. */
export const refreshMs = 60_000

/** What the charts of a period share. */
export interface ChartFrame {
  readonly times: readonly number[]
  readonly timeZone: string
  /** Describes one point of the chart. */
  readonly unit: string
  formatTime(at: number): string
}

export function useChartFrame({ groupBy, times }: UsagePeriod, timeZone: string): ChartFrame {
  // The service counts days in UTC.
  const zone = groupBy === 'day' ? 'UTC' : timeZone
  const formatTime = useCallback(
    (at: number) => (groupBy === 'day' ? formatDate(at, zone) : formatDateTime(at, zone)),
    [groupBy, zone],
  )
  return { times, timeZone: zone, unit: groupBy === 'day' ? 'Per day, in UTC' : 'Per hour', formatTime }
}

export function LatencyCard({ groups, unit, ...frame }: ChartFrame & { readonly groups: readonly TimeGroup[] }) {
  const series = useMemo(
    () => [
      { label: 'p50', values: groups.map(({ latency_p50_ms }) => latency_p50_ms) },
      { label: 'p95', values: groups.map(({ latency_p95_ms }) => latency_p95_ms) },
    ],
    [groups],
  )
  return (
    <Card title="Latency" description={unit}>
      <TimeSeriesChart label="Latency over time" series={series} format={formatMs} {...frame} />
    </Card>
  )
}

export function CostCard({ groups, unit, ...frame }: ChartFrame & { readonly groups: readonly TimeGroup[] }) {
  const series = useMemo(
    () => [{ label: 'Cost', values: groups.map(({ cost_usd }) => cost_usd), color: 'chart-2' as const }],
    [groups],
  )
  return (
    <Card title="Cost" description={unit}>
      <TimeSeriesChart label="Cost over time" kind="stacked bars" series={series} format={formatUsd} {...frame} />
    </Card>
  )
}
