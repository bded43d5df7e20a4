import type { components } from '../../api/schema.d.ts'
import { type BudgetValues, toBudgetValues, noBudget, toBudgetBody } from '../../budgets/budget-values.ts'
import type { Pair } from '../../components/pair.ts'
import { readList } from '../../read-list.ts'
import type { ApiKey, Scope } from './api-key.ts'

type KeyBody = Required<Omit<components['schemas']['CreateApiKeyRequest'], 'expires_at'>>

/** When a key expires, from now on; `keep` does not change it. */
export const lifetimes = [
  { value: 'never', label: 'Never', days: undefined },
  { value: '7', label: 'In 7 days', days: 7 },
  { value: '30', label: 'In 30 days', days: 30 },
  { value: '90', label: 'In 90 days', days: 90 },
  { value: '365', label: 'In a year', days: 365 },
] as const
export type Lifetime = (typeof lifetimes)[number]['value'] | 'keep'

/** The fields of a key as they are typed. Empty limits do not apply. */
export interface KeyValues extends BudgetValues {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly lifetime: Lifetime
  /** Separated by commas. */
  readonly models: string
  /** Separated by commas. */
  readonly networks: string
  readonly requestsPerMinute: string
  readonly tokensPerMinute: string
  readonly maxConcurrency: string
  readonly quotaLimit: string
  readonly tags: readonly Pair[]
  readonly tagsFromMetadata: boolean
}

export const emptyKey: KeyValues = {
  ...noBudget,
  name: '',
  scopes: ['generate', 'analyze', 'models'],
  lifetime: 'never',
  models: '',
  networks: '',
  requestsPerMinute: '',
  tokensPerMinute: '',
  maxConcurrency: '',
  quotaLimit: '',
  tags: [],
  tagsFromMetadata: false,
}

/** @param tierQuota the units per month of the tier, which apply to a key without a limit */
export function toKeyValues(key: ApiKey, tierQuota: number | null): KeyValues {
  return {
    ...toBudgetValues(key),
    name: key.name,
    scopes: key.scopes,
    lifetime: 'keep',
    models: key.models?.join(', ') ?? '',
    networks: key.allowed_networks?.join(', ') ?? '',
    requestsPerMinute: formatCount(key.requests_per_minute),
    tokensPerMinute: formatCount(key.tokens_per_minute),
    maxConcurrency: formatCount(key.max_concurrency),
    quotaLimit: key.quota_limit === tierQuota ? '' : formatCount(key.quota_limit),
    tags: Object.entries(key.metadata ?? {}).map(([name, value]) => ({ name, value })),
    tagsFromMetadata: key.tags_from_metadata,
  }
}

/** The values as the API takes them, apart from the expiry. */
export function toKeyBody(values: KeyValues): KeyBody {
  return {
    ...toBudgetBody(values),
    name: values.name,
    scopes: [...values.scopes],
    models: readList(values.models),
    allowed_networks: readList(values.networks),
    requests_per_minute: parseCount(values.requestsPerMinute),
    tokens_per_minute: parseCount(values.tokensPerMinute),
    max_concurrency: parseCount(values.maxConcurrency),
    quota_limit: parseCount(values.quotaLimit),
    metadata: values.tags.length === 0 ? null : Object.fromEntries(values.tags.map(({ name, value }) => [name, value])),
    tags_from_metadata: values.tagsFromMetadata,
  }
}

const dayMs = 86_400_000

/** When the key expires, for the API. Undefined if that does not change. */
export function toExpiry(lifetime: Lifetime, now: number): { readonly expires_at?: string | null } {
  if (lifetime === 'keep') return {}
  const days = lifetimes.find(({ value }) => value === lifetime)?.days
  return { expires_at: days === undefined ? null : new Date(now + days * dayMs).toISOString() }
}

/** Whether the values have a limit. */
export function hasLimits(values: KeyValues): boolean {
  const { name: _name, scopes: _scopes, ...limits } = toKeyBody(values)
  return Object.values(limits).some((limit) => limit !== null && limit !== false)
}

function formatCount(count: number | null): string {
  return count === null ? '' : String(count)
}

function parseCount(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
