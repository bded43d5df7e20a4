import * as z from 'zod'
import { type OperationRun, FairleadError } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import { isId, namedObject, readNetwork } from '@fairlead/core/feature'
import { readOrigin } from './session-origin.ts'
import { requireOwnNetwork } from './session-networks.ts'
import { checkLogin, type VerifiedUser, wrongLogin } from './check-login.ts'
import { checkPassword, passwordHashCost } from './passwords.ts'
import {
  isEnded,
  issueTokens,
  maxSessions,
  refreshTokenState,
  refreshed,
  renewSession,
  sessionEnd,
  signedIn,
} from './session.ts'
import { browserSecret, signInTokenLifeMs } from './sign-in-token.ts'
import { bucketName, countSignup, type LoginAttempt, passLogin, signupBucket } from './throttles.ts'
import {
  type UserRow,
  actingAs,
  enteredEmail,
  enteredPassword,
  newPassword,
  requireActive,
  toUserRecord,
  userFields,
} from '../users/user.ts'
import { applyGrants } from '../identities/grants.ts'
import { confirmSession } from '../identities/confirm.ts'
import { addUser } from '../users/users.ts'
import { lacksPasskey } from '../passkeys/required-passkey.ts'
import { noPasskeys, secondFactorRequired } from '../passkeys/passkey-tokens.ts'
import { withDefaults } from '../users/user-defaults.ts'
import type { AccountTransaction, SessionRow } from '../account-stores.ts'
import { write, type AccountServices } from '../services.ts'

export const withoutCredential = { access: { anonymous: true }, metered: false } as const

/** Starts a session. Unknown email addresses and wrong passwords get the same response. */
export const login = write({
  name: 'login',
  summary: 'Logs in with an email address and a password.',
  ...withoutCredential,
  cost: passwordHashCost,
  rest: { method: 'POST', path: '/auth/login' },
  graphql: { mutation: 'login' },
  input: z.strictObject({
    email: enteredEmail.describe('Email address of the account.'),
    password: enteredPassword,
  }),
  output: signedIn,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED'],
  async prepare(services, call, { email, password }) {
    const attempt = { email, address: call.address, at: call.at }
    const known = await checkLogin(services, attempt, password, call)
    if (!known) throw wrongLogin()
    const { passwords } = services
    const newHash = passwords.isOutdated(known.hash)
      ? await passwords.hash(password, readNetwork(call.address))
      : undefined
    const { user } = known
    const hasPasskeys = (await services.stores.read((view) => view.passkeys.ofUser(user.id))).length > 0
    if (!hasPasskeys) return { attempt, known, newHash, services }
    call.auditFailure({ type: 'user', id: user.id })
    requireActive(await services.stores.transact((tx) => acceptPassword(tx, { attempt, known, newHash })))
    if (!services.passkeys) throw noPasskeys()
    throw secondFactorRequired(services.passkeyTokens, user.id, newHash ?? known.hash, call.at)
  },
  async apply(tx, call, { attempt, known, newHash, services }) {
    const user = await acceptPassword(tx, { attempt, known, newHash })
    // Added meanwhile.
    if ((await tx.passkeys.ofUser(user.id)).length > 0) throw wrongLogin()
    return startSession(tx, call, user, services)
  },
})

/** Resets the failed attempts of a user whose password was correct, and replaces a hash that is outdated. */
async function acceptPassword(
  tx: AccountTransaction,
  {
    attempt,
    known,
    newHash,
  }: { readonly attempt: LoginAttempt; readonly known: VerifiedUser; readonly newHash: string | undefined },
): Promise<UserRow> {
  const user = await tx.users.take(known.user.id)
  if (!user || (await tx.users.passwordHash(user.id)) !== known.hash) throw wrongLogin()
  // First, because the next checks reveal that the password was correct.
  await passLogin(tx, attempt)
  if (newHash !== undefined) await tx.users.setPassword(user.id, newHash)
  return user
}

export const signup = write({
  name: 'signup',
  summary: 'Creates an account on the free tier and starts its first session.',
  ...withoutCredential,
  cost: passwordHashCost,
  rest: { method: 'POST', path: '/auth/signup' },
  graphql: { mutation: 'signup' },
  input: z.strictObject({ email: userFields.email, password: newPassword, name: userFields.name }),
  output: signedIn,
  creates: true,
  errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  async prepare(services: AccountServices, call, { password, ...fields }) {
    const { signup: open, attempts, stores, passwords } = services
    if (!open) throw new FairleadError('FORBIDDEN', 'Sign-up is disabled. Ask an admin for an account.')
    checkPassword(password, { emails: [fields.email], name: fields.name, baseUrl: services.baseUrl })
    await attempts.unlessRejected(signupBucket(call.address), () =>
      stores.transact((tx) => countSignup(tx, call.address, call.at)),
    )
    const given = { ...fields, ...withDefaults({}, services.userDefaults) }
    return { fields: given, hash: await passwords.hash(password, readNetwork(call.address)), services }
  },
  async apply(tx, call, { fields, hash, services }) {
    const user = await addUser(tx, call, fields, hash)
    return startSession(tx, call, user, services)
  },
})

export const exchangeSignInToken = write({
  name: 'exchangeSignInToken',
  summary: 'Exchanges the one-time token of a sign-in link for a session.',
  ...withoutCredential,
  cost: 20,
  rest: { method: 'POST', path: '/auth/exchange' },
  graphql: { mutation: 'exchangeSignInToken' },
  input: z.strictObject({
    token: z.string().max(200).describe('The token: the text after `#sign-in=` in the link.'),
    browser: browserSecret
      .optional()
      .describe(
        'The secret of the browser that the token is for, which has it in a cookie. Default: a token for any browser.',
      ),
  }),
  output: signedIn,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED'],
  prepare(services, { at }, { token, browser }) {
    const id = services.signInTokens.read(token, at, browser)
    if (id === undefined) throw invalidSignInToken()
    return { id, token, services }
  },
  async apply(tx, call, { id, token, services }) {
    call.auditFailure({ type: isId(id, 'ses') ? 'session' : 'user', id })
    if (isId(id, 'ses')) return continueSession(tx, call, id, services)
    // The window is longer than the token lives, so that a used token stays used while clocks differ.
    const rule = { at: call.at, windowMs: 2 * signInTokenLifeMs, max: 1 }
    const { granted } = await tx.throttles.hit(bucketName('sign-in token', token), rule)
    const user = await tx.users.take(id)
    if (!granted || !user) throw invalidSignInToken()
    return startSession(tx, call, user, services)
  },
})

function invalidSignInToken(): FairleadError {
  return new FairleadError('UNAUTHORIZED', 'The sign-in link is not valid anymore. It works once, within 15 minutes.')
}

/** Starts a session of an authenticated user. */
export async function startSession(
  tx: AccountTransaction,
  call: OperationRun,
  user: UserRow,
  services: AccountServices,
): Promise<z.output<typeof signedIn>> {
  const facts = { confirmedAt: null, issuerToken: null }
  const expiresAt = sessionEnd({ createdAt: call.at, ...facts }, call.at, services.maxSessionMs)
  const session = await addSession(tx, call, user, { generation: 1, expiresAt, issuerSession: null, ...facts })
  return shownSession(tx, services, user, session, await issueTokens(tx, services.sessionTokens, session, call.at))
}

async function shownSession<Tokens extends object>(
  tx: AccountTransaction,
  { adminSecondFactor }: AccountServices,
  user: UserRow,
  session: SessionRow,
  tokens: Tokens,
) {
  const passkeyRequired = await lacksPasskey(tx, adminSecondFactor, user, session)
  return { user: toUserRecord(actingAs(user, session)), ...tokens, passkeyRequired }
}

/** Issues the first tokens of a session that began without any. */
async function continueSession(
  tx: AccountTransaction,
  call: OperationRun,
  id: string,
  services: AccountServices,
): Promise<z.output<typeof signedIn>> {
  const { at } = call
  const session = await tx.sessions.take(id)
  const user = session && (await tx.users.find(session.userId))
  if (!user || session.generation > 0 || isEnded(session, at)) throw invalidSignInToken()
  requireActive(user)
  requireOwnNetwork(user, call)
  const begun = { ...session, ...readOrigin(call) }
  const tokens = await renewSession(tx, services, begun, { state: 'valid', at })
  return shownSession(tx, services, user, session, tokens)
}

interface NewSession extends Pick<SessionRow, 'generation' | 'expiresAt' | 'issuerSession' | 'confirmedAt'> {
  /** Encrypts the token for the session with that id. Null for none. */
  readonly issuerToken: ((sessionId: string) => string | null) | null
}

/** Adds a session of an authenticated user, and removes the user's expired and excess sessions. */
export async function addSession(
  tx: AccountTransaction,
  call: OperationRun,
  user: UserRow,
  { issuerToken, ...facts }: NewSession,
): Promise<SessionRow> {
  const target = { type: 'user', id: user.id }
  call.auditFailure(target)
  requireActive(user)
  // The browser comes with the sign-in token of the session.
  if (facts.generation > 0) requireOwnNetwork(user, call)
  const { at } = call
  const others = await tx.sessions.ofUser(user.id)
  const ended = others
    .filter((other, index) => isEnded(other, at) || index >= maxSessions - 1)
    .map((session) => session.id)
  await tx.sessions.remove(ended)
  call.afterCommit(({ authenticator }: AccountServices) =>
    ended.forEach((id) => authenticator.forget({ credentialId: id })),
  )
  const id = call.newId('ses')
  const sealed = issuerToken?.(id) ?? null
  const own = { id, userId: user.id, createdAt: at, refreshedAt: at, lastUsedAt: null, ...readOrigin(call) }
  const session = { ...own, ...facts, issuerToken: sealed }
  await tx.sessions.add(session)
  call.signedIn = user.id
  call.audit({ target, by: { actor: user.id, credential: session.id } })
  return session
}

/**
 * Refresh tokens are single-use. A token that is sent again within ten seconds gets the same response. Sent later, it
 * counts as stolen, and the session ends.
 */
export const refresh = write({
  name: 'refresh',
  summary: 'Exchanges a refresh token for a new pair of tokens.',
  ...withoutCredential,
  cost: 20,
  rest: { method: 'POST', path: '/auth/refresh' },
  graphql: { mutation: 'refresh' },
  input: z.strictObject({ refreshToken: z.string().max(200).describe('The refresh token of the last response.') }),
  output: refreshed,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE'],
  async prepare(services, call, { refreshToken }) {
    const { stores, sessionTokens, authenticator } = services
    const claim = sessionTokens.readRefreshToken(refreshToken)
    if (!claim) throw invalidRefreshToken()
    const { sessionId, generation } = claim
    const { session, user } = await stores.read(async (view) => {
      const found = await view.sessions.find(sessionId)
      return { session: found, user: found && (await view.users.find(found.userId)) }
    })
    const state = refreshTokenState(session, generation, call.at)
    if (!session || !user || state === 'ended') throw invalidRefreshToken()
    // Before the issuer is asked, whose token works once.
    requireOwnNetwork(user, call)
    const confirmation = state === 'valid' ? await confirmSession(services, call, session) : undefined
    if (state === 'replayed' || confirmation === 'ended') {
      call.auditFailure({ type: 'session', id: sessionId })
      await stores.transact((tx) => tx.sessions.remove([sessionId]))
      authenticator.forget({ credentialId: sessionId })
      throw invalidRefreshToken()
    }
    return { sessionId, generation, confirmation, services }
  },
  async apply(tx, call, { sessionId, generation, confirmation, services }) {
    const { at } = call
    // Before the session, as a sign-in locks them.
    if (confirmation) await tx.users.take(confirmation.userId)
    const found = await tx.sessions.take(sessionId)
    const state = refreshTokenState(found, generation, at)
    if (!found || state === 'replayed' || state === 'ended') throw invalidRefreshToken()
    const session = confirmation ? { ...found, confirmedAt: at, issuerToken: confirmation.issuerToken } : found
    if (sessionEnd(session, at, services.maxSessionMs) <= at) throw invalidRefreshToken()
    const before = await tx.users.find(session.userId)
    if (!before) throw invalidRefreshToken()
    requireActive(before)
    const user = confirmation ? await applyGrants(tx, call, before, confirmation.grants) : before
    const tokens = await renewSession(tx, services, session, { state, at })
    return shownSession(tx, services, user, session, tokens)
  },
})

function invalidRefreshToken(): FairleadError {
  return new FairleadError('UNAUTHORIZED', 'The refresh token is not valid anymore. Log in again.')
}

export const logout = write({
  name: 'logout',
  summary: 'Ends the session of an access token or a refresh token.',
  ...withoutCredential,
  rest: { method: 'POST', path: '/auth/logout' },
  graphql: { mutation: 'logout' },
  input: z.strictObject({
    refreshToken: z.string().max(200).optional().describe('Required if no access token is sent.'),
  }),
  output: namedObject('Logout', 'The result of logging out.', { ended: z.literal(true).describe('Always true.') }),
  errors: ['UNAUTHORIZED'],
  prepare({ sessionTokens }, { caller }, { refreshToken }) {
    const own = caller.kind === 'account' && caller.credential.kind === 'session' ? [caller.credential.id] : []
    if (refreshToken === undefined && own.length > 0) return own
    if (refreshToken === undefined) {
      throw invalidRequest({ field: 'refreshToken', issue: 'is required if no access token is sent' })
    }
    const claim = sessionTokens.readRefreshToken(refreshToken)
    if (!claim) throw new FairleadError('UNAUTHORIZED', 'The refresh token is unknown.')
    return [...own, claim.sessionId]
  },
  async apply(tx, call, sessionIds) {
    for (const id of new Set(sessionIds)) {
      const session = await tx.sessions.find(id)
      if (session) call.audit({ target: { type: 'session', id }, by: { actor: session.userId, credential: id } })
    }
    await tx.sessions.remove(sessionIds)
    call.afterCommit(({ authenticator }: AccountServices) =>
      sessionIds.forEach((id) => authenticator.forget({ credentialId: id })),
    )
    return { ended: true as const }
  },
})
