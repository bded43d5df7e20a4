import { api } from '../../api/client.ts'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { TimeFilter } from '../../components/time-filter.tsx'
import { type useFilters, withChosen } from '../../filters.ts'
import { useIsAdmin } from '../../projects/current-project.ts'
import { useUser } from '../../session/use-session.ts'
import { UserSelect } from '../users/user-select.tsx'
import type { requestsRoute } from './page.ts'
import { failureCodes } from './request-status.tsx'

type FilterState = ReturnType<typeof useFilters<typeof requestsRoute>>

const operations = ['generate', 'generateImage', 'embed', 'analyze']

export const noFilters = {
  id: undefined,
  key: undefined,
  model: undefined,
  operation: undefined,
  status: undefined,
  charged: undefined,
  user: undefined,
  tag: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
}

export function RequestFilters({ state: [filters, setFilters] }: { readonly state: FilterState }) {
  const { id, key, model, operation, status, charged, user, tag, range, from, to } = filters
  const me = useUser()
  const isAdmin = useIsAdmin()
  const owner = isAdmin && user !== me.id ? user : undefined
  const loadedKeys = api.useQuery('get', '/api-keys', { params: { query: { limit: 100, user_id: owner } } })
  const keys = loadedKeys.data?.data ?? []
  const loadedModels = api.useQuery('get', '/models')
  const models = loadedModels.data?.data ?? []
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField label="Request id" value={id ?? ''} onChange={(next) => setFilters({ id: next.trim() })} />
      {isAdmin && (
        <UserSelect
          value={user ?? ''}
          options={[{ value: '', label: 'Everyone' }]}
          onChange={(next) => setFilters({ user: next, key: undefined })}
        />
      )}
      <Select
        label="Status"
        showLabel
        value={status ?? ''}
        options={[
          { value: '', label: 'Any' },
          { value: 'ok', label: 'OK' },
          { value: 'error', label: 'All failures' },
          { value: 'partial', label: 'Partial' },
          { value: 'aborted', label: 'Aborted' },
          ...failureCodes.map((value) => ({ value, label: value })),
        ]}
        onChange={(next) => setFilters({ status: next })}
      />
      <Select
        label="Operation"
        showLabel
        value={operation ?? ''}
        options={[{ value: '', label: 'Any' }, ...withChosen(operations, operation)]}
        onChange={(next) => setFilters({ operation: next })}
      />
      <Select
        label="Model"
        showLabel
        disabled={loadedModels.isLoading}
        value={model ?? ''}
        options={[
          { value: '', label: 'Any' },
          ...withChosen(
            models.map((each) => each.id),
            model,
          ),
        ]}
        onChange={(next) => setFilters({ model: next })}
      />
      <Select
        label="Key"
        showLabel
        disabled={loadedKeys.isLoading}
        value={key ?? ''}
        options={[
          { value: '', label: 'Any' },
          { value: 'sessions', label: 'None: sessions' },
          ...keys.map((each) => ({ value: each.id, label: each.name })),
          ...(key === undefined || key === 'sessions' || keys.some((each) => each.id === key)
            ? []
            : [{ value: key, label: `…${key.slice(-6)}` }]),
        ]}
        onChange={(next) => setFilters({ key: next })}
      />
      <Select
        label="Quota"
        showLabel
        value={charged ?? ''}
        options={[
          { value: '', label: 'Any' },
          { value: 'true', label: 'Charged' },
          { value: 'false', label: 'Not charged' },
        ]}
        onChange={(next) => setFilters({ charged: next === '' ? undefined : next })}
      />
      <SearchField
        label="Tag, such as team=shop"
        value={tag ?? ''}
        onChange={(next) => setFilters({ tag: next.trim() })}
      />
      <TimeFilter value={{ range, from, to }} onChange={setFilters} />
    </div>
  )
}
