import { api } from '../../api/client.ts'
import { Card } from '../../components/card.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatDate, formatLabel, formatNumber } from '../../format.ts'

/** This month's units against the limit, for each credential: each has its own counter. */
export function MonthCard() {
  const usage = api.useQuery('get', '/usage')
  const data = usage.data?.data
  return (
    <Card
      title="Quota this month"
      description={
        data && `${formatLabel(data.tier)} tier. The counters reset on ${formatDate(data.resets_at, 'UTC')}, 00:00 UTC.`
      }
    >
      {usage.error ? <ErrorPanel error={usage.error} onRetry={() => void usage.refetch()} /> : null}
      {usage.isPending && <Skeleton className="h-16" />}
      <ul className="grid grid-cols-1 gap-x-8 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
        {data?.credentials.map(({ id, name, used, limit }) => {
          const label = name ?? 'Dashboard sessions'
          return (
            <li key={id ?? 'sessions'} className="min-w-0">
              <p className="mb-1.5 flex justify-between gap-4 text-sm">
                <span className="truncate font-medium">{label}</span>
                <span className="tabular whitespace-nowrap">
                  {formatNumber(used)}
                  <span className="text-muted"> / {limit === null ? 'no limit' : formatNumber(limit)}</span>
                </span>
              </p>
              {limit !== null && <ProgressBar label={`Units of ${label} used this month`} value={used} max={limit} />}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
