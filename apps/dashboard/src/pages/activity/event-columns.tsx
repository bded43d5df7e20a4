import { Link } from '@tanstack/react-router'
import type { Column } from '../../components/data-table.tsx'
import { formatTime } from '../../format.ts'
import { type Event, summarize } from './event-summary.ts'

export const eventColumns: readonly Column<Event>[] = [
  {
    id: 'type',
    header: 'Event',
    cell: (event) => (
      <div className="py-1">
        <Link
          to="/activity/$eventId"
          params={{ eventId: event.id }}
          search={true}
          resetScroll={false}
          onClick={(click) => click.stopPropagation()}
          className="rounded-sm font-mono text-xs font-medium hover:text-accent-strong"
        >
          {event.type}
        </Link>
        <span className="block max-w-40 truncate text-xs text-muted sm:hidden">{summarize(event)}</span>
      </div>
    ),
  },
  {
    id: 'about',
    header: 'About',
    from: 'sm',
    cell: (event) => <span className="block max-w-48 truncate lg:max-w-sm">{summarize(event)}</span>,
  },
  {
    id: 'resource',
    header: 'Record',
    from: 'lg',
    cell: ({ resource_id }) => (
      <code className="block max-w-52 truncate font-mono text-xs text-muted" title={resource_id}>
        {resource_id}
      </code>
    ),
  },
  {
    id: 'time',
    header: 'Time',
    align: 'end',
    cell: ({ created_at }) => (
      <time dateTime={created_at} className="text-muted">
        {formatTime(created_at)}
      </time>
    ),
  },
]
