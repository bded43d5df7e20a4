import { z } from 'zod'
import type { Account } from '../../access/caller.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { type ApiKey, type Scope, scopes } from '../../values/api-key.ts'
import { monthlyLimit } from '../../values/monthly-limit.ts'
import { tiers, type User } from '../../values/user.ts'
import { instant } from '../field-schemas.ts'
import { typeNames } from '../../runtime/surfaces.ts'

/** A key as its owner sees it. */
export const keyRecord = z
  .object({
    id: z.string().describe('API key id: `key_` and digits.'),
    name: z.string().describe('Display name.'),
    prefix: z.string().describe('First ten characters of the secret.'),
    scopes: z.array(z.enum(scopes).register(typeNames, { name: 'Scope' })).describe('Scopes of the key.'),
    tier: z.enum(tiers).describe('Tier of the owner.'),
    quotaLimit: z.int().nullable().describe('Requests per month. Null means no limit.'),
    createdAt: instant.describe('When the key was created.'),
    lastUsedAt: instant.nullable().describe('When the key was last used, to the minute. Null if never.'),
    expiresAt: instant.nullable().describe('When the key expires. Null if never.'),
    revokedAt: instant.nullable().describe('When the key was revoked. Null if it was not.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' })

/** With what is shown only once. */
export const keyWithSecret = keyRecord
  .extend({ secret: z.string().describe('The secret, shown only once: only its hash is stored.') })
  .meta({ id: 'ApiKeyWithSecret', description: 'An API key with its secret, which is shown only once.' })

export function toKeyRecord(key: ApiKey, user: User): z.output<typeof keyRecord> {
  const { id, name, prefix, createdAt, lastUsedAt, expiresAt, revokedAt } = key
  return {
    id,
    name,
    prefix,
    scopes: [...key.scopes],
    tier: user.tier,
    quotaLimit: monthlyLimit(user),
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: toInstant(lastUsedAt),
    expiresAt: toInstant(expiresAt),
    revokedAt: toInstant(revokedAt),
  }
}

function toInstant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

/** The caller's own key, or `NOT_FOUND`. */
export function ownKey({ userId }: Account, key: ApiKey | undefined): ApiKey {
  if (key?.userId !== userId) throw new FairleadError('NOT_FOUND', 'API key not found.')
  return key
}

/** The user behind a credential; it may have been deleted since it was let in. */
export function presentUser(user: User | undefined): User {
  if (!user) throw new FairleadError('UNAUTHORIZED', 'The user is no longer there.')
  return user
}

/** Nobody gives away what it does not have: neither a new key nor the secret of an older one. */
export function checkGrant(caller: Account, granted: readonly Scope[]): void {
  const missing = granted.filter((scope) => !caller.scopes.includes(scope))
  if (missing.length === 0) return
  const issue = `can't grant what the credential does not have: ${missing.join(', ')}`
  throw new FairleadError('FORBIDDEN', `scopes ${issue}`, { issues: [{ field: 'scopes', issue }] })
}

/** What an event tells of a key. */
export function keyEventData({ id, name, prefix }: ApiKey) {
  return { id, name, prefix }
}
