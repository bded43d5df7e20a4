import * as z from 'zod'
import { type Caller, FairleadError } from '@fairlead/core'
import type { Scope, KeyLimits } from '@fairlead/core/stores'
import { tiers, instant, scopeName, toInstant, namedObject } from '@fairlead/core/feature'
import { shownLimits, toLimitsRecord } from './key-limits.ts'
import { shownBudget } from '../usage/budget-status.ts'
import { displayPrefix } from '../sessions/tokens.ts'
import { type Owner, monthlyLimit } from '../owner.ts'

/** Maximum grace period of an old secret after a rotation: seven days in milliseconds. */
export const maxGraceMs = 604_800_000

export interface ApiKeyRow {
  readonly id: string
  /** The user or the project that it belongs to. */
  readonly userId: string
  readonly name: string
  /** The first ten characters of the secret, by which people recognize the key. */
  readonly prefix: string
  readonly scopes: readonly Scope[]
  /** The id of the API key or session that created it; null if it is unknown, as for the first key of the service. */
  readonly createdBy: string | null
  /** Times are in milliseconds since the epoch. */
  readonly createdAt: number
  /** Accurate to the minute. */
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** Null for a key that has neither limits nor tags. */
  readonly limits: KeyLimits | null
  /** Starts at 1; incremented by each change, but not by use. */
  readonly version: number
}

/** A revoked key stays revoked when it expires. */
export type KeyStatus = 'active' | 'expired' | 'revoked'

export const keyRecord = namedObject('ApiKey', 'An API key, without its secret.', {
  id: z.string().describe('API key id: `key_` and digits.'),
  name: z.string().describe('Display name.'),
  prefix: z.string().describe('First ten characters of the secret.'),
  scopes: z.array(scopeName).describe('Scopes of the key.'),
  tier: z.enum(tiers).describe('Tier of the owner.'),
  quotaLimit: z.int().nullable().describe('Requests per month. Null means no limit.'),
  ...shownLimits,
  createdBy: z
    .string()
    .nullable()
    .describe('Id of the API key or session that created the key. Null if it is unknown, as for the first key.'),
  createdAt: instant.describe('When the key was created.'),
  lastUsedAt: instant.nullable().describe('When the key was last used, to the minute. Null if never.'),
  expiresAt: instant.nullable().describe('When the key expires. Null if never.'),
  revokedAt: instant.nullable().describe('When the key was revoked. Null if it was not.'),
})

export const keyWithBudget = keyRecord
  .extend({ budget: shownBudget })
  .meta({ id: 'ApiKeyWithBudget', description: 'An API key, and what is left of its budget.' })

export const keyWithSecret = keyRecord
  .extend({ secret: z.string().describe('The secret, shown only once: only its hash is stored.') })
  .meta({ id: 'ApiKeyWithSecret', description: 'An API key with its secret, which is shown only once.' })

/** A new key. It does not expire unless `facts` say when. */
export function newKey(
  facts: Pick<ApiKeyRow, 'id' | 'userId' | 'name' | 'scopes' | 'createdBy' | 'createdAt'> & Partial<ApiKeyRow>,
  secret: string,
): ApiKeyRow {
  return {
    expiresAt: null,
    limits: null,
    ...facts,
    prefix: displayPrefix(secret),
    lastUsedAt: null,
    revokedAt: null,
    version: 1,
  }
}

/** The record of a key, with the version that only events show. */
export function toKeyRecord(
  { userId: _owner, limits, ...key }: ApiKeyRow,
  owner: Owner,
): z.output<typeof keyRecord> & Pick<ApiKeyRow, 'version'> {
  return {
    ...key,
    scopes: [...key.scopes],
    tier: owner.tier,
    ...toLimitsRecord(limits),
    quotaLimit: monthlyLimit(owner, limits?.quotaLimit),
    createdAt: toInstant(key.createdAt),
    lastUsedAt: toInstant(key.lastUsedAt),
    expiresAt: toInstant(key.expiresAt),
    revokedAt: toInstant(key.revokedAt),
  }
}

/** Returns the key. Throws `NOT_FOUND` if it does not exist, or belongs to another user and the caller is no admin. */
export function visibleKey(caller: Caller, key: ApiKeyRow | undefined): ApiKeyRow {
  if (!key || !mayManageKeys(caller, key.userId)) throw new FairleadError('NOT_FOUND', 'API key not found.')
  return key
}

/** Whether the caller may read and revoke the keys of a user or a project. */
export function mayManageKeys(caller: Caller, userId: string): boolean {
  if (caller.kind === 'anonymous') return false
  return caller.role === 'admin' || (caller.kind === 'account' && caller.userId === userId)
}
