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
    id: z.string().describe('`key_` and digits.'),
    name: z.string().describe('For people.'),
    prefix: z.string().describe('The first ten characters of the secret.'),
    scopes: z.array(z.enum(scopes).register(typeNames, { name: 'Scope' })).describe('What it may be used for.'),
    tier: z.enum(tiers).describe('The tier of its owner.'),
    quotaLimit: z.int().nullable().describe('Requests that the key may make in a month; null is without limit.'),
    createdAt: instant.describe('When it was made.'),
    lastUsedAt: instant.nullable().describe('To the minute; null where it never was.'),
    expiresAt: instant.nullable().describe('From when it is refused; null where it does not expire.'),
    revokedAt: instant.nullable().describe('Since when it is refused; null where it was not revoked.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' })

/** With what is shown only once. */
export const keyWithSecret = keyRecord
  .extend({ secret: z.string().describe('Shown this once: only its hash is kept.') })
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
  if (key?.userId !== userId) throw new FairleadError('NOT_FOUND', 'There is no such API key.')
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
