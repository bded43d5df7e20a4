import { queryClient } from '../../api/query-client.ts'
import type { components } from '../../api/schema.d.ts'
import { formatNumber } from '../../format.ts'

export type User = components['schemas']['User']

export const roles = ['member', 'admin'] as const
export const tiers = ['free', 'pro', 'enterprise'] as const

/** The properties of a dialog that changes a user. */
export interface UserDialogProps {
  readonly user: User
  onClose(): void
}

/** Loads users again after a change. */
export function reloadUsers(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [, path] }) => path === '/usage' || String(path).startsWith('/api/v1/users'),
  })
}

/** Units per month, for each credential or for all, as the tier has them. Null means no limit. */
export function monthlyQuota({ tier, quota_limit }: Pick<User, 'tier' | 'quota_limit'>): number | null {
  return tier === 'enterprise' ? quota_limit : tier === 'pro' ? 10_000 : 1_000
}

export function formatQuota(user: User): string {
  const quota = monthlyQuota(user)
  return quota === null ? 'No limit' : formatNumber(quota)
}
