import { useCallback, useMemo } from 'react'
import { Card } from '../../components/card.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { TimeSeriesChart } from '../../components/time-series-chart.tsx'
import { formatDate, formatDateTime, formatMs, formatUsd } from '../../format.ts'
import { latencies } from './page.ts'
import type { TimeGroup, UsagePeriod } from './usage-period.ts'

/** How often the charts load the latest usage. */
export const refreshMs = 60_000

/** The settings that the charts of a period share. */
export interface ChartFrame {
  readonly times: readonly number[]
  readonly timeZone: string
  /** Describes one point of the chart. */
  readonly unit: string
  formatTime(at: number): string
}

export function useChartFrame(
  { groupBy, step, times }: Pick<UsagePeriod, 'groupBy' | 'step' | 'times'>,
  timeZone: string,
): ChartFrame {
  // The service counts days in UTC.
  const zone = groupBy === 'day' ? 'UTC' : timeZone
  const formatTime = useCallback(
    (at: number) => (step === 'day' ? formatDate(at, zone) : formatDateTime(at, zone)),
    [step, zone],
  )
  const unit = step === 'hour' ? 'Per hour' : zone === 'UTC' ? 'Per day, in UTC' : 'Per day'
  return { times, timeZone: zone, unit, formatTime }
}

export type Latency = (typeof latencies)[number]

const latencyFields = {
  response: { label: 'Response', p50: 'latency_p50_ms', p95: 'latency_p95_ms' },
  'first-token': { label: 'First token', p50: 'first_token_p50_ms', p95: 'first_token_p95_ms' },
} as const satisfies Record<Latency, object>

export interface LatencyCardProps extends ChartFrame {
  /** Undefined while they load. */
  readonly groups: readonly TimeGroup[] | undefined
  readonly latency: Latency
  onLatencyChange(latency: Latency): void
}

/** The time to the whole response, or to the first token of a stream. */
export function LatencyCard({ groups, latency, onLatencyChange, unit, ...frame }: LatencyCardProps) {
  const series = useMemo(() => {
    const { p50, p95 } = latencyFields[latency]
    return (
      groups && [
        { label: 'p50', values: groups.map((group) => group[p50]) },
        { label: 'p95', values: groups.map((group) => group[p95]) },
      ]
    )
  }, [groups, latency])
  return (
    <Card
      title="Latency"
      description={unit}
      actions={
        <Segmented
          label="Latency until"
          value={latency}
          options={latencies.map((value) => ({ value, label: latencyFields[value].label }))}
          onChange={onLatencyChange}
        />
      }
    >
      <TimeSeriesChart label="Latency over time" series={series} format={formatMs} {...frame} />
    </Card>
  )
}

export function CostCard({ groups, unit, ...frame }: ChartFrame & Pick<LatencyCardProps, 'groups'>) {
  const series = useMemo(
    () => groups && [{ label: 'Cost', values: groups.map(({ cost_usd }) => cost_usd), color: 'chart-2' as const }],
    [groups],
  )
  return (
    <Card title="Cost" description={unit}>
      <TimeSeriesChart label="Cost over time" kind="stacked bars" series={series} format={formatUsd} {...frame} />
    </Card>
  )
}
