import { z } from 'zod'
import { type Account, tiers, type Scope, scopes } from '../runtime/access.ts'
import { FairleadError } from '../runtime/errors.ts'
import { instant } from '../runtime/field-schemas.ts'
import { typeNames } from '../runtime/operation.ts'
import { type User, monthlyLimit } from './user.ts'

/** How long the old secret of a key may stay good after a rotation, in milliseconds. */
export const maxGraceMs = 604_800_000

export interface ApiKey {
  readonly id: string
  readonly userId: string
  readonly name: string
  /** The secret's first ten characters, for people to tell keys apart. */
  readonly prefix: string
  readonly scopes: readonly Scope[]
  /** Milliseconds since the epoch, as are the others. */
  readonly createdAt: number
  /** To the minute. */
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

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
