import { z } from 'zod'
import type { Call } from '../runtime/call.ts'
import { FairleadError, invalidRequest } from '../runtime/errors.ts'
import { defineOperation } from '../runtime/operation.ts'
import { networkOf } from './attempt-limits.ts'
import { checkLogin, wrongLogin } from './check-login.ts'
import { checkPassword, passwordHashCost } from './passwords.ts'
import { type SessionTokens, beginSession, renewSession, signedIn, refreshTokenState, tokenPair } from './session.ts'
import { countSignup, passLogin, signupBucket } from './throttles.ts'
import {
  type User,
  emailTaken,
  newPassword,
  typedPassword,
  toUserRecord,
  typedEmail,
  userEventData,
  userFields,
} from './user.ts'
import type { AccountTransaction } from './stores.ts'
import type { AccountServices } from './services.ts'

/** Opens a session for whoever knows the password. Unknown e-mail addresses and wrong passwords get the same answer. */
export const login = defineOperation({
  name: 'login',
  summary: 'Logs in with an email address and a password.',
  kind: 'write',
  access: { anonymous: true },
  metered: false,
  cost: passwordHashCost,
  rest: { method: 'POST', path: '/auth/login', session: 'begins' },
  graphql: { mutation: 'login' },
  input: z.strictObject({
    email: typedEmail.describe('Email address of the account.'),
    password: typedPassword,
  }),
  output: signedIn,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED'],
  async prepare(services: AccountServices, call, { email, password: typed }) {
    const attempt = { email, address: call.address, at: call.at }
    const known = await checkLogin(services, attempt, typed, call.signal)
    if (!known) throw wrongLogin()
    const { passwords, sessionTokens } = services
    const newHash = passwords.isOutdated(known.hash) ? await passwords.hash(typed, networkOf(call.address)) : undefined
    return { attempt, known, newHash, sessionTokens }
  },
  async apply(tx: AccountTransaction, call, { attempt, known, newHash, sessionTokens }) {
    const user = await tx.users.take(known.user.id)
    if (!user || (await tx.users.passwordHash(user.id)) !== known.hash) throw wrongLogin()
    // Before anything that only the right password gets to hear.
    await passLogin(tx, attempt)
    if (user.status === 'suspended') throw new FairleadError('FORBIDDEN', 'This account is suspended.')
    if (newHash !== undefined) await tx.users.setPassword(user.id, newHash)
    return signIn(tx, call, user, sessionTokens)
  },
})

export const signup = defineOperation({
  name: 'signup',
  summary: 'Creates an account on the free tier and starts its first session.',
  kind: 'write',
  access: { anonymous: true },
  metered: false,
  cost: passwordHashCost,
  rest: { method: 'POST', path: '/auth/signup', session: 'begins', creates: { path: '/users', field: 'user' } },
  graphql: { mutation: 'signup' },
  input: z.strictObject({ email: userFields.email, password: newPassword, name: userFields.name }),
  output: signedIn,
  creates: true,
  errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  async prepare(
    { signup: open, attempts, stores, passwords, sessionTokens }: AccountServices,
    call,
    { password, ...fields },
  ) {
    if (!open) throw new FairleadError('FORBIDDEN', 'Sign-up is disabled. Ask an admin for an account.')
    checkPassword(password, [fields.email])
    await attempts.unlessRefused(signupBucket(call.address), () =>
      stores.transact((tx) => countSignup(tx, call.address, call.at)),
    )
    return { fields, hash: await passwords.hash(password, networkOf(call.address)), sessionTokens }
  },
  async apply(tx: AccountTransaction, call, { fields, hash, sessionTokens }) {
    const user: User = {
      ...fields,
      id: call.newId('usr'),
      role: 'member',
      tier: 'free',
      quotaLimit: null,
      status: 'active',
      createdAt: call.at,
      updatedAt: call.at,
      version: 1,
    }
    if (!(await tx.users.add(user))) throw emailTaken()
    await tx.users.setPassword(user.id, hash)
    call.emit('user.created', userEventData(user), user.id)
    return signIn(tx, call, user, sessionTokens)
  },
})

/** Begins a session of a user who is known by now. */
async function signIn(
  tx: AccountTransaction,
  call: Call,
  user: User,
  tokens: SessionTokens,
): Promise<z.output<typeof signedIn>> {
  const { pair, ended } = await beginSession(tx, tokens, { id: call.newId('ses'), userId: user.id, at: call.at })
  call.afterCommit(({ authenticator }: AccountServices) =>
    ended.forEach((id) => authenticator.forget({ credentialId: id })),
  )
  return { user: toUserRecord(user), ...pair }
}

/**
 * Carries a session on with its refresh token. A token that comes again within ten seconds gets the same answer; one that
 * comes again later was stolen, from its owner or by it, and ends the session.
 */
export const refresh = defineOperation({
  name: 'refresh',
  summary: 'Exchanges a refresh token for a new pair of tokens.',
  kind: 'write',
  access: { anonymous: true },
  metered: false,
  cost: 20,
  rest: { method: 'POST', path: '/auth/refresh', session: 'continues' },
  graphql: { mutation: 'refresh' },
  input: z.strictObject({ refreshToken: z.string().max(200).describe('The refresh token of the last response.') }),
  output: tokenPair,
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
  async prepare({ stores, sessionTokens, authenticator }: AccountServices, { at }, { refreshToken }) {
    const claim = sessionTokens.readRefreshToken(refreshToken)
    if (!claim) throw notGood()
    const { sessionId, generation } = claim
    const session = await stores.read((view) => view.sessions.find(sessionId))
    const standing = refreshTokenState(session, generation, at)
    if (standing === 'replayed') {
      await stores.transact((tx) => tx.sessions.remove([sessionId]))
      authenticator.forget({ credentialId: sessionId })
    }
    if (standing === 'replayed' || standing === 'over') throw notGood()
    return { sessionId, generation, sessionTokens }
  },
  async apply(tx: AccountTransaction, { at }, { sessionId, generation, sessionTokens }) {
    const session = await tx.sessions.take(sessionId)
    const standing = refreshTokenState(session, generation, at)
    if (!session || standing === 'replayed' || standing === 'over') throw notGood()
    const user = await tx.users.find(session.userId)
    if (user?.status === 'suspended') throw new FairleadError('FORBIDDEN', 'This account is suspended.')
    return renewSession(tx, sessionTokens, session, { standing, at })
  },
})

function notGood(): FairleadError {
  return new FairleadError('UNAUTHORIZED', 'The refresh token is no longer good: log in again.')
}

export const logout = defineOperation({
  name: 'logout',
  summary: 'Ends the session of an access token or a refresh token.',
  kind: 'write',
  access: { anonymous: true },
  metered: false,
  rest: { method: 'POST', path: '/auth/logout', session: 'ends' },
  graphql: { mutation: 'logout' },
  input: z.strictObject({
    refreshToken: z.string().max(200).optional().describe('Required if no access token is sent.'),
  }),
  output: z
    .object({ ended: z.literal(true).describe('Always true.') })
    .meta({ id: 'Logout', description: 'The result of logging out.' }),
  errors: ['UNAUTHORIZED'],
  prepare({ sessionTokens }: AccountServices, { caller }, { refreshToken }) {
    const own = caller.kind === 'account' && caller.credential.kind === 'session' ? [caller.credential.id] : []
    if (refreshToken === undefined && own.length > 0) return own
    if (refreshToken === undefined) {
      throw invalidRequest({ field: 'refreshToken', issue: 'is required if no access token is sent' })
    }
    const claim = sessionTokens.readRefreshToken(refreshToken)
    if (!claim) throw new FairleadError('UNAUTHORIZED', 'The refresh token is unknown.')
    return [...own, claim.sessionId]
  },
  async apply(tx: AccountTransaction, call, sessionIds) {
    await tx.sessions.remove(sessionIds)
    call.afterCommit(({ authenticator }: AccountServices) =>
      sessionIds.forEach((id) => authenticator.forget({ credentialId: id })),
    )
    return { ended: true as const }
  },
})
