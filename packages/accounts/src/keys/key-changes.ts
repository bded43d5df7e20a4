import { type OperationRun, FairleadError } from '@fairlead/core'
import { keyEvents } from '../events.ts'
import { type Owner, presentOwner } from '../owner.ts'
import type { AccountServices } from '../services.ts'
import type { AccountTransaction } from '../account-stores.ts'
import { type ApiKeyRow, toKeyRecord, visibleKey } from './key.ts'

/** Finds a key that the caller may change, and locks the keys of its owner. Throws `NOT_FOUND`. */
export async function takeKey(
  tx: AccountTransaction,
  { caller }: OperationRun,
  id: string,
): Promise<{ readonly key: ApiKeyRow; readonly owner: Owner }> {
  const { userId } = visibleKey(caller, await tx.keys.find(id))
  const owner = presentOwner(await tx.owners.take(userId))
  return { key: visibleKey(caller, await tx.keys.find(id)), owner }
}

/** Emits the event of a change that was stored, and makes it take effect at once. Returns the record of the changed key. */
export function noteChange(
  call: OperationRun,
  event: keyof typeof keyEvents,
  owner: Owner,
  before: ApiKeyRow,
  changes: Partial<ApiKeyRow>,
): ReturnType<typeof toKeyRecord> {
  const record = toKeyRecord({ ...before, ...changes, version: before.version + 1 }, owner)
  call.emit(keyEvents[event], record, owner.id)
  const target = { type: 'api_key', id: before.id }
  call.audit({ target, owner: owner.id, before: toKeyRecord(before, owner), after: record })
  // Its limits hold for the keys that descend from it, too.
  const subject = changes.limits === undefined ? { credentialId: before.id } : { userId: owner.id }
  call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget(subject))
  return record
}

/** Throws `CONFLICT` for a key that was revoked or has expired. */
export function checkUsable({ revokedAt, expiresAt }: ApiKeyRow, now: number): void {
  if (revokedAt !== null) throw new FairleadError('CONFLICT', 'The API key was revoked. Create a new one.')
  if (expiresAt !== null && expiresAt <= now) {
    throw new FairleadError('CONFLICT', 'The API key has expired. Create a new one.')
  }
}
