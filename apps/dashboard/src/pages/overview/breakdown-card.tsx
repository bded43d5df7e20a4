import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
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
  readonly description?: string | undefined
  /** A name for the groups. */
  readonly label: string
  /** Names the group without a name. */
  readonly none: string
  /** Undefined while they load. */
  readonly groups: readonly UsageGroup[] | undefined
  /** The column by which they are sorted at first. Default: requests. */
  readonly firstBy?: 'requests' | 'cost_usd' | undefined
  /** Default: the columns of latency, without tokens. */
  readonly columns?: readonly BreakdownColumn[] | undefined
  /** Beside the title. */
  readonly actions?: ReactNode | undefined
  /** Shown without groups. */
  readonly empty?: ReactNode | undefined
  /** The filters of the page Requests for a group. Default: the page cannot show the requests of a group. */
  requestsOf?: ((group: string) => RouteFilters<typeof requestsRoute>) | undefined
}

/** A number of each group. */
export interface BreakdownColumn {
  readonly id: string
  readonly header: string
  /** Whether phones have no room for it. Default: false. */
  readonly wide?: boolean
  valueOf(group: UsageGroup): number | null
  format(value: number): string
}

const count = (value: number) => (value < 100_000 ? formatNumber(value) : formatCompact(value))

export const requestsColumn: BreakdownColumn = {
  id: 'requests',
  header: 'Requests',
  valueOf: ({ requests }) => requests,
  format: count,
}
export const errorsColumn: BreakdownColumn = {
  id: 'errors',
  header: 'Errors',
  valueOf: ({ errors, requests }) => errors / requests,
  format: formatPercent,
}
export const tokensColumn: BreakdownColumn = {
  id: 'total_tokens',
  header: 'Tokens',
  valueOf: ({ total_tokens }) => total_tokens,
  format: count,
}
export const costColumn: BreakdownColumn = {
  id: 'cost_usd',
  header: 'Cost',
  valueOf: ({ cost_usd }) => cost_usd,
  format: formatUsd,
}

const latencyColumns: readonly BreakdownColumn[] = [
  requestsColumn,
  errorsColumn,
  { id: 'p50', header: 'p50', wide: true, valueOf: (group) => group.latency_p50_ms, format: formatMs },
  { id: 'p95', header: 'p95', wide: true, valueOf: (group) => group.latency_p95_ms, format: formatMs },
  {
    id: 'first token',
    header: 'First token',
    wide: true,
    valueOf: (group) => group.first_token_p50_ms,
    format: formatMs,
  },
  costColumn,
]

const maxRows = 8

/** The usage of each model, operation, user, or value of a tag, at first the most used one on top. */
export function BreakdownCard(props: BreakdownCardProps) {
  const { title, description, label, none, groups, firstBy = 'requests', columns = latencyColumns } = props
  const { actions, empty, requestsOf } = props
  const [chosenSort, setSort] = useState<Sort>()
  const sort = chosenSort ?? { column: firstBy, descending: true }
  const valueOf = columns.find(({ id }) => id === sort.column)?.valueOf
  const sorted = groups && (valueOf ? sortRows(groups, valueOf, sort.descending) : groups)
  // The costs of all groups can be 0.
  const max = Math.max(Number.MIN_VALUE, ...(groups ?? []).map((group) => group[firstBy]))
  return (
    <Card title={title} description={description} actions={actions}>
      {!sorted && <Skeleton className="h-[154px]" />}
      {sorted?.length === 0 && (empty ?? <p className="text-sm text-muted">No requests in this period.</p>)}
      {sorted && sorted.length > 0 && (
        <div className="-mx-4 overflow-x-auto px-4" tabIndex={0} role="region" aria-label={`${title}, by use`}>
          <table className="tabular w-full text-sm">
            <thead>
              <tr className="text-xs text-muted">
                <th scope="col" className="pb-1.5 text-left font-medium">
                  {label}
                </th>
                {columns.map(({ id, header, wide = false }) => (
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
                    <GroupName group={group} none={none} requestsOf={requestsOf} />
                    <span aria-hidden className="mt-1 block h-1 rounded-full bg-hover">
                      <span
                        className="block h-full rounded-full bg-accent"
                        style={{ width: `${(group[firstBy] / max) * 100}%` }}
                      />
                    </span>
                  </th>
                  {columns.map((column) => (
                    <td
                      key={column.id}
                      className={`pl-4 text-right whitespace-nowrap ${column.wide ? 'text-muted max-sm:hidden' : ''}`}
                    >
                      {formatted(column, group)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

interface GroupNameProps extends Pick<BreakdownCardProps, 'none' | 'requestsOf'> {
  readonly group: UsageGroup
}

function GroupName({ group: { group, name }, none, requestsOf }: GroupNameProps) {
  if (group === null || group === 'other') return <span className="block truncate">{none}</span>
  if (!requestsOf) return <span className="block truncate">{name ?? group}</span>
  return (
    <Link
      to="/requests"
      search={requestsOf(group)}
      className="block truncate rounded-sm hover:text-accent hover:underline"
    >
      {name ?? group}
    </Link>
  )
}

function formatted({ valueOf, format }: BreakdownColumn, group: UsageGroup): string {
  const value = valueOf(group)
  return value === null ? '–' : format(value)
}
