import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { ErrorPanel } from './error-panel.tsx'
import { Skeleton } from './skeleton.tsx'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  /** Hides the header from sight, such as that of buttons. */
  readonly hideHeader?: boolean | undefined
  /** Numbers are aligned at their end. Default: `start`. */
  readonly align?: 'start' | 'end' | undefined
  /** The column is left out of tables that are narrower: 510, 620, or 760 pixels. Default: always shown. */
  readonly from?: 'sm' | 'md' | 'lg' | undefined
  cell(row: Row): ReactNode
}

export interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Undefined while they load. */
  readonly rows: readonly Row[] | undefined
  rowKey(row: Row): string
  /** What loading the rows threw. */
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
}

const skeletonRows = [1, 2, 3, 4, 5]

/** A dense table. The service filters, sorts, and pages its rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, error, onRetry, empty, footer, stale = false, onRowClick, selectedKey } = props
  if (error) return <ErrorPanel error={error} onRetry={onRetry} />
  if (rows?.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface shadow-sm">
        {empty}
        {footer}
      </div>
    )
  }
  return (
    <div className="@container rounded-lg border border-line bg-surface shadow-sm">
      <div className="relative overflow-x-auto rounded-lg">
        <table aria-label={label} aria-busy={!rows || stale} className="w-full border-collapse text-sm">
          <thead>
            <tr className="border-b border-line bg-sunken text-left text-xs text-muted">
              {columns.map((column) => (
                <th key={column.id} scope="col" className={classNames(cellClass(column), 'h-8 font-medium')}>
                  <span className={column.hideHeader ? 'sr-only' : undefined}>{column.header}</span>
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
            {rows?.map((row) => (
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
