import { z } from 'zod'
import { requireAccount, scopes, type Tier } from '../runtime/access.ts'
import { FairleadError, invalidRequest } from '../runtime/errors.ts'
import { dateTime, deletion, integerBetween, textAtMost, textUpTo } from '../runtime/field-schemas.ts'
import { defineOperation, typeNames } from '../runtime/operation.ts'
import { openPage, pageInput } from '../runtime/paging.ts'
import { periodOf, startOf } from '../runtime/quota.ts'
import {
  type ApiKey,
  checkGrant,
  keyRecord,
  keyStatuses,
  keyWithSecret,
  maxGraceMs,
  ownKey,
  presentUser,
  toKeyRecord,
} from './key.ts'
import { keyEvents, toKeySnapshot } from './events.ts'
import { findKeys } from './loaders.ts'
import { displayPrefix, hashToken, newApiKeyToken } from './tokens.ts'
import type { User } from './user.ts'
import type { AccountTransaction } from './stores.ts'
import type { AccountServices } from './services.ts'

export const listKeys = defineOperation({
  name: 'apiKeys',
  summary: 'Lists the caller’s API keys, including revoked ones.',
  kind: 'read',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'GET', path: '/api-keys' },
  graphql: { query: 'apiKeys' },
  input: z.strictObject({
    ...pageInput,
    search: textAtMost(100)
      .optional()
      .describe('Only keys whose name or prefix contains this text. ASCII letters match in either case.'),
    status: z
      .enum(keyStatuses)
      .register(typeNames, {
        name: 'ApiKeyStatus',
        description: 'Status of an API key.',
        values: { active: 'Can be used.', expired: 'Expired, and was not revoked.', revoked: 'Was revoked.' },
      })
      .optional()
      .describe('Only keys with this status.'),
  }),
  output: z.array(keyRecord),
  paged: true,
  prepare: (_services, _call, input) => openPage('api-keys', input),
  async run({ stores }: AccountServices, call, page) {
    const { userId } = requireAccount(call.caller)
    return stores.read(async (view) => {
      const user = presentUser(await view.users.find(userId))
      const { search, status } = page.filters
      const filters = { userId, search, status: status && { is: status, at: call.at } }
      const found = await view.keys.list(filters, page.slice)
      return page.show(call, found).map((key) => toKeyRecord(key, user))
    })
  },
})

const writable = {
  name: textUpTo(100).describe('Display name.'),
  scopes: z
    .array(z.enum(scopes))
    .max(scopes.length)
    .min(1)
    .refine((list) => new Set(list).size === list.length, { error: 'must not contain a scope twice' })
    .meta({ uniqueItems: true })
    .describe('Scopes of the key: at most those of the caller’s own credential.'),
}

/** Maximum number of keys of a user that are usable in one month: each key has its own quota. */
const maxKeys = { free: 3, pro: 20, enterprise: 100 } as const satisfies Record<Tier, number>

export const createKey = defineOperation({
  name: 'createApiKey',
  summary: 'Creates an API key. The secret is shown only once.',
  kind: 'write',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'POST', path: '/api-keys' },
  graphql: { mutation: 'createApiKey', payload: { record: 'apiKey', loader: findKeys, fields: ['secret'] } },
  input: z.strictObject({
    ...writable,
    scopes: writable.scopes.default(['generate', 'analyze', 'models']),
    expiresAt: dateTime.nullable().default(null).describe('When the key expires. Default: never.'),
  }),
  output: keyWithSecret,
  creates: true,
  errors: ['CONFLICT'],
  async apply(tx: AccountTransaction, call, { name, scopes: granted, expiresAt }) {
    const account = requireAccount(call.caller)
    checkGrant(account, granted)
    const user = presentUser(await tx.users.take(account.userId))
    await checkCount(tx, user, call.at)
    const secret = newApiKeyToken()
    const key: ApiKey = {
      id: call.newId('key'),
      userId: user.id,
      name,
      prefix: displayPrefix(secret),
      scopes: granted,
      createdAt: call.at,
      lastUsedAt: null,
      expiresAt: futureInstant(expiresAt, call.at),
      revokedAt: null,
      version: 1,
    }
    await tx.keys.add(key, hashToken(secret))
    call.emit(keyEvents.created, toKeySnapshot(key, user))
    return { ...toKeyRecord(key, user), secret }
  },
})

async function checkCount({ keys }: AccountTransaction, { id, tier }: User, at: number): Promise<void> {
  const max = maxKeys[tier]
  if ((await keys.countAliveSince(id, startOf(periodOf(at)))) < max) return
  throw new FairleadError(
    'CONFLICT',
    `The tier "${tier}" allows ${max} API keys per month. Keys revoked or expired this month count.`,
  )
}

function futureInstant(text: string | null, now: number): number | null {
  if (text === null) return null
  const instant = Date.parse(text)
  if (instant > now) return instant
  throw invalidRequest({ field: 'expiresAt', issue: 'must be in the future' })
}

export const getKey = defineOperation({
  name: 'apiKey',
  summary: 'Returns one of the caller’s API keys.',
  kind: 'read',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'GET', path: '/api-keys/{id}' },
  graphql: { query: 'apiKey', node: { prefix: 'key', loader: findKeys } },
  input: z.strictObject({ id: z.string().describe('API key id.') }),
  output: keyRecord,
  errors: ['NOT_FOUND'],
  async run({ stores }: AccountServices, call, { id }) {
    const account = requireAccount(call.caller)
    return stores.read(async (view) => {
      const key = ownKey(account, await view.keys.find(id))
      return toKeyRecord(key, presentUser(await view.users.find(account.userId)))
    })
  },
})

export const updateKey = defineOperation({
  name: 'updateApiKey',
  summary: 'Renames an API key, or changes its scopes. Fields that are left out keep their value.',
  kind: 'write',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'PATCH', path: '/api-keys/{id}' },
  graphql: { mutation: 'updateApiKey' },
  input: z.strictObject({
    id: z.string().describe('API key id.'),
    name: writable.name.optional(),
    scopes: writable.scopes.optional(),
  }),
  output: keyRecord,
  errors: ['NOT_FOUND', 'CONFLICT'],
  async apply(tx: AccountTransaction, call, { id, name, scopes: granted }) {
    const account = requireAccount(call.caller)
    const user = presentUser(await tx.users.take(account.userId))
    const before = ownKey(account, await tx.keys.find(id))
    checkGrant(
      account,
      (granted ?? []).filter((scope) => !before.scopes.includes(scope)),
    )
    checkUsable(before, call.at)
    const key = {
      ...before,
      name: name ?? before.name,
      scopes: granted ?? before.scopes,
      version: before.version + 1,
    }
    await tx.keys.update(id, key)
    call.emit(keyEvents.updated, toKeySnapshot(key, user))
    call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ credentialId: id }))
    return toKeyRecord(key, user)
  },
})

export const revokeKey = defineOperation({
  name: 'revokeApiKey',
  summary: 'Revokes an API key immediately. Its record remains.',
  kind: 'write',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'DELETE', path: '/api-keys/{id}' },
  graphql: { mutation: 'revokeApiKey', payload: { record: 'apiKey', loader: findKeys } },
  input: z.strictObject({ id: z.string().describe('API key id.') }),
  output: deletion,
  errors: ['NOT_FOUND'],
  async apply(tx: AccountTransaction, call, { id }) {
    const account = requireAccount(call.caller)
    const user = presentUser(await tx.users.take(account.userId))
    const before = ownKey(account, await tx.keys.find(id))
    if (before.revokedAt === null) {
      await tx.keys.revoke(id, call.at)
      const key = { ...before, revokedAt: call.at, version: before.version + 1 }
      call.emit(keyEvents.revoked, toKeySnapshot(key, user))
      call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ credentialId: id }))
    }
    return { id, deleted: true as const }
  },
})

/** The key keeps its id and counters. At most two secrets are valid at a time. */
export const rotateKey = defineOperation({
  name: 'rotateApiKey',
  summary: 'Rotates the secret of an API key. The old one can stay valid for a grace period.',
  kind: 'write',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'POST', path: '/api-keys/{id}/rotate' },
  graphql: { mutation: 'rotateApiKey', payload: { record: 'apiKey', loader: findKeys, fields: ['secret'] } },
  input: z.strictObject({
    id: z.string().describe('API key id.'),
    graceSeconds: integerBetween(0, maxGraceMs / 1000)
      .default(0)
      .describe('How many seconds the old secret stays valid.'),
  }),
  output: keyWithSecret,
  errors: ['NOT_FOUND', 'CONFLICT'],
  async apply(tx: AccountTransaction, call, { id, graceSeconds }) {
    const account = requireAccount(call.caller)
    const user = presentUser(await tx.users.take(account.userId))
    const before = ownKey(account, await tx.keys.find(id))
    checkGrant(account, before.scopes)
    checkUsable(before, call.at)
    const secret = newApiKeyToken()
    const key = { ...before, prefix: displayPrefix(secret), version: before.version + 1 }
    await tx.keys.rotate(id, {
      hash: hashToken(secret),
      prefix: key.prefix,
      previousUntil: graceSeconds > 0 ? call.at + graceSeconds * 1000 : null,
    })
    call.emit(keyEvents.rotated, toKeySnapshot(key, user))
    call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ credentialId: id }))
    return { ...toKeyRecord(key, user), secret }
  },
})

function checkUsable({ revokedAt, expiresAt }: ApiKey, now: number): void {
  if (revokedAt !== null) throw new FairleadError('CONFLICT', 'The API key was revoked. Create a new one.')
  if (expiresAt !== null && expiresAt <= now) {
    throw new FairleadError('CONFLICT', 'The API key has expired. Create a new one.')
  }
}
