import * as z from 'zod'
import { actingUser, requireAccount, deletion, namedObject, smallCount } from '@fairlead/core/feature'
import { type OperationRun, FairleadError } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import { checkLogin } from '../sessions/check-login.ts'
import { passwordHashCost } from '../sessions/passwords.ts'
import { readOrigin } from '../sessions/session-origin.ts'
import { passLogin } from '../sessions/throttles.ts'
import type { AccountTransaction } from '../account-stores.ts'
import { enteredPassword, visibleUser, visibleUserId } from '../users/user.ts'
import { read, write, type AccountServices } from '../services.ts'
import {
  ceremony,
  maxPasskeys,
  type PasskeyRow,
  passkeyName,
  passkeyRecord,
  toPasskeyRecord,
  webAuthnResponse,
} from './passkey.ts'
import { belongsToIssuer } from './belongs-to-issuer.ts'
import { noPasskeys, useChallenge } from './passkey-tokens.ts'

/** An admin who needs a passkey may call these before, and nothing else. */
const reads = { scope: 'keys', inProject: 'viewer', beforePasskey: true } as const
const ofPasskeys = { access: { ...reads, sessionOnly: true }, metered: false } as const

const passkeyId = z.string().max(64).describe('Passkey id.')

export const listPasskeys = read({
  name: 'passkeys',
  summary: 'Lists the passkeys of the caller or, for an admin, of another user, oldest first.',
  access: reads,
  metered: false,
  rest: { method: 'GET', path: '/auth/passkeys' },
  graphql: { query: 'passkeys' },
  input: z.strictObject({
    userId: z.string().optional().describe('Id of the user. Only admins may name another one. Default: the caller.'),
  }),
  output: z.array(passkeyRecord),
  errors: ['NOT_FOUND'],
  async run({ stores }, call, { userId }) {
    const { caller } = call
    const id = userId ?? actingUser(requireAccount(caller))
    const isOther = caller.kind === 'account' && actingUser(caller) !== id
    if (isOther && (visibleUserId(caller) !== undefined || caller.lacksPasskey)) visibleUser(caller, undefined)
    const passkeys = await stores.read((view) => view.passkeys.ofUser(id))
    // A user has at most `maxPasskeys`, so one page holds them all.
    call.page({ nextCursor: null, hasMore: false, limit: maxPasskeys })
    return passkeys.map(toPasskeyRecord)
  },
})

export const passkeyOptions = write({
  name: 'passkeyOptions',
  summary: 'Begins to add a passkey, in a session of the user.',
  ...ofPasskeys,
  cost: passwordHashCost,
  rest: { method: 'POST', path: '/auth/passkeys/options' },
  graphql: { mutation: 'passkeyOptions' },
  input: z.strictObject({
    currentPassword: enteredPassword.optional().describe('Current password. Required of users who have one.'),
  }),
  output: ceremony,
  errors: ['CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  async prepare(services, call, { currentPassword }) {
    const { userId, sessionId } = ofSession(call)
    const { stores, passkeys, passkeyTokens } = services
    if (!passkeys) throw noPasskeys()
    const { user, hash, known, isIssuers } = await stores.read(async (view) => ({
      user: visibleUser(call.caller, await view.users.find(userId)),
      hash: await view.users.passwordHash(userId),
      known: await view.passkeys.ofUser(userId),
      isIssuers: await belongsToIssuer(view, userId),
    }))
    if (isIssuers) {
      throw new FairleadError('FORBIDDEN', 'You sign in with an identity provider, where you can add a passkey.')
    }
    requireRoom(known)
    const attempt = { email: user.email, address: call.address, at: call.at }
    if (hash !== undefined) {
      if (currentPassword === undefined) throw invalidRequest({ field: 'currentPassword', issue: 'is required' })
      if (!(await checkLogin(services, attempt, currentPassword, call))) {
        throw invalidRequest({ field: 'currentPassword', issue: 'is wrong' })
      }
    }
    const { token, challenge } = passkeyTokens.issue(call, ['add', sessionId])
    return { attempt, reply: { token, options: await passkeys.registrationOptions({ challenge, user, known }) } }
  },
  async apply(tx, _call, { attempt, reply }) {
    await passLogin(tx, attempt)
    return reply
  },
})

export const addPasskey = write({
  name: 'addPasskey',
  summary: 'Adds a passkey to the account of the caller. The first one ends the other sessions of the user.',
  ...ofPasskeys,
  rest: { method: 'POST', path: '/auth/passkeys' },
  graphql: { mutation: 'addPasskey' },
  input: z.strictObject({
    token: z.string().max(200).describe('The token of the options.'),
    response: webAuthnResponse.describe('The response of the browser, as `toJSON()` of the new credential returns it.'),
    name: passkeyName.optional().describe('Display name. Default: the browser and the system.'),
  }),
  output: passkeyRecord,
  creates: true,
  errors: ['CONFLICT'],
  async prepare({ passkeys, passkeyTokens }, call, { token, response, name }) {
    const { userId, sessionId } = ofSession(call)
    if (!passkeys) throw noPasskeys()
    call.auditFailure({ type: 'user', id: userId })
    const challenge = passkeyTokens.challengeFor(token, call.at, ['add', sessionId])
    const credential = challenge === undefined ? undefined : await passkeys.checkRegistration(response, challenge)
    if (!credential) throw invalidPasskey()
    return { userId, sessionId, token, credential, name: name ?? readOrigin(call).userAgent ?? 'Passkey' }
  },
  async apply(tx, call, { userId, sessionId, token, credential, name }) {
    await useChallenge(tx, token, call.at)
    visibleUser(call.caller, await tx.users.take(userId))
    const others = await tx.passkeys.ofUser(userId)
    requireRoom(others)
    const facts = { id: call.newId('pky'), userId, name, createdAt: call.at, lastUsedAt: null }
    const passkey: PasskeyRow = { ...facts, ...credential }
    if (!(await tx.passkeys.add(passkey))) throw new FairleadError('CONFLICT', 'The passkey was added before.')
    const record = toPasskeyRecord(passkey)
    call.audit({ target: { type: 'passkey', id: passkey.id }, after: record })
    // They began with the password alone.
    if (others.length === 0) await endSessions(tx, userId, sessionId)
    call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ userId }))
    return record
  },
})

export const updatePasskey = write({
  name: 'updatePasskey',
  summary: 'Renames a passkey of the caller.',
  ...ofPasskeys,
  rest: { method: 'PATCH', path: '/auth/passkeys/{id}' },
  graphql: { mutation: 'updatePasskey' },
  input: z.strictObject({ id: passkeyId, name: passkeyName }),
  output: passkeyRecord,
  errors: ['NOT_FOUND'],
  async apply(tx, call, { id, name }) {
    const before = await takeOwn(tx, call, id)
    const after = { ...before, name }
    await tx.passkeys.replace(after)
    const record = toPasskeyRecord(after)
    call.audit({ target: { type: 'passkey', id }, before: toPasskeyRecord(before), after: record })
    return record
  },
})

export const removePasskey = write({
  name: 'removePasskey',
  summary: 'Removes a passkey of the caller.',
  ...ofPasskeys,
  rest: { method: 'DELETE', path: '/auth/passkeys/{id}' },
  graphql: { mutation: 'removePasskey' },
  input: z.strictObject({ id: passkeyId }),
  output: deletion,
  errors: ['NOT_FOUND'],
  async apply(tx, call, { id }) {
    const passkey = await takeOwn(tx, call, id)
    await tx.passkeys.remove([id])
    call.audit({ target: { type: 'passkey', id }, before: toPasskeyRecord(passkey) })
    call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ userId: passkey.userId }))
    return { id, deleted: true as const }
  },
})

export const removePasskeys = write({
  name: 'removePasskeys',
  summary: 'Removes all passkeys of another user, who has lost them, and ends their sessions.',
  access: { scope: 'users', role: 'admin' },
  metered: true,
  rest: { method: 'DELETE', path: '/users/{id}/passkeys' },
  graphql: { mutation: 'removePasskeys' },
  input: z.strictObject({ id: z.string().describe('User id: `usr_` and digits.') }),
  output: namedObject('RemovedPasskeys', 'The passkeys that were removed.', {
    removed: smallCount.describe('The number of passkeys that were removed.'),
  }),
  errors: ['NOT_FOUND'],
  async apply(tx, call, { id }) {
    const { caller } = call
    visibleUser(caller, await tx.users.take(id))
    // Otherwise a key of the admin could take the second factor from its own account.
    if (caller.kind === 'account' && actingUser(caller) === id) {
      throw new FairleadError('FORBIDDEN', 'Remove your own passkeys one by one, in a session.')
    }
    const passkeys = await tx.passkeys.ofUser(id)
    await tx.passkeys.remove(passkeys.map((passkey) => passkey.id))
    for (const passkey of passkeys) {
      call.audit({ target: { type: 'passkey', id: passkey.id }, before: toPasskeyRecord(passkey) })
    }
    if (passkeys.length > 0) await endSessions(tx, id)
    call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ userId: id }))
    return { removed: passkeys.length }
  },
})

/** The caller, whose credential is a session. */
function ofSession({ caller }: OperationRun): { readonly userId: string; readonly sessionId: string } {
  const account = requireAccount(caller)
  return { userId: actingUser(account), sessionId: account.credential.id }
}

function requireRoom(known: readonly PasskeyRow[]): void {
  if (known.length < maxPasskeys) return
  throw new FairleadError('CONFLICT', `An account can have at most ${maxPasskeys} passkeys. Remove one first.`)
}

async function takeOwn(tx: AccountTransaction, call: OperationRun, id: string): Promise<PasskeyRow> {
  const { userId } = ofSession(call)
  await tx.users.take(userId)
  const passkey = await tx.passkeys.find(id)
  if (passkey?.userId !== userId) throw new FairleadError('NOT_FOUND', 'Passkey not found.')
  return passkey
}

async function endSessions({ sessions }: AccountTransaction, userId: string, except?: string): Promise<void> {
  await sessions.remove((await sessions.ofUser(userId)).map(({ id }) => id).filter((id) => id !== except))
}

function invalidPasskey(): FairleadError {
  const issue = 'is not a new passkey for this service, or its token is not valid anymore: begin again'
  return invalidRequest({ field: 'response', issue })
}
