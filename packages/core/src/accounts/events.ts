import { z } from 'zod'
import { defineEvent } from '../runtime/event-type.ts'
import { recordVersion } from '../runtime/field-schemas.ts'
import { type ApiKey, keyRecord, toKeyRecord } from './key.ts'
import { type User, toUserRecord, userRecord } from './user.ts'

const userSnapshot = userRecord
  .extend({ version: recordVersion })
  .meta({ id: 'UserSnapshot', description: 'A user as it was after a change.' })

const user: z.output<typeof userSnapshot> = {
  id: 'usr_2144006262568942337108473209784351112',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'member',
  tier: 'pro',
  quotaLimit: null,
  status: 'active',
  createdAt: '2026-03-14T09:26:53.589Z',
  updatedAt: '2026-03-15T08:00:00.000Z',
  version: 2,
}

export const userEvents = {
  created: defineEvent({
    type: 'user.created',
    summary: 'A user signed up, or an admin created one.',
    scope: 'users',
    version: 1,
    data: userSnapshot,
    example: { ...user, tier: 'free', updatedAt: user.createdAt, version: 1 },
  }),
  updated: defineEvent({
    type: 'user.updated',
    summary: 'A user was changed.',
    scope: 'users',
    version: 1,
    data: userSnapshot,
    example: user,
  }),
  deleted: defineEvent({
    type: 'user.deleted',
    summary: 'A user was deleted by an admin, who receives the event. The data is the user as it was before.',
    scope: 'users',
    version: 1,
    data: userSnapshot,
    example: { ...user, version: 3 },
  }),
} as const

/** The data of a user's events. */
export function toUserSnapshot(changed: User): z.output<typeof userSnapshot> {
  return { ...toUserRecord(changed), version: changed.version }
}

const keySnapshot = keyRecord
  .extend({ version: recordVersion })
  .meta({ id: 'ApiKeySnapshot', description: 'An API key as it was after a change, without its secret.' })

const key: z.output<typeof keySnapshot> = {
  id: 'key_2144006262568942337108473209784351112',
  name: 'production',
  prefix: 'fl_8Fq2Zx1',
  scopes: ['generate', 'analyze', 'models'],
  tier: 'pro',
  quotaLimit: 10_000,
  createdBy: 'ses_2144006262568942337108473209784351112',
  createdAt: '2026-03-14T09:26:53.589Z',
  lastUsedAt: '2026-03-15T07:59:00.000Z',
  expiresAt: null,
  revokedAt: null,
  version: 2,
}

export const keyEvents = {
  created: defineEvent({
    type: 'api_key.created',
    summary: 'An API key was created.',
    scope: 'keys',
    version: 1,
    data: keySnapshot,
    example: { ...key, lastUsedAt: null, version: 1 },
  }),
  updated: defineEvent({
    type: 'api_key.updated',
    summary: 'The name, the scopes, or the expiry of an API key were changed.',
    scope: 'keys',
    version: 1,
    data: keySnapshot,
    example: key,
  }),
  rotated: defineEvent({
    type: 'api_key.rotated',
    summary: 'An API key got a new secret.',
    scope: 'keys',
    version: 1,
    data: keySnapshot,
    example: { ...key, prefix: 'fl_c7TnW0e' },
  }),
  revoked: defineEvent({
    type: 'api_key.revoked',
    summary: 'An API key was revoked.',
    scope: 'keys',
    version: 1,
    data: keySnapshot,
    example: { ...key, revokedAt: '2026-03-15T08:00:00.000Z', version: 3 },
  }),
} as const

/** The data of a key's events. */
export function toKeySnapshot(changed: ApiKey, owner: User): z.output<typeof keySnapshot> {
  return { ...toKeyRecord(changed, owner), version: changed.version }
}
