import { useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { QueryError } from '../../components/query-error.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TimeSeriesChart } from '../../components/time-series-chart.tsx'
import { formatCompact, formatNumber, formatUsd } from '../../format.ts'
import { useChartFrame } from '../overview/usage-charts.tsx'
import { fillGaps, latestPeriod, sumUsage } from '../overview/usage-period.ts'

/** The requests of a user on each of the last 30 days. */
export function UserRequestsChart({ id }: { readonly id: string }) {
  const [period] = useState(() => latestPeriod('30d', Date.now(), 'utc'))
  const query = {
    user_id: id,
    group_by: period.groupBy,
    from: new Date(period.from).toISOString(),
    to: new Date(period.to).toISOString(),
  }
  const usage = api.useQuery('get', '/usage/timeseries', { params: { query } })
  const groups = usage.data?.data.groups
  const series = useMemo(() => {
    if (!groups) return undefined
    const days = fillGaps(period.times, groups)
    return [
      { label: 'Successful', values: days.map(({ requests, errors }) => requests - errors) },
      { label: 'Failed', values: days.map(({ errors }) => errors), color: 'danger' as const },
    ]
  }, [period, groups])
  const { unit: _unit, ...frame } = useChartFrame(period, 'UTC')
  const sum = groups && sumUsage(groups)
  return (
    <section className="border-t border-line pt-4">
      <h3 className="text-sm font-semibold">Requests of the last 30 days</h3>
      <QueryError query={usage} />
      {usage.isPending && <Skeleton className="mt-3 h-[224px] w-full" />}
      {sum && (
        <p className="tabular mt-0.5 mb-3 text-xs text-muted">
          {sum.requests === 0
            ? 'None.'
            : `${formatNumber(sum.requests)} in all, ${formatCompact(sum.tokens)} tokens, ${formatUsd(sum.costUsd)}. Per day, in UTC.`}
        </p>
      )}
      {series && sum && sum.requests > 0 && (
        <TimeSeriesChart
          label="Requests of the user over time"
          kind="stacked bars"
          whole
          series={series}
          format={formatCompact}
          {...frame}
        />
      )}
    </section>
  )
}
