import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { type Budget, budgetName, describeBudget } from '../../budgets/budget.ts'
import { BudgetUse } from '../../budgets/budget-use.tsx'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { LongList } from '../../components/long-list.tsx'
import { credentialName, QuotaUse } from '../../components/quota-use.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatDate, formatLabel, formatNumber, formatPercent, formatUsd } from '../../format.ts'
import type { components } from '../../api/schema.d.ts'
import { UserKeys } from './user-keys.tsx'
import { UserPasskeys } from './user-passkeys.tsx'
import { UserRequestsChart } from './user-requests-chart.tsx'
import { formatQuota, type User } from './user.ts'

type CredentialUsage = components['schemas']['CredentialUsage']
type Usage = components['schemas']['Usage']

/** A user, their requests over time, their keys, and the usage of each this month. */
export function UserSheet({ id, onClose }: { readonly id: string; onClose(): void }) {
  const user = api.useQuery('get', '/api/v1/users/{id}', { params: { path: { id } } })
  const usage = api.useQuery('get', '/usage', { params: { query: { user_id: id } } })
  const found = user.data?.data
  const month = usage.data?.data
  const error = user.error ?? usage.error
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={found?.name ?? 'User'}
      description={found?.email}
      actions={
        <>
          <Link to="/requests" search={{ user: id }} className={buttonClass({ size: 'sm' })}>
            Requests
          </Link>
          <Link to="/activity" search={{ user: id }} className={buttonClass({ size: 'sm' })}>
            Activity
          </Link>
        </>
      }
    >
      {error ? (
        <ErrorPanel
          error={error}
          onRetry={() => {
            void user.refetch()
            void usage.refetch()
          }}
        />
      ) : null}
      {found ? <FactList facts={userFacts(found)} /> : user.isPending && <Skeleton className="h-28 w-full" />}
      {month && month.budgets.length > 0 && <UserBudgets usage={month} />}
      {/* If the user cannot be loaded, one failure says so. */}
      {!user.error && (
        <>
          <UserRequestsChart id={id} />
          <UserKeys id={id} />
          <UserPasskeys id={id} />
        </>
      )}
      <section className="border-t border-line pt-4">
        <h3 className="text-sm font-semibold">Usage this month</h3>
        {month && (
          <p className="mt-0.5 mb-3 text-xs text-muted">
            The counters reset on {formatDate(month.resets_at, 'UTC')}, 00:00 UTC.
          </p>
        )}
        {usage.isPending && <Skeleton className="mt-3 h-40 w-full" />}
        {month && (
          <LongList
            label="keys"
            items={month.credentials.toSorted((one, other) => other.used - one.used)}
            textOf={({ name }) => credentialName(name)}
            className="divide-y divide-line"
          >
            {(credential) => <CredentialUse key={credential.id ?? 'sessions'} credential={credential} />}
          </LongList>
        )}
      </section>
    </Sheet>
  )
}

function userFacts(user: User) {
  return [
    { label: 'User id', value: <CopyableText text={user.id} label="user id" />, wide: true },
    {
      label: 'Status',
      value: (
        <Badge tone={user.status === 'active' ? 'success' : 'danger'}>
          {user.status === 'active' ? 'Active' : 'Suspended'}
        </Badge>
      ),
    },
    { label: 'Email address', value: user.email_verified ? 'Verified' : 'Not verified' },
    { label: 'Role', value: formatLabel(user.role) },
    { label: 'Tier', value: formatLabel(user.tier) },
    { label: user.quota_scope === 'user' ? 'Units per month' : 'Units per month and key', value: formatQuota(user) },
    { label: 'Budget', value: describeBudget(user) ?? 'None' },
    { label: 'Networks of sessions', value: user.allowed_networks?.join(', ') ?? 'All', wide: true },
    { label: 'Created', value: formatDate(user.created_at) },
  ]
}

/** The budgets of the user and of each key. */
function UserBudgets({ usage: { budgets, credentials } }: { readonly usage: Usage }) {
  const nameOf = (budget: Budget) => budgetName(budget, (id) => credentials.find((each) => each.id === id)?.name)
  return (
    <section className="border-t border-line pt-4">
      <h3 className="mb-3 text-sm font-semibold">Budgets</h3>
      <LongList label="budgets" items={budgets} textOf={nameOf} className="flex flex-col gap-4">
        {(budget) => (
          <li key={budget.id}>
            <BudgetUse budget={budget} name={nameOf(budget)} />
          </li>
        )}
      </LongList>
    </section>
  )
}

function CredentialUse({ credential }: { readonly credential: CredentialUsage }) {
  const { name, used, limit, operations } = credential
  return (
    <li className="py-3 first:pt-0">
      <QuotaUse name={name} used={used} limit={limit} />
      {operations.length > 0 && (
        <table className="tabular mt-2 w-full text-xs" aria-label={`Operations of ${credentialName(name)}`}>
          <thead>
            <tr className="text-muted">
              {['Operation', 'Requests', 'Errors', 'Cost'].map((heading) => (
                <th key={heading} scope="col" className="py-1 text-right font-medium first:text-left">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {operations.map(({ operation, requests, errors, cost_usd }) => (
              <tr key={operation} className="border-t border-line">
                <th scope="row" className="py-1 text-left font-mono font-normal">
                  {operation}
                </th>
                <td className="text-right">{formatNumber(requests)}</td>
                <td className="text-right">{formatPercent(errors / requests)}</td>
                <td className="text-right">{formatUsd(cost_usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </li>
  )
}
