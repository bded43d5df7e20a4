import { api } from '../../api/client.ts'
import { Card } from '../../components/card.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { LongList } from '../../components/long-list.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatDate, formatLabel, formatNumber } from '../../format.ts'
import type { WhoseUsage } from './whose-usage.ts'

/** This month's units against the limit, for each credential: each has its own counter. */
export function MonthCard({ query }: { readonly query: WhoseUsage['query'] }) {
  const usage = api.useQuery('get', '/usage', { params: { query } })
  const data = usage.data?.data
  return (
    <Card
      title="Quota this month"
      description={
        data && `${formatLabel(data.tier)} tier. The counters reset on ${formatDate(data.resets_at, 'UTC')}, 00:00 UTC.`
      }
    >
      <QueryError query={usage} />
      {usage.isPending && <Skeleton className="h-16" />}
      {data && (
        <LongList
          label="keys"
          items={data.credentials.toSorted((one, other) => other.used - one.used)}
          textOf={(credential) => nameOf(credential)}
          className="grid grid-cols-1 gap-x-8 gap-y-4 sm:grid-cols-2 xl:grid-cols-3"
        >
          {(credential) => {
            const { id, used, limit } = credential
            const name = nameOf(credential)
            return (
              <li key={id ?? 'sessions'} className="min-w-0">
                <p className="mb-1.5 flex justify-between gap-4 text-sm">
                  <span className="truncate font-medium">{name}</span>
                  <span className="tabular whitespace-nowrap">
                    {formatNumber(used)}
                    <span className="text-muted"> / {limit === null ? 'no limit' : formatNumber(limit)}</span>
                  </span>
                </p>
                {limit !== null && <ProgressBar label={`Units of ${name} used this month`} value={used} max={limit} />}
              </li>
            )
          }}
        </LongList>
      )}
    </Card>
  )
}

function nameOf({ name }: { readonly name: string | null }): string {
  return name ?? 'Dashboard sessions'
}
