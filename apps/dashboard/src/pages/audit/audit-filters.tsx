import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { TimeFilter } from '../../components/time-filter.tsx'
import { type useFilters, withChosen } from '../../filters.ts'
import { useIsAdmin } from '../../projects/current-project.ts'
import { UserSelect } from '../users/user-select.tsx'
import { auditActions, auditOutcomes } from './audit-actions.ts'
import type { auditRoute } from './page.ts'
import { usePeople } from './people.tsx'

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
      <ActorSelect value={actor ?? ''} onChange={(next) => setFilters({ actor: next })} />
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

interface ActorSelectProps {
  readonly value: string
  onChange(actor: string): void
}

function ActorSelect({ value, onChange }: ActorSelectProps) {
  const people = usePeople()
  const options = [any, { value: 'operator', label: 'Operator' }, { value: 'service', label: 'Service' }]
  if (useIsAdmin()) return <UserSelect label="Actor" value={value} options={options} onChange={onChange} />
  const members = people.map(({ id, name }) => ({ value: id, label: name }))
  return <Select label="Actor" showLabel value={value} options={[any, ...members]} onChange={onChange} />
}
