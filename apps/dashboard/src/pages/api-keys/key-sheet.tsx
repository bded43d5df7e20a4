import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { describeBudget } from '../../budgets/budget.ts'
import { BudgetUse } from '../../budgets/budget-use.tsx'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatNumber } from '../../format.ts'
import { type ApiKey, keyStatus } from './api-key.ts'
import { describeTags } from './key-limits.ts'
import { KeyStatus } from './key-status.tsx'

export interface KeySheetProps {
  readonly id: string
  onClose(): void
  onEdit(key: ApiKey): void
}

/** A key with its limits, its budget, and what of them is used. */
export function KeySheet({ id, onClose, onEdit }: KeySheetProps) {
  const query = api.useQuery('get', '/api-keys/{id}', { params: { path: { id } } })
  const usage = api.useQuery('get', '/usage')
  const key = query.data?.data
  const budget = usage.data?.data.budgets.find((each) => each.id === id)
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={key?.name ?? 'API key'}
      description={key && `${key.prefix}…`}
      actions={
        key && (
          <>
            <Link to="/requests" search={{ key: id }} className={buttonClass({ size: 'sm' })}>
              Requests
            </Link>
            {keyStatus(key) === 'active' && (
              <Button size="sm" onClick={() => onEdit(key)}>
                Edit
              </Button>
            )}
          </>
        )
      }
    >
      <QueryError query={query} />
      {query.isPending && <Skeleton className="h-60 w-full" />}
      {key && (
        <>
          <FactList facts={keyFacts(key)} />
          <section className="border-t border-line pt-4">
            <h3 className="mb-3 text-sm font-semibold">Budget</h3>
            {key.budget_usd === null ? (
              <p className="text-sm text-muted">
                None. A budget limits what calls with the key cost. Edit the key to set one.
              </p>
            ) : (
              <>
                <QueryError query={usage} />
                {budget ? (
                  <BudgetUse budget={budget} name={key.name} />
                ) : (
                  // The usage of this user has only the keys of this user.
                  !usage.isPending && <p className="text-sm">{describeBudget(key)}</p>
                )}
              </>
            )}
          </section>
          <section className="border-t border-line pt-4">
            <h3 className="mb-3 text-sm font-semibold">Limits</h3>
            <FactList facts={limitFacts(key)} />
          </section>
        </>
      )}
    </Sheet>
  )
}

function keyFacts(key: ApiKey) {
  const { last_used_at, expires_at } = key
  return [
    { label: 'Key id', value: <CopyableText text={key.id} label="key id" />, wide: true },
    { label: 'Status', value: <KeyStatus apiKey={key} /> },
    { label: 'Created', value: <TimeAgo at={key.created_at} /> },
    { label: 'Last used', value: last_used_at === null ? 'Never' : <TimeAgo at={last_used_at} /> },
    { label: 'Expires', value: expires_at === null ? 'Never' : <TimeAgo at={expires_at} /> },
    {
      label: 'Permissions',
      value: (
        <span className="flex flex-wrap gap-1">
          {key.scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </span>
      ),
      wide: true,
    },
  ]
}

function limitFacts(key: ApiKey) {
  return [
    { label: 'Models', value: key.models?.join(', ') ?? 'All', wide: true },
    { label: 'Networks', value: key.allowed_networks?.join(', ') ?? 'All', wide: true },
    { label: 'Requests per minute', value: formatLimit(key.requests_per_minute) },
    { label: 'Tokens per minute', value: formatLimit(key.tokens_per_minute) },
    { label: 'Calls at the same time', value: formatLimit(key.max_concurrency) },
    { label: 'Requests per month', value: formatLimit(key.quota_limit) },
    { label: 'Tags', value: key.metadata ? describeTags(key.metadata) : 'None', wide: true },
  ]
}

function formatLimit(limit: number | null): string {
  return limit === null ? 'No limit' : formatNumber(limit)
}
