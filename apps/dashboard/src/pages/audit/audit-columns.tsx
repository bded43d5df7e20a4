import { Link } from '@tanstack/react-router'
import { Badge } from '../../components/badge.tsx'
import type { Column } from '../../components/data-table.tsx'
import { formatDateTime, formatTime } from '../../format.ts'
import { type AuditEntry, type NameOf, targetLabel, targetName } from './audit-entry.ts'

/** @param nameOf finds the name of an actor */
export function auditColumns(nameOf: NameOf): readonly Column<AuditEntry>[] {
  return [
    {
      id: 'time',
      header: 'Time',
      cell: (entry) => (
        <Link
          to="/audit/$entryId"
          params={{ entryId: entry.id }}
          search={true}
          resetScroll={false}
          title={formatDateTime(entry.created_at)}
          onClick={(event) => event.stopPropagation()}
          className="tabular block rounded-sm py-1.5 hover:text-accent-strong sm:py-0"
        >
          {formatTime(entry.created_at)}
          <span className="block max-w-36 truncate text-xs text-muted sm:sr-only">
            {nameOf(entry.actor)}, {targetLabel(entry)} {targetName(entry, nameOf)}
          </span>
        </Link>
      ),
    },
    {
      id: 'actor',
      header: 'Actor',
      from: 'sm',
      cell: ({ actor }) => (
        <span className={`block max-w-40 truncate ${actor === null ? 'text-muted' : 'font-medium'}`}>
          {nameOf(actor)}
        </span>
      ),
    },
    {
      id: 'action',
      header: 'Action',
      cell: ({ action, outcome }) => (
        <>
          <span className="block max-w-40 truncate font-mono text-xs sm:max-w-none">{action}</span>
          {/* Phones have no room for the column of the outcome. */}
          {outcome !== 'ok' && (
            <span className="sm:hidden">
              <Outcome outcome={outcome} />
            </span>
          )}
        </>
      ),
    },
    {
      id: 'target',
      header: 'Target',
      from: 'md',
      cell: (entry) => (
        <span className="block max-w-56 truncate">
          <span className="text-muted">{targetLabel(entry)}</span> {targetName(entry, nameOf)}
        </span>
      ),
    },
    { id: 'outcome', header: 'Outcome', from: 'sm', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
    {
      id: 'address',
      header: 'Address',
      from: 'lg',
      cell: ({ address }) => <span className="tabular text-muted">{address ?? '–'}</span>,
    },
  ]
}

export function Outcome({ outcome }: Pick<AuditEntry, 'outcome'>) {
  return <Badge tone={outcome === 'ok' ? 'success' : 'danger'}>{outcome === 'ok' ? 'OK' : outcome}</Badge>
}
