import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Card } from '../../components/card.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { type Sort, sortRows } from '../../components/sort.ts'
import { SortButton } from '../../components/sort-button.tsx'
import { formatCompact, formatMs, formatNumber, formatPercent, formatUsd } from '../../format.ts'
import type { RouteFilters } from '../../filters.ts'
import type { requestsRoute } from '../requests/page.ts'
import type { UsageGroup } from './usage-period.ts'

export interface BreakdownCardProps {
  readonly title: string
  /** What the groups are. */
  readonly label: string
  /** Names the group without a name. */
  readonly none: string
  /** Undefined while they load. */
  readonly groups: readonly UsageGroup[] | undefined
  /** The column by which they are sorted at first. Default: requests. */
  readonly firstBy?: 'requests' | 'cost_usd' | undefined
  /** The filters of the page Requests for a group. */
  requestsOf(group: string): RouteFilters<typeof requestsRoute>
}

const maxRows = 8
const headings = [
  { id: 'requests', header: 'Requests', wide: false },
  { id: 'errors', header: 'Errors', wide: false },
  { id: 'latency_p50_ms', header: 'p50', wide: true },
  { id: 'latency_p95_ms', header: 'p95', wide: true },
  { id: 'first_token_p50_ms', header: 'First token', wide: true },
  { id: 'cost_usd', header: 'Cost', wide: false },
] as const

/** The usage of each model, operation, or user, at first the most used one on top. */
export function BreakdownCard({ title, label, none, groups, firstBy = 'requests', requestsOf }: BreakdownCardProps) {
  const [sort, setSort] = useState<Sort>({ column: firstBy, descending: true })
  const sorted = groups && sortRows(groups, (group) => valueOf(group, sort.column), sort.descending)
  // The costs of all groups can be 0.
  const max = Math.max(Number.MIN_VALUE, ...(groups ?? []).map((group) => group[firstBy]))
  return (
    <Card title={title}>
      {!sorted && <Skeleton className="h-[154px]" />}
      {sorted?.length === 0 && <p className="text-sm text-muted">No requests in this period.</p>}
      {sorted && sorted.length > 0 && (
        <div className="-mx-4 overflow-x-auto px-4" tabIndex={0} role="region" aria-label={`${title}, by use`}>
          <table className="tabular w-full text-sm">
            <thead>
              <tr className="text-xs text-muted">
                <th scope="col" className="pb-1.5 text-left font-medium">
                  {label}
                </th>
                {headings.map(({ id, header, wide }) => (
                  <th
                    key={id}
                    scope="col"
                    aria-sort={sort.column === id ? (sort.descending ? 'descending' : 'ascending') : undefined}
                    className={`pb-1.5 pl-4 text-right font-medium whitespace-nowrap ${wide ? 'max-sm:hidden' : ''}`}
                  >
                    <SortButton column={{ id, header, align: 'end' }} sort={sort} onChange={setSort} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {sorted.slice(0, maxRows).map((group) => (
                <tr key={group.group ?? none} className="border-t border-line">
                  <th scope="row" className="w-full max-w-40 py-2 text-left font-medium">
                    {group.group === null || group.group === 'other' ? (
                      <span className="block truncate">{none}</span>
                    ) : (
                      <Link
                        to="/requests"
                        search={requestsOf(group.group)}
                        className="block truncate rounded-sm hover:text-accent hover:underline"
                      >
                        {group.name ?? group.group}
                      </Link>
                    )}
                    <span aria-hidden className="mt-1 block h-1 rounded-full bg-hover">
                      <span
                        className="block h-full rounded-full bg-accent"
                        style={{ width: `${(group[firstBy] / max) * 100}%` }}
                      />
                    </span>
                  </th>
                  <td className="pl-4 text-right">
                    {group.requests < 100_000 ? formatNumber(group.requests) : formatCompact(group.requests)}
                  </td>
                  <td className="pl-4 text-right">{formatPercent(group.errors / group.requests)}</td>
                  <td className="pl-4 text-right whitespace-nowrap text-muted max-sm:hidden">
                    {milliseconds(group.latency_p50_ms)}
                  </td>
                  <td className="pl-4 text-right whitespace-nowrap text-muted max-sm:hidden">
                    {milliseconds(group.latency_p95_ms)}
                  </td>
                  <td className="pl-4 text-right whitespace-nowrap text-muted max-sm:hidden">
                    {milliseconds(group.first_token_p50_ms)}
                  </td>
                  <td className="pl-4 text-right">{formatUsd(group.cost_usd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

/** The value of a column by which the groups are sorted: of errors, their share. */
function valueOf(group: UsageGroup, column: string): number | null {
  if (column === 'errors') return group.errors / group.requests
  const { id } = headings.find((heading) => heading.id === column) ?? headings[0]
  return group[id]
}

function milliseconds(value: number | null): string {
  return value === null ? '–' : formatMs(value)
}
