import { type Account, type Caller } from '../../runtime/access.ts'
import { FairleadError, invalidRequest } from '../../runtime/errors.ts'
import { requireRole } from '../projects/member.ts'
import type { ApiKey } from './key.ts'
import type { AccountTransaction } from '../stores.ts'

/**
 * Returns the caller's key; undefined for a session. Throws `UNAUTHORIZED` if it ended, and `NOT_FOUND` or `FORBIDDEN` if a
 * member may not change the keys of a project any more: this node may have cached it.
 */
export async function callersKey(tx: AccountTransaction, account: Account, now: number): Promise<ApiKey | undefined> {
  const { credential, member, userId } = account
  if (member) await requireRole(tx, account, userId, 'developer')
  if (credential.kind !== 'key') return undefined
  const key = await tx.keys.find(credential.id)
  if (!key || key.revokedAt !== null) throw new FairleadError('UNAUTHORIZED', 'The API key was revoked.')
  if (key.expiresAt !== null && key.expiresAt <= now)
    throw new FairleadError('UNAUTHORIZED', 'The API key has expired.')
  return key
}

/** The keys that limit a change of a key: the caller's key and the key that created it. Sessions and programs do not. */
export async function limitingKeys(
  tx: AccountTransaction,
  { caller, at }: { readonly caller: Caller; readonly at: number },
  { createdBy }: ApiKey,
): Promise<readonly ApiKey[]> {
  const own = caller.kind === 'account' ? await callersKey(tx, caller, at) : undefined
  const creator = createdBy === null ? undefined : await tx.keys.find(createdBy)
  return [own, creator].filter((key) => key !== undefined)
}

/** Throws `INVALID_REQUEST` unless a key with this expiry ends no later than the others. */
export function checkExpiry(expiresAt: number | null, others: readonly ApiKey[]): void {
  const last = earliestEnd(others)
  if (!expiresAfter(expiresAt, last)) return
  const issue = `must be ${new Date(last).toISOString()} or earlier: a key cannot outlive the one that creates or changes it`
  throw invalidRequest({ field: 'expiresAt', issue })
}

/** When the first of these keys expires, in milliseconds since the epoch; null if none does. */
export function earliestEnd(keys: readonly ApiKey[]): number | null {
  const ends = keys.flatMap(({ expiresAt }) => expiresAt ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}

/** Whether a key with the first expiry still works after the second one. */
export function expiresAfter(expiresAt: number | null, other: number | null): other is number {
  return other !== null && (expiresAt === null || expiresAt > other)
}

/** Finds the keys that a key created, those that they created, and so on. Revoked ones may have created others. */
export async function descendantsOf({ keys }: AccountTransaction, id: string): Promise<readonly ApiKey[]> {
  const found: ApiKey[] = []
  let parents: readonly string[] = [id]
  while (parents.length > 0) {
    const children = await keys.findCreatedBy(parents)
    found.push(...children)
    parents = children.map((child) => child.id)
  }
  return found
}
