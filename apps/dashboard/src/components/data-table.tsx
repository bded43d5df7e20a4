import { type ReactNode, useState } from 'react'
import { classNames } from './class-names.ts'
import { ErrorPanel } from './error-panel.tsx'
import { RefreshError } from './query-error.tsx'
import { Skeleton } from './skeleton.tsx'
import { type Sort, sortRows } from './sort.ts'
import { SortButton } from './sort-button.tsx'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** Hides the header from sight, for example above buttons. */
  readonly hideHeader?: boolean | undefined
  /** Numbers are aligned at their end. Default: `start`. */
  readonly align?: 'start' | 'end' | undefined
  /** The column is left out of tables that are narrower: 510, 620, or 760 pixels. Default: always shown. */
  readonly from?: 'sm' | 'md' | 'lg' | undefined
  cell(row: Row): ReactNode
  /** Makes the column sortable, for rows that are not paged. Rows without a value are last. */
  readonly sortValue?: ((row: Row) => string | number | null | undefined) | undefined
}

export interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Undefined while they load. */
  readonly rows: readonly Row[] | undefined
  rowKey(row: Row): string
  /** The error of loading the rows. Rows that are already shown stay. */
  readonly error?: unknown
  onRetry?: (() => void) | undefined
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode
  /** Below the rows, such as `Paging`. */
  readonly footer?: ReactNode | undefined
  /** Marks rows that were replaced by newer ones, while those load. */
  readonly stale?: boolean | undefined
  /** Makes rows clickable. The first cell must have a link or a button for the keyboard. */
  onRowClick?: ((row: Row) => void) | undefined
  readonly selectedKey?: string | undefined
  /** The order in which the service returns the rows, and the columns by which it can sort. */
  readonly order?: { readonly sort: Sort; readonly columns: readonly string[]; onChange(sort: Sort): void } | undefined
}

const skeletonRows = [1, 2, 3, 4, 5]

/** A dense table. The service filters, sorts, and pages its rows; without pages, the columns sort them. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, error, onRetry, empty, footer, stale = false, onRowClick, selectedKey } = props
  const { order } = props
  const [chosenSort, setChosenSort] = useState<Sort>()
  if (error && !rows) return <ErrorPanel error={error} onRetry={onRetry} />
  const notice = error ? <RefreshError error={error} onRetry={onRetry} /> : null
  if (rows?.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface shadow-sm">
        {notice && <div className="px-4 pt-3">{notice}</div>}
        {empty}
        {footer}
      </div>
    )
  }
  const sort = order?.sort ?? chosenSort
  const setSort = order?.onChange ?? setChosenSort
  const valueOf = order ? undefined : columns.find(({ id }) => id === sort?.column)?.sortValue
  const shown = rows && sort && valueOf ? sortRows(rows, valueOf, sort.descending) : rows
  return (
    <div className="@container rounded-lg border border-line bg-surface shadow-sm">
      {notice && <div className="border-b border-line px-4 py-1.5">{notice}</div>}
      <div className="relative overflow-x-auto rounded-lg">
        <table aria-label={label} aria-busy={!rows || stale} className="w-full border-collapse text-sm">
          <thead>
            <tr className="border-b border-line bg-sunken text-left text-xs text-muted">
              {columns.map((column) => (
                <th
                  key={column.id}
                  scope="col"
                  aria-sort={sort?.column === column.id ? (sort.descending ? 'descending' : 'ascending') : undefined}
                  className={classNames(cellClass(column), 'h-8 font-medium')}
                >
                  {column.sortValue || order?.columns.includes(column.id) ? (
                    <SortButton column={column} sort={sort} onChange={setSort} />
                  ) : (
                    <span className={column.hideHeader ? 'sr-only' : undefined}>{column.header}</span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={classNames(stale && 'opacity-60', 'transition-opacity')}>
            {!rows &&
              skeletonRows.map((row) => (
                <tr key={row} className="border-b border-line last:border-0">
                  {columns.map((column) => (
                    <td key={column.id} className={classNames(cellClass(column), 'h-10')}>
                      <Skeleton className="h-3.5 w-3/4" />
                    </td>
                  ))}
                </tr>
              ))}
            {shown?.map((row) => (
              <tr
                key={rowKey(row)}
                onClick={onRowClick && (() => onRowClick(row))}
                className={classNames(
                  'border-b border-line last:border-0 hover:bg-hover/60',
                  onRowClick && 'cursor-pointer',
                  rowKey(row) === selectedKey && 'bg-accent-soft!',
                )}
              >
                {columns.map((column) => (
                  <td key={column.id} className={classNames(cellClass(column), 'h-10')}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {footer}
    </div>
  )
}

function cellClass({ align = 'start', from }: Pick<Column<never>, 'align' | 'from'>): string {
  return classNames(
    'px-3 whitespace-nowrap first:pl-4 last:pr-4',
    align === 'end' ? 'tabular text-right' : '[.text-right+&]:pl-8',
    from && shownFrom[from],
  )
}

// Beside the navigation, a table has much less room than the window.
const shownFrom = { sm: '@max-[510px]:hidden', md: '@max-[620px]:hidden', lg: '@max-[760px]:hidden' } as const
