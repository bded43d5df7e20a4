import { type Account, type Caller, FairleadError } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import { requireRole } from '../projects/member.ts'
import type { ApiKeyRow } from './key.ts'
import type { AccountTransaction } from '../account-stores.ts'
import { findAncestors, findLineage, maxAncestors } from './ancestors.ts'

/**
 * Returns the caller's key; undefined for a session. Throws `UNAUTHORIZED` if it ended, and `NOT_FOUND` or `FORBIDDEN` if a
 * member may not change the keys of a project any more: this node may have cached it.
 */
export async function callersKey(
  tx: AccountTransaction,
  account: Account,
  now: number,
): Promise<ApiKeyRow | undefined> {
  const { credential, member, userId } = account
  if (member) await requireRole(tx, account, userId, 'developer')
  if (credential.kind !== 'key') return undefined
  const key = await tx.keys.find(credential.id)
  if (!key || key.revokedAt !== null) throw new FairleadError('UNAUTHORIZED', 'The API key was revoked.')
  if (key.expiresAt !== null && key.expiresAt <= now)
    throw new FairleadError('UNAUTHORIZED', 'The API key has expired.')
  return key
}

/** The keys that limit what a key is granted. Sessions and programs do not. */
export interface LimitingKeys {
  /** Those that it descends from: their limits hold for its requests, too. */
  readonly ancestors: readonly ApiKeyRow[]
  /** The caller's key and those that this one descends from, unless they are among the ancestors. */
  readonly others: readonly ApiKeyRow[]
}

/** The keys that limit a change of a key. */
export async function limitingKeys(
  tx: AccountTransaction,
  { caller, at }: { readonly caller: Caller; readonly at: number },
  key: ApiKeyRow,
): Promise<LimitingKeys> {
  const ancestors = await findAncestors(tx, key)
  const own = caller.kind === 'account' ? await callersKey(tx, caller, at) : undefined
  const lineage = own ? await findLineage(tx, own) : []
  return { ancestors, others: lineage.filter(({ id }) => ancestors.every((ancestor) => ancestor.id !== id)) }
}

/** The ancestors of a new key of the caller. Throws `FORBIDDEN` if there would be too many. */
export async function newLineage(tx: AccountTransaction, account: Account, now: number): Promise<readonly ApiKeyRow[]> {
  const own = await callersKey(tx, account, now)
  if (!own) return []
  const ancestors = await findLineage(tx, own)
  if (ancestors.length <= maxAncestors) return ancestors
  throw new FairleadError(
    'FORBIDDEN',
    `An API key can descend from at most ${maxAncestors} others. Create it with one of those, or in a session.`,
  )
}

/** Throws `INVALID_REQUEST` unless a key with this expiry ends no later than the others. */
export function checkExpiry(expiresAt: number | null, others: readonly ApiKeyRow[]): void {
  const last = earliestEnd(others)
  if (!expiresAfter(expiresAt, last)) return
  const issue = `must be ${new Date(last).toISOString()} or earlier: a key cannot outlive the one that creates or changes it`
  throw invalidRequest({ field: 'expiresAt', issue })
}

/** When the first of these keys expires, in milliseconds since the epoch; null if none does. */
export function earliestEnd(keys: readonly ApiKeyRow[]): number | null {
  const ends = keys.flatMap(({ expiresAt }) => expiresAt ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}

/** Whether a key with the first expiry still works after the second one. */
export function expiresAfter(expiresAt: number | null, other: number | null): other is number {
  return other !== null && (expiresAt === null || expiresAt > other)
}

/** Finds the keys that a key created, those that they created, and so on. Revoked ones may have created others. */
export async function findDescendants({ keys }: AccountTransaction, id: string): Promise<readonly ApiKeyRow[]> {
  const found: ApiKeyRow[] = []
  let parents: readonly string[] = [id]
  while (parents.length > 0) {
    const children = await keys.findCreatedBy(parents)
    found.push(...children)
    parents = children.map((child) => child.id)
  }
  return found
}
