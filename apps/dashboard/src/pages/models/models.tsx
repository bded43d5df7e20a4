import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Boxes } from '../../components/icons.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { useFilters } from '../../filters.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { capabilityLabels, modelColumns } from './model-columns.tsx'
import { capabilities, modelsRoute } from './page.ts'

export function Models() {
  const [{ query = '', type, provider, capability }, setFilters] = useFilters(modelsRoute)
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
        {rows && (
          <p className="tabular ml-auto text-xs text-muted">
            {rows.length === 1 ? '1 model' : `${rows.length} models`}
          </p>
        )}
      </div>
      <DataTable
        label="Models"
        columns={modelColumns(all ?? [])}
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
