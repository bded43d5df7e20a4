import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { TimeFilter } from '../../components/time-filter.tsx'
import { type useFilters, withChosen } from '../../filters.ts'
import { UserSelect } from '../users/user-select.tsx'
import { auditActions, auditOutcomes } from './audit-actions.ts'
import type { auditRoute } from './page.ts'

type FilterState = ReturnType<typeof useFilters<typeof auditRoute>>

export const noFilters = {
  actor: undefined,
  action: undefined,
  outcome: undefined,
  target: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
}

const any = { value: '', label: 'Any' }

export function AuditFilters({ state: [filters, setFilters] }: { readonly state: FilterState }) {
  const { actor, action, outcome, target, range, from, to } = filters
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label="Id of the target"
        value={target ?? ''}
        onChange={(next) => setFilters({ target: next.trim() })}
      />
      <UserSelect
        label="Actor"
        value={actor ?? ''}
        options={[any, { value: 'operator', label: 'Operator' }]}
        onChange={(next) => setFilters({ actor: next })}
      />
      <Select
        label="Action"
        showLabel
        value={action ?? ''}
        options={[any, ...withChosen(auditActions, action)]}
        onChange={(next) => setFilters({ action: next })}
      />
      <Select
        label="Outcome"
        showLabel
        value={outcome ?? ''}
        options={[any, ...withChosen(auditOutcomes, outcome)]}
        onChange={(next) => setFilters({ outcome: next })}
      />
      <TimeFilter value={{ range, from, to }} onChange={setFilters} />
    </div>
  )
}
