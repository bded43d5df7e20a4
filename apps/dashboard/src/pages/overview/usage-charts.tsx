import { useCallback, useMemo } from 'react'
import { Card } from '../../components/card.tsx'
import { TimeSeriesChart } from '../../components/time-series-chart.tsx'
import { formatCompact, formatDate, formatDateTime, formatMs, formatUsd } from '../../format.ts'
import type { TimeGroup } from './usage-period.ts'

export interface UsageChartsProps {
  readonly groups: readonly TimeGroup[]
  readonly groupBy: 'hour' | 'day'
  readonly timeZone: string
}

export function UsageCharts({ groups, groupBy, timeZone }: UsageChartsProps) {
  // The service counts days in UTC.
  const zone = groupBy === 'day' ? 'UTC' : timeZone
  const formatTime = useCallback(
    (at: number) => (groupBy === 'day' ? formatDate(at, zone) : formatDateTime(at, zone)),
    [groupBy, zone],
  )
  const { times, requests, latency, cost } = useMemo(
    () => ({
      times: groups.map(({ at }) => at),
      requests: [
        { label: 'Successful', values: groups.map((group) => group.requests - group.errors) },
        { label: 'Failed', values: groups.map(({ errors }) => errors), color: 'danger' as const },
      ],
      latency: [
        { label: 'p50', values: groups.map(({ latency_p50_ms }) => latency_p50_ms) },
        { label: 'p95', values: groups.map(({ latency_p95_ms }) => latency_p95_ms) },
      ],
      cost: [{ label: 'Cost', values: groups.map(({ cost_usd }) => cost_usd), color: 'chart-2' as const }],
    }),
    [groups],
  )
  const shared = { times, timeZone: zone, formatTime }
  const unit = groupBy === 'day' ? 'Per day, in UTC' : 'Per hour'
  return (
    <>
      <Card title="Requests" description={unit}>
        <TimeSeriesChart
          label="Requests over time"
          kind="stacked bars"
          series={requests}
          format={formatCompact}
          {...shared}
        />
      </Card>
      <div className="grid grid-cols-1 gap-4 md:gap-5 xl:grid-cols-2">
        <Card title="Latency" description={unit}>
          <TimeSeriesChart label="Latency over time" series={latency} format={formatMs} {...shared} />
        </Card>
        <Card title="Cost" description={unit}>
          <TimeSeriesChart label="Cost over time" kind="stacked bars" series={cost} format={formatUsd} {...shared} />
        </Card>
      </div>
    </>
  )
}
