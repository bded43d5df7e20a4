import { api } from '../../api/client.ts'
import { Card } from '../../components/card.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { LongList } from '../../components/long-list.tsx'
import { credentialName, QuotaUse } from '../../components/quota-use.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatDate, formatLabel } from '../../format.ts'
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
          textOf={({ name }) => credentialName(name)}
          className="grid grid-cols-1 gap-x-8 gap-y-4 sm:grid-cols-2 xl:grid-cols-3"
        >
          {({ id, name, used, limit }) => (
            <li key={id ?? 'sessions'} className="min-w-0">
              <QuotaUse name={name} used={used} limit={limit} />
            </li>
          )}
        </LongList>
      )}
    </Card>
  )
}
