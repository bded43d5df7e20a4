import type { Column } from './data-table.tsx'
import { TimeAgo } from './time-ago.tsx'

/** The column of the time at which a record was created. */
export function createdColumn<Row extends { readonly created_at: string }>(
  place: Pick<Column<Row>, 'align' | 'from'>,
): Column<Row> {
  return {
    id: 'created',
    header: 'Created',
    ...place,
    cell: ({ created_at }) => (
      <span className="text-muted">
        <TimeAgo at={created_at} />
      </span>
    ),
  }
}
