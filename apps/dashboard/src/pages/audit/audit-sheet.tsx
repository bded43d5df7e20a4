import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { History, ListFilter } from '../../components/icons.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useFilters } from '../../filters.ts'
import { formatDateTime } from '../../format.ts'
import { Outcome } from './audit-columns.tsx'
import { type AuditEntry, targetLabel, targetName, timesAround } from './audit-entry.ts'
import { pageQuery } from './audit-query.ts'
import { ChangeList } from './change-list.tsx'
import { auditRoute } from './page.ts'
import { ActorLink, useActorName } from './people.tsx'

export interface AuditSheetProps {
  readonly id: string
  onClose(): void
  /** Lists only entries about that record, or of that actor. */
  onFilter(filter: { readonly target?: string; readonly actor?: string }): void
}

/** An entry, with what it changed. */
export function AuditSheet({ id, onClose, onFilter }: AuditSheetProps) {
  const { entry, isMissing, query } = useAuditEntry(id)
  const nameOf = useActorName()
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={entry?.action ?? 'Entry'}
      description={entry && `${targetLabel(entry)} ${targetName(entry, nameOf)}`}
    >
      {!entry && <QueryError query={query} />}
      {isMissing && (
        <EmptyState icon={History} title="Entry not found">
          It may have been removed, because entries are kept for a limited time.
        </EmptyState>
      )}
      {!entry && !isMissing && !query.error && <Skeleton className="h-60 w-full" />}
      {entry && (
        <>
          <FactList facts={listFacts(entry, nameOf(entry.actor))} />
          <div className="flex flex-wrap gap-2">
            <FilterButton
              label="Show all entries of this record"
              value={entry.target.id}
              onClick={(target) => onFilter({ target })}
            />
            <FilterButton
              label="Show all entries of this actor"
              value={entry.actor}
              onClick={(actor) => onFilter({ actor })}
            />
          </div>
          <section className="border-t border-line pt-4">
            <h3 className="mb-3 text-sm font-semibold">Changes</h3>
            <ChangeList entry={entry} />
          </section>
        </>
      )}
    </Sheet>
  )
}

/** An entry of the list, or of another page of it. */
function useAuditEntry(id: string) {
  const [filters] = useFilters(auditRoute)
  const list = api.useQuery('get', '/audit', { params: { query: pageQuery(filters) } })
  const listed = list.data?.data.find((entry) => entry.id === id)
  const times = timesAround(id)
  const nearby = api.useQuery(
    'get',
    '/audit',
    { params: { query: { limit: 100, ...times } } },
    { enabled: !list.isPending && !listed && times !== undefined },
  )
  const entry = listed ?? nearby.data?.data.find((each) => each.id === id)
  return { entry, isMissing: !entry && !list.isPending && (times === undefined || nearby.isSuccess), query: nearby }
}

function listFacts(entry: AuditEntry, actorName: string) {
  const { actor, credential, target, address, request_id } = entry
  return [
    {
      label: 'Time',
      value: (
        <time dateTime={entry.created_at} title={entry.created_at}>
          {formatDateTime(entry.created_at)}
        </time>
      ),
    },
    { label: 'Outcome', value: <Outcome outcome={entry.outcome} /> },
    { label: 'Actor', value: <ActorLink actor={actor} name={actorName} /> },
    { label: 'Address', value: address ?? 'None' },
    ...idFact('Credential', 'credential id', credential),
    ...idFact('Target', 'id of the target', target.id),
    ...idFact('Request', 'request id', request_id),
    ...idFact('Entry', 'entry id', entry.id),
  ]
}

function idFact(label: string, name: string, id: string | null) {
  return id === null ? [] : [{ label, value: <CopyableText text={id} label={name} />, wide: true }]
}

interface FilterButtonProps {
  readonly label: string
  readonly value: string | null
  onClick(value: string): void
}

function FilterButton({ label, value, onClick }: FilterButtonProps) {
  return value === null ? null : (
    <Button size="sm" onClick={() => onClick(value)}>
      <ListFilter aria-hidden className="size-3.5" />
      {label}
    </Button>
  )
}
