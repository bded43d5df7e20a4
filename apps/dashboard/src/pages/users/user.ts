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
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/v1/users') })
}

/** Units per month and credential. */
export function quotaOf({ tier, quota_limit }: User): string {
  if (tier === 'enterprise') return quota_limit === null ? 'No limit' : formatNumber(quota_limit)
  return formatNumber(tier === 'pro' ? 10_000 : 1_000)
}
