import { type Caller, FairleadError } from '@fairlead/core'
import type { Role, Tier } from '@fairlead/core/stores'
import { visibleOwner, type Budget, withFields } from '@fairlead/core/feature'
import type { BudgetLimit } from './budget-fields.ts'
import { invalidRequest } from '@fairlead/core/adapter'

export type OwnerStatus = 'active' | 'suspended'

/** The common fields of users and projects: both own API keys, and have a quota and a budget. */
export interface Owner extends BudgetLimit {
  /** `usr_…` or `prj_…`. */
  readonly id: string
  readonly name: string
  /** Of a project: `member`. */
  readonly role: Role
  readonly tier: Tier
  /** Requests per month and credential in the enterprise tier; null means no limit. Other tiers have a fixed limit. */
  readonly quotaLimit: number | null
  /** `key` if each API key has a separate monthly quota. Otherwise, all keys and sessions share one. */
  readonly quotaScope: 'key' | 'user' | 'project'
  readonly status: OwnerStatus
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Starts at 1; incremented by each change. */
  readonly version: number
}

/** Whether an owner is a project, not a user. */
export function isProject({ id }: Pick<Owner, 'id'>): boolean {
  return id.startsWith('prj_')
}

/** The budget of an owner, as `toBudgets` takes it. */
export function budgetOfOwner(
  owner: BudgetLimit & Pick<Owner, 'id'>,
): readonly [kind: Budget['kind'], id: string, limit: BudgetLimit] {
  return [isProject(owner) ? 'project' : 'user', owner.id, owner]
}

/** Returns the owner. Throws `NOT_FOUND` if it does not exist, or if the caller may not see its records. */
export function visibleAccount(caller: Caller, owner: Owner | undefined): Owner {
  if (!owner || owner.id !== (visibleOwner(caller) ?? owner.id)) throw new FairleadError('NOT_FOUND', 'User not found.')
  return owner
}

/** Returns the owner. Throws `UNAUTHORIZED` if it was deleted after its request was authenticated. */
export function presentOwner<Kind extends Owner>(owner: Kind | undefined): Kind {
  if (!owner) throw new FairleadError('UNAUTHORIZED', 'The user of this credential was deleted.')
  return owner
}

/** The owner after a change. */
export function changedOwner<Kind extends Owner>(before: Kind, fields: ChangedFields<Kind>, at: number): Kind {
  const after = withFields(before, fields)
  // Only the enterprise tier has its own limit.
  const quotaLimit = fields.quotaLimit === undefined && after.tier !== 'enterprise' ? null : after.quotaLimit
  return { ...after, quotaLimit, updatedAt: at, version: before.version + 1 }
}

/** Undefined fields keep their value. */
type ChangedFields<Kind> = { readonly [Field in keyof Kind]?: Kind[Field] | undefined }

/** Throws `INVALID_REQUEST` for a quota limit outside the enterprise tier. */
export function checkQuotaLimit({ tier, quotaLimit }: Pick<Owner, 'tier' | 'quotaLimit'>): void {
  if (tier === 'enterprise' || quotaLimit === null) return
  throw invalidRequest({ field: 'quotaLimit', issue: 'is only allowed for the tier "enterprise": omit it' })
}

/** Requests per month and credential. The enterprise tier has a limit per owner. */
const tierLimits = { free: 1_000, pro: 10_000 } as const satisfies Partial<Record<Tier, number>>

/**
 * Requests per month for each of an owner's credentials; null means no limit.
 *
 * @param own the limit of the credential itself, unless the owner's credentials share one quota. Default: none
 */
export function monthlyLimit(owner: Owner, own: number = Infinity): number | null {
  const ofTier = (owner.tier === 'enterprise' ? owner.quotaLimit : tierLimits[owner.tier]) ?? Infinity
  const limit = owner.quotaScope === 'key' ? Math.min(own, ofTier) : ofTier
  return limit === Infinity ? null : limit
}
