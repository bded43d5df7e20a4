import { api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { Badge, type BadgeTone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { RotateCw, Server } from '../../components/icons.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { StatCard } from '../../components/stat-card.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatNumber } from '../../format.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { failureLabels, TargetTable } from './target-table.tsx'

type Provider = components['schemas']['Provider']

/** The service checks the health of a provider at most every ten seconds. */
const refreshMs = 10_000

export function Providers() {
  const query = api.useQuery('get', '/providers', {}, { refetchInterval: refreshMs })
  const providers = query.data?.data
  const targets = providers?.flatMap((provider) => provider.targets)
  return (
    <PageLayout
      title="Providers"
      description="Health, circuit breakers, and latency of each provider, updated every ten seconds."
      actions={
        <Button busy={query.isFetching} onClick={() => void query.refetch()}>
          {!query.isFetching && <RotateCw aria-hidden className="size-3.5" />}
          Refresh
        </Button>
      }
    >
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatCard
          label="Providers"
          value={providers && formatNumber(providers.length)}
          note={providers && countModels(sum(providers.map(({ models }) => models)))}
        />
        <StatCard
          label="Down"
          value={providers && formatNumber(providers.filter(({ health }) => health.status === 'down').length)}
          note={
            providers &&
            `${formatNumber(providers.filter(({ health }) => health.status !== 'unknown').length)} with a health check`
          }
        />
        <StatCard
          label="Open circuits"
          value={targets && formatNumber(targets.filter(({ circuit }) => circuit !== 'closed').length)}
          note={targets && `of ${countModels(targets.length)} called`}
        />
        <StatCard
          label="Calls in flight"
          value={targets && formatNumber(sum(targets.map(({ in_flight }) => in_flight)))}
          note={targets && `${formatNumber(sum(targets.map(({ queued }) => queued)))} queued`}
        />
      </dl>
      <QueryError query={query} />
      {query.isPending && <Skeleton className="h-48 w-full" />}
      {providers?.length === 0 && (
        <Card>
          <EmptyState icon={Server} title="No provider is enabled">
            Set the API key of a provider, such as OPENAI_API_KEY, and restart the service.
          </EmptyState>
        </Card>
      )}
      {providers?.map((provider) => (
        <ProviderSection key={provider.id} provider={provider} />
      ))}
    </PageLayout>
  )
}

const healthLabels = { up: 'Up', down: 'Down', unknown: 'No health check' } as const
const healthTones = { up: 'success', down: 'danger', unknown: 'neutral' } as const satisfies Record<string, BadgeTone>

function ProviderSection({ provider: { id, models, health, targets } }: { readonly provider: Provider }) {
  return (
    <section aria-label={id} className="flex flex-col gap-2">
      <header className="flex flex-wrap items-baseline gap-x-2.5">
        <h2 className="text-base font-semibold">{id}</h2>
        <Badge tone={healthTones[health.status]}>{healthLabels[health.status]}</Badge>
        <p className="tabular ml-auto text-xs text-muted">
          {countModels(models)}
          {health.checked_at !== undefined && (
            <>
              {' · checked '}
              <TimeAgo at={health.checked_at} />
            </>
          )}
          {health.failure !== undefined && ` · ${failureLabels[health.failure]}`}
        </p>
      </header>
      <TargetTable provider={id} targets={targets} />
    </section>
  )
}

function countModels(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'model' : 'models'}`
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
