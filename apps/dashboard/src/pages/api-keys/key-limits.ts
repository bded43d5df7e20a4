import { type BudgetLimit, describeBudget } from '../../budgets/budget.ts'
import { formatNumber } from '../../format.ts'
import type { ApiKey } from './api-key.ts'

/** The limits of a key that its list shows. Its quota is beside its use. */
type Limits = BudgetLimit &
  Pick<
    ApiKey,
    'models' | 'requests_per_minute' | 'tokens_per_minute' | 'max_concurrency' | 'allowed_networks' | 'metadata'
  >

/** The limits of a key, such as `gpt-*, fast`, `60 requests/min`, `10.0.0.0/8`. None if it has none. */
export function describeLimits(key: Limits): readonly string[] {
  const { models, requests_per_minute, tokens_per_minute, max_concurrency, allowed_networks, metadata } = key
  return [
    models?.join(', '),
    describeBudget(key),
    counted(requests_per_minute, 'request', '/min'),
    counted(tokens_per_minute, 'token', '/min'),
    counted(max_concurrency, 'call', ' at a time'),
    allowed_networks?.join(', '),
    metadata && describeTags(metadata),
  ].filter((limit) => typeof limit === 'string')
}

/** `team=search, env=prod` */
export function describeTags(tags: Readonly<Record<string, string>>): string {
  return Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}

function counted(count: number | null, noun: string, unit: string): string | undefined {
  return count === null ? undefined : `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}${unit}`
}
