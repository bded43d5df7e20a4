import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { type Budget, budgetName } from '../../budgets/budget.ts'
import { BudgetUse } from '../../budgets/budget-use.tsx'
import { Card } from '../../components/card.tsx'
import { LongList } from '../../components/long-list.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import type { WhoseUsage } from './whose-usage.ts'

/** The budgets of a user and of the user's keys, the one with the largest share spent first. */
export function BudgetsCard({ whose: { query, isOwn } }: { readonly whose: WhoseUsage }) {
  const usage = api.useQuery('get', '/usage', { params: { query } })
  const data = usage.data?.data
  const names = new Map(data?.credentials.map(({ id, name }) => [id, name]))
  const nameOf = (budget: Budget) => budgetName(budget, (id) => names.get(id))
  return (
    <Card title="Budgets" description="What calls of models may cost. A call must fit all budgets that apply to it.">
      <QueryError query={usage} />
      {usage.isPending && <Skeleton className="h-16" />}
      {data?.budgets.length === 0 && (
        <p className="text-sm text-muted">
          No budget is set.{' '}
          {isOwn ? (
            <>
              Set one when you create or edit an{' '}
              <Link to="/api-keys" className="rounded-sm font-medium text-accent hover:underline">
                API key
              </Link>
              . Admins set those of users.
            </>
          ) : (
            <>
              Set one when you edit the user on the page{' '}
              <Link to="/users" className="rounded-sm font-medium text-accent hover:underline">
                Users
              </Link>
              .
            </>
          )}
        </p>
      )}
      {data && data.budgets.length > 0 && (
        <LongList
          label="budgets"
          items={data.budgets.toSorted((one, other) => spentShare(other) - spentShare(one))}
          textOf={nameOf}
          className="grid grid-cols-1 gap-x-8 gap-y-5 lg:grid-cols-2"
        >
          {(budget) => (
            <li key={budget.id} className="min-w-0">
              <BudgetUse budget={budget} name={nameOf(budget)} />
            </li>
          )}
        </LongList>
      )}
    </Card>
  )
}

function spentShare({ limit_usd, spent_usd }: Budget): number {
  return limit_usd === 0 ? 0 : spent_usd / limit_usd
}
