import * as z from 'zod'
import {
  requireAccount,
  dateTime,
  deletion,
  integerBetween,
  textAtMost,
  textUpTo,
  namedEnum,
  periodStart,
  withFields,
} from '@fairlead/core/feature'
import { type Tier, toPeriod } from '@fairlead/core/stores'
import { FairleadError } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import { checkGrant, checkOwnerScopes, checkScopes, grantedScopes, withKnownScopes } from './key-scopes.ts'
import {
  keyRecord,
  keyWithBudget,
  type KeyStatus,
  keyWithSecret,
  maxGraceMs,
  newKey,
  mayManageKeys,
  toKeyRecord,
  visibleKey,
} from './key.ts'
import { changedLimits, grantLimits, newLimits, requireWithin } from './key-limits.ts'
import { keyEvents } from '../events.ts'
import { checkUsable, noteChange, takeKey } from './key-changes.ts'
import {
  callersKey,
  checkExpiry,
  findDescendants,
  earliestEnd,
  expiresAfter,
  limitingKeys,
  newLineage,
} from './key-lineage.ts'
import { findKeys } from '../loaders.ts'
import { budgetStatuses } from '../usage/budget-status.ts'
import { displayPrefix, hashToken, newApiKeyToken } from '../sessions/tokens.ts'
import { type Owner, presentOwner } from '../owner.ts'
import type { AccountTransaction } from '../account-stores.ts'
import { list, read, write } from '../services.ts'

const ofKeys = { access: { scope: 'keys' }, metered: false } as const

export const listKeys = list({
  name: 'apiKeys',
  summary: 'Lists the API keys of a user or a project, by default the caller, including revoked ones.',
  ...ofKeys,
  rest: { method: 'GET', path: '/api-keys' },
  graphql: { query: 'apiKeys' },
  filters: {
    search: textAtMost(100)
      .optional()
      .describe('Only keys whose name or prefix contains this text. ASCII letters match in either case.'),
    status: namedEnum<KeyStatus>('ApiKeyStatus', 'Status of an API key.', {
      active: 'Can be used.',
      expired: 'Expired, and was not revoked.',
      revoked: 'Was revoked.',
    })
      .optional()
      .describe('Only keys with this status.'),
    userId: z
      .string()
      .max(64)
      .optional()
      .describe('Id of the user or the project. Only admins may name another one. Default: the caller.'),
  },
  record: keyRecord,
  errors: ['NOT_FOUND'],
  find({ stores }, call, { search, status, userId = requireAccount(call.caller).userId }, slice) {
    return stores.read(async (view) => {
      const owner = await view.owners.find(userId)
      if (!owner || !mayManageKeys(call.caller, userId)) throw new FairleadError('NOT_FOUND', 'User not found.')
      const filters = { userId, search, status: status && { is: status, at: call.at } }
      const found = await view.keys.list(filters, slice)
      return found.map((key) => ({ ...key, owner }))
    })
  },
  show: ({ owner, ...key }) => toKeyRecord(key, owner),
})

const keyId = z.string().describe('API key id.')
const writable = {
  name: textUpTo(100).describe('Display name.'),
  scopes: grantedScopes,
}

/** Maximum number of keys of a user or a project that are usable in one month: each key has its own quota. */
const maxKeys = { free: 3, pro: 20, enterprise: 100 } as const satisfies Record<Tier, number>

export const createKey = write({
  name: 'createApiKey',
  summary: 'Creates an API key. The secret is shown only once.',
  ...ofKeys,
  rest: { method: 'POST', path: '/api-keys' },
  graphql: { mutation: 'createApiKey', payload: { record: 'apiKey', loader: findKeys, fields: ['secret'] } },
  input: z.strictObject({
    ...writable,
    scopes: writable.scopes.default(['generate', 'analyze', 'models']),
    expiresAt: dateTime
      .nullable()
      .default(null)
      .describe('When the key expires. Default: with the API key that creates it, or never in a session.'),
    ...newLimits,
  }),
  output: keyWithSecret,
  creates: true,
  errors: ['CONFLICT'],
  prepare: withKnownScopes,
  async apply(tx, call, { name, scopes, expiresAt: end, ...sent }) {
    const account = requireAccount(call.caller)
    checkGrant(account, scopes)
    const owner = presentOwner(await tx.owners.take(account.userId))
    checkOwnerScopes(owner, scopes)
    await checkCount(tx, owner, call.at)
    const ancestors = await newLineage(tx, account, call.at)
    const expiresAt = futureInstant(end, call.at) ?? earliestEnd(ancestors)
    checkExpiry(expiresAt, ancestors)
    const limits = grantLimits(null, sent, { ancestors, others: [] }, owner)
    const secret = newApiKeyToken()
    const createdBy = account.credential.id
    const id = call.newId('key')
    const facts = { id, userId: owner.id, name, scopes, expiresAt, limits, createdBy, createdAt: call.at }
    const key = newKey(facts, secret)
    await tx.keys.add(key, hashToken(secret))
    const record = toKeyRecord(key, owner)
    call.emit(keyEvents.created, record)
    call.audit({ target: { type: 'api_key', id: key.id }, after: record })
    return { ...record, secret }
  },
})

async function checkCount({ keys }: AccountTransaction, { id, tier }: Owner, at: number): Promise<void> {
  const max = maxKeys[tier]
  if ((await keys.countAliveSince(id, periodStart(toPeriod(at)))) < max) return
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

export const getKey = read({
  name: 'apiKey',
  summary: 'Returns an API key and what is left of its budget: one of the caller’s own, or any for an admin.',
  ...ofKeys,
  rest: { method: 'GET', path: '/api-keys/{id}' },
  graphql: { query: 'apiKey', node: { prefix: 'key', loader: findKeys } },
  input: z.strictObject({ id: keyId }),
  output: keyWithBudget,
  errors: ['NOT_FOUND'],
  async run({ stores }, call, { id }) {
    return stores.read(async (view) => {
      const key = visibleKey(call.caller, await view.keys.find(id))
      const record = toKeyRecord(key, presentOwner(await view.owners.find(key.userId)))
      const [budget = null] = await budgetStatuses(view.spend, { keys: [key] }, call.at)
      return { ...record, budget }
    })
  },
})

export const updateKey = write({
  name: 'updateApiKey',
  summary:
    'Changes the name, the scopes, the expiry, or the limits of an API key. Fields that are left out keep their value.',
  ...ofKeys,
  rest: { method: 'PATCH', path: '/api-keys/{id}' },
  graphql: { mutation: 'updateApiKey' },
  input: z.strictObject({
    id: keyId,
    name: writable.name.optional(),
    scopes: writable.scopes.optional(),
    expiresAt: dateTime
      .nullable()
      .optional()
      .describe(
        'When the key expires. Null: with the API key that created it, or never. The keys that it created expire no later.',
      ),
    ...changedLimits,
  }),
  output: keyRecord,
  errors: ['NOT_FOUND', 'CONFLICT'],
  prepare: withKnownScopes,
  async apply(tx, call, { id, name, scopes: granted, expiresAt: end, ...sent }) {
    const { key: before, owner } = await takeKey(tx, call, id)
    checkUsable(before, call.at)
    const limitedBy = await limitingKeys(tx, call, before)
    const limiting = [...limitedBy.ancestors, ...limitedBy.others]
    const added = (granted ?? []).filter((scope) => !before.scopes.includes(scope))
    checkGrant(call.caller, added)
    checkOwnerScopes(owner, added)
    for (const key of limiting) checkScopes('the key that created it', key.scopes, added)
    const expiresAt = end === undefined ? before.expiresAt : (futureInstant(end, call.at) ?? earliestEnd(limiting))
    if (expiresAfter(expiresAt, before.expiresAt)) checkExpiry(expiresAt, limiting)
    const limits = grantLimits(before.limits, sent, limitedBy, owner)
    if (expiresAfter(before.expiresAt, expiresAt)) {
      for (const child of await findDescendants(tx, id)) {
        if (child.revokedAt !== null || !expiresAfter(child.expiresAt, expiresAt)) continue
        await tx.keys.update(child.id, { ...child, expiresAt })
        noteChange(call, 'updated', owner, child, { expiresAt })
      }
    }
    const after = withFields(before, { name, scopes: granted, expiresAt, limits })
    await tx.keys.update(id, after)
    return noteChange(call, 'updated', owner, before, after)
  },
})

export const revokeKey = write({
  name: 'revokeApiKey',
  summary: 'Revokes an API key immediately: one of the caller’s own, or any for an admin. Its record remains.',
  ...ofKeys,
  rest: { method: 'DELETE', path: '/api-keys/{id}' },
  graphql: { mutation: 'revokeApiKey', payload: { record: 'apiKey', loader: findKeys } },
  input: z.strictObject({
    id: keyId,
    children: z
      .boolean()
      .default(false)
      .describe('Whether to revoke also the keys that it created, those that they created, and so on.'),
  }),
  output: deletion,
  errors: ['NOT_FOUND'],
  async apply(tx, call, { id, children }) {
    const { key, owner } = await takeKey(tx, call, id)
    for (const before of children ? [key, ...(await findDescendants(tx, id))] : [key]) {
      if (before.revokedAt !== null) continue
      await tx.keys.revoke(before.id, call.at)
      noteChange(call, 'revoked', owner, before, { revokedAt: call.at })
    }
    return { id, deleted: true as const }
  },
})

/** The key keeps its id and counters. At most two secrets are valid at a time. */
export const rotateKey = write({
  name: 'rotateApiKey',
  summary: 'Rotates the secret of an API key. The old one can stay valid for a grace period.',
  ...ofKeys,
  rest: { method: 'POST', path: '/api-keys/{id}/rotate' },
  graphql: { mutation: 'rotateApiKey', payload: { record: 'apiKey', loader: findKeys, fields: ['secret'] } },
  input: z.strictObject({
    id: keyId,
    graceSeconds: integerBetween(0, maxGraceMs / 1000)
      .default(0)
      .describe('How many seconds the old secret stays valid.'),
  }),
  output: keyWithSecret,
  errors: ['NOT_FOUND', 'CONFLICT'],
  async apply(tx, call, { id, graceSeconds }) {
    const account = requireAccount(call.caller)
    const { key: before, owner } = await takeKey(tx, call, id)
    // The response has the secret, with which an admin could act as the owner.
    if (owner.id !== account.userId) throw new FairleadError('FORBIDDEN', 'Only its owner can rotate an API key.')
    checkGrant(account, before.scopes)
    checkUsable(before, call.at)
    const own = await callersKey(tx, account, call.at)
    if (own && expiresAfter(before.expiresAt, own.expiresAt)) {
      throw new FairleadError('FORBIDDEN', 'An API key cannot get the secret of one that outlives it.')
    }
    if (own) requireWithin(before, await limitingKeys(tx, call, before))
    const secret = newApiKeyToken()
    const prefix = displayPrefix(secret)
    const previousUntil = graceSeconds > 0 ? call.at + graceSeconds * 1000 : null
    await tx.keys.rotate(id, { hash: hashToken(secret), prefix, previousUntil })
    return { ...noteChange(call, 'rotated', owner, before, { prefix }), secret }
  },
})
