import type { components } from '../../api/schema.d.ts'
import { queryClient } from '../../api/query-client.ts'

export type ApiKey = components['schemas']['ApiKey']
export type Scope = ApiKey['scopes'][number]

export type KeyStatus = 'active' | 'expired' | 'revoked'

export function keyStatus({ revoked_at, expires_at }: ApiKey, now: number = Date.now()): KeyStatus {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active'
}

/** Loads lists of keys again after a change. */
export function reloadKeys(): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api-keys') })
  void queryClient.invalidateQueries({ queryKey: ['get', '/usage'] })
}

interface ScopeOption {
  readonly value: Scope
  readonly label: string
  readonly hint: string
  /** Whose keys can have it: only users' and not projects', or only admins'. Default: all. */
  readonly onlyOf?: 'users' | 'admins'
}

export const scopes: readonly ScopeOption[] = [
  { value: 'generate', label: 'Generate', hint: 'Generate text and images' },
  { value: 'analyze', label: 'Analyze', hint: 'Analyze texts' },
  { value: 'models', label: 'Models', hint: 'List models' },
  { value: 'shipments', label: 'Shipments', hint: 'Read and change shipments' },
  { value: 'usage', label: 'Usage', hint: 'Read usage' },
  { value: 'webhooks', label: 'Webhooks', hint: 'Read and change webhooks' },
  { value: 'events', label: 'Events', hint: 'Read events' },
  { value: 'keys', label: 'Keys', hint: 'Read and change API keys and sessions' },
  { value: 'projects', label: 'Projects', hint: 'Read and change projects', onlyOf: 'users' },
  { value: 'users', label: 'Users', hint: 'Read and change users', onlyOf: 'users' },
  { value: 'audit', label: 'Audit', hint: 'Read the audit log', onlyOf: 'admins' },
  { value: 'admin', label: 'Admin', hint: 'Reload the configuration', onlyOf: 'admins' },
]
