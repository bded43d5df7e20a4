import * as z from 'zod'
import { defineEvent } from '@fairlead/core'
import { recordVersion } from '@fairlead/core/feature'
import { keyRecord } from './keys/key.ts'
import { userRecord } from './users/user.ts'

const userSnapshot = userRecord
  .extend({ version: recordVersion })
  .meta({ id: 'UserSnapshot', description: 'A user as it was after a change.' })

const user: z.output<typeof userSnapshot> = {
  id: 'usr_2144006262568942337108473209784351112',
  email: 'ada@example.com',
  emailVerified: true,
  name: 'Ada Lovelace',
  role: 'member',
  tier: 'pro',
  quotaLimit: null,
  quotaScope: 'key',
  budgetUsd: 50,
  budgetPeriod: 'month',
  allowedNetworks: null,
  models: null,
  status: 'active',
  createdAt: '2026-03-14T09:26:53.589Z',
  updatedAt: '2026-03-15T08:00:00.000Z',
  version: 2,
}
const ofUsers = { scope: 'users', version: 1, data: userSnapshot, example: user } as const

export const userEvents = {
  created: defineEvent({
    ...ofUsers,
    type: 'user.created',
    summary: 'A user signed up, or an admin created one.',
    example: { ...user, tier: 'free', updatedAt: user.createdAt, version: 1 },
  }),
  updated: defineEvent({ ...ofUsers, type: 'user.updated', summary: 'A user was changed.' }),
  deleted: defineEvent({
    ...ofUsers,
    type: 'user.deleted',
    summary: 'A user was deleted by an admin, who receives the event. The data is the user as it was before.',
    example: { ...user, version: 3 },
  }),
} as const

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
  models: ['gpt-*', 'text-embedding-*'],
  requestsPerMinute: 60,
  tokensPerMinute: null,
  maxConcurrency: null,
  allowedNetworks: null,
  budgetUsd: 25,
  budgetPeriod: 'month',
  metadata: { team: 'search' },
  tagsFromMetadata: false,
  createdBy: 'ses_2144006262568942337108473209784351112',
  createdAt: '2026-03-14T09:26:53.589Z',
  lastUsedAt: '2026-03-15T07:59:00.000Z',
  expiresAt: null,
  revokedAt: null,
  version: 2,
}
const ofKeys = { scope: 'keys', version: 1, data: keySnapshot, example: key } as const

export const keyEvents = {
  created: defineEvent({
    ...ofKeys,
    type: 'api_key.created',
    summary: 'An API key was created.',
    example: { ...key, lastUsedAt: null, version: 1 },
  }),
  updated: defineEvent({
    ...ofKeys,
    type: 'api_key.updated',
    summary: 'The name, the scopes, the expiry, or the limits of an API key were changed.',
  }),
  rotated: defineEvent({
    ...ofKeys,
    type: 'api_key.rotated',
    summary: 'An API key got a new secret.',
    example: { ...key, prefix: 'fl_c7TnW0e' },
  }),
  revoked: defineEvent({
    ...ofKeys,
    type: 'api_key.revoked',
    summary: 'An API key was revoked.',
    example: { ...key, revokedAt: '2026-03-15T08:00:00.000Z', version: 3 },
  }),
} as const
