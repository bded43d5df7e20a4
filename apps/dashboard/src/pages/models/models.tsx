import { Boxes } from 'lucide-react'
import { api } from '../../api/client.ts'
import type { components } from '../../api/schema.d.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { anyText, oneOf, useFilters } from '../../filters.ts'
import { formatCompact, formatUsd } from '../../format.ts'
import { PageLayout } from '../../layout/page-layout.tsx'

type Model = components['schemas']['Model']

const capabilities = ['streaming', 'seed', 'structured'] as const
type Capability = (typeof capabilities)[number]

const capabilityLabels: Readonly<Record<Capability, string>> = {
  streaming: 'Streaming',
  seed: 'Seed',
  structured: 'JSON schema',
}

const readers = {
  query: anyText,
  type: oneOf(['text', 'image']),
  provider: anyText,
  capability: oneOf(capabilities),
}

export function Models() {
  const [{ query = '', type, provider, capability }, setFilters] = useFilters(readers)
  const models = api.useQuery('get', '/models')
  const all = models.data?.data
  const providers = [...new Set(all?.map((model) => model.provider))].sort()
  const text = query.toLowerCase()
  // The list is not paged: the service has all models in memory.
  const rows = all?.filter(
    (model) =>
      (type === undefined || model.type === type) &&
      (provider === undefined || model.provider === provider) &&
      (capability === undefined || model.capabilities[capability]) &&
      `${model.id} ${model.name} ${model.provider}`.toLowerCase().includes(text),
  )

  return (
    <PageLayout
      title="Models"
      description={
        <>
          The models of all enabled providers. Send an id as <code className="font-mono text-xs">model</code>, or{' '}
          <code className="font-mono text-xs">provider/id</code> to choose the provider too.
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label="Search models" value={query} onChange={(next) => setFilters({ query: next })} />
        <Select
          label="Type"
          showLabel
          value={type ?? 'any'}
          options={[
            { value: 'any', label: 'Any' },
            { value: 'text', label: 'Text' },
            { value: 'image', label: 'Image' },
          ]}
          onChange={(next) => setFilters({ type: next === 'any' ? undefined : next })}
        />
        <Select
          label="Provider"
          showLabel
          value={provider ?? ''}
          options={[{ value: '', label: 'Any' }, ...providers.map((value) => ({ value, label: value }))]}
          onChange={(next) => setFilters({ provider: next })}
        />
        <Select
          label="Capability"
          showLabel
          value={capability ?? 'any'}
          options={[
            { value: 'any', label: 'Any' },
            ...capabilities.map((value) => ({ value, label: capabilityLabels[value] })),
          ]}
          onChange={(next) => setFilters({ capability: next === 'any' ? undefined : next })}
        />
        {rows && <p className="tabular ml-auto text-xs text-muted">{rows.length} models</p>}
      </div>
      <DataTable
        label="Models"
        columns={columns}
        rows={rows}
        rowKey={(model) => `${model.provider}/${model.id}`}
        error={models.error}
        onRetry={() => void models.refetch()}
        empty={
          <EmptyState
            icon={Boxes}
            title="No model matches"
            action={
              <Button
                onClick={() =>
                  setFilters({ query: undefined, type: undefined, provider: undefined, capability: undefined })
                }
              >
                Clear the filters
              </Button>
            }
          >
            Choose other filters, or enable another provider.
          </EmptyState>
        }
      />
    </PageLayout>
  )
}

const columns: readonly Column<Model>[] = [
  {
    id: 'model',
    header: 'Model',
    cell: ({ id, name, description }) => (
      <div className="py-2">
        <p className="font-medium">{name}</p>
        <p className="flex items-center gap-0.5 text-xs text-muted">
          <code className="font-mono">{id}</code>
          <CopyButton text={id} label={`Copy the id of ${name}`} />
        </p>
        <p className="max-w-96 truncate text-xs text-muted max-lg:hidden" title={description}>
          {description}
        </p>
      </div>
    ),
  },
  { id: 'type', header: 'Type', from: 'sm', cell: ({ type }) => <Badge tone="accent">{type}</Badge> },
  { id: 'provider', header: 'Provider', from: 'sm', cell: ({ provider }) => provider },
  {
    id: 'capabilities',
    header: 'Capabilities',
    from: 'lg',
    cell: (model) => (
      <span className="flex gap-1">
        {capabilities
          .filter((capability) => model.capabilities[capability])
          .map((capability) => (
            <Badge key={capability}>{capabilityLabels[capability]}</Badge>
          ))}
      </span>
    ),
  },
  {
    id: 'context',
    header: 'Context',
    align: 'end',
    from: 'md',
    cell: ({ capabilities: { context_size } }) => (context_size === undefined ? '–' : formatCompact(context_size)),
  },
  {
    id: 'output',
    header: 'Max. output',
    align: 'end',
    from: 'md',
    cell: ({ type, max_tokens }) => (type === 'text' ? formatCompact(max_tokens) : '–'),
  },
  {
    id: 'price in',
    header: 'Input / 1M',
    align: 'end',
    cell: ({ pricing }) => <Price usd={pricing.input} known={pricing.known} />,
  },
  {
    id: 'price out',
    header: 'Output / 1M',
    align: 'end',
    cell: ({ pricing, type }) => (
      <>
        <Price usd={pricing.output} known={pricing.known} />
        {type === 'image' && pricing.output > 0 && <span className="text-muted"> / image</span>}
      </>
    ),
  },
]

function Price({ usd, known = true }: { readonly usd: number; readonly known?: boolean | undefined }) {
  if (!known) return <span className="text-muted">Unknown</span>
  return usd === 0 ? <span className="text-muted">Free</span> : formatUsd(usd)
}
