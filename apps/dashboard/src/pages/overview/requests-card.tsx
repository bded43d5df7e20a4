import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../api/client.ts'
import { Card } from '../../components/card.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { TimeSeriesChart } from '../../components/time-series-chart.tsx'
import { formatCompact } from '../../format.ts'
import { requestSplits } from './page.ts'
import { splitRequests, type TimeGroup, type UsagePeriod } from './usage-period.ts'
import { type ChartFrame, refreshMs } from './usage-charts.tsx'
import type { WhoseUsage } from './whose-usage.ts'

export type RequestSplit = (typeof requestSplits)[number]

export interface RequestsCardProps extends ChartFrame {
  readonly period: UsagePeriod
  /** Undefined while they load. */
  readonly groups: readonly TimeGroup[] | undefined
  readonly split: RequestSplit
  readonly whose: WhoseUsage
  onSplitChange(split: RequestSplit): void
}

const labels: Readonly<Record<RequestSplit, string>> = { model: 'Model', operation: 'Operation', outcome: 'Outcome' }

/** Requests over time, by model, operation, or outcome. */
export function RequestsCard({ period, groups, split, whose, onSplitChange, unit, ...frame }: RequestsCardProps) {
  const usage = api.useQuery(
    'get',
    '/usage/timeseries',
    {
      params: {
        query: {
          from: new Date(period.from).toISOString(),
          to: new Date(period.to).toISOString(),
          group_by: period.groupBy,
          split_by: split === 'outcome' ? undefined : split,
          ...whose.query,
        },
      },
    },
    { enabled: split !== 'outcome', placeholderData: keepPreviousData, refetchInterval: refreshMs },
  )
  const series = useMemo(() => {
    if (split === 'outcome') {
      if (!groups) return undefined
      return [
        { label: 'Successful', values: groups.map((group) => group.requests - group.errors) },
        { label: 'Failed', values: groups.map(({ errors }) => errors), color: 'danger' as const },
      ]
    }
    return usage.data && splitRequests(period, usage.data.data.groups, 'Without a model')
  }, [split, groups, period, usage.data])

  return (
    <Card
      title="Requests"
      description={unit}
      actions={
        <Segmented
          label="Split requests by"
          value={split}
          options={requestSplits.map((value) => ({ value, label: labels[value] }))}
          onChange={onSplitChange}
        />
      }
    >
      <QueryError query={usage} />
      {(series ?? !usage.error) && (
        <TimeSeriesChart
          label="Requests over time"
          kind="stacked bars"
          whole
          series={series}
          format={formatCompact}
          {...frame}
        />
      )}
    </Card>
  )
}
