import * as z from 'zod'
import type { OperationRun } from '@fairlead/core'
import { startSession, withoutCredential } from '../sessions/login.ts'
import { readNetwork } from '@fairlead/core/feature'
import { signedIn } from '../sessions/session.ts'
import { failLogin, type LoginAttempt, loginDelay, pairBucket, passLogin } from '../sessions/throttles.ts'
import type { AccountView } from '../account-stores.ts'
import type { UserRow } from '../users/user.ts'
import { type AccountServices, write } from '../services.ts'
import { belongsToIssuer } from './belongs-to-issuer.ts'
import { ceremony, type PasskeyRow, type WebAuthnJson, webAuthnResponse } from './passkey.ts'
import { noPasskeys, refusedPasskey, useChallenge } from './passkey-tokens.ts'

const token = z.string().max(200)

export const passkeyLoginOptions = write({
  name: 'passkeyLoginOptions',
  summary: 'Begins to log in with a passkey: after the password, or without one.',
  ...withoutCredential,
  cost: 20,
  rest: { method: 'POST', path: '/auth/passkeys/login/options' },
  graphql: { mutation: 'passkeyLoginOptions' },
  input: z.strictObject({
    token: token
      .optional()
      .describe(
        'The token of an error with the reason `second_factor_required`. Default: the browser asks for any passkey, and verifies the user.',
      ),
  }),
  output: ceremony,
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
  async prepare({ stores, passkeys, passkeyTokens }, call, { token: factor }) {
    if (!passkeys) throw noPasskeys()
    if (factor === undefined) {
      const begun = passkeyTokens.issue(call, ['sign in'])
      const options = await passkeys.signInOptions({ challenge: begun.challenge, known: undefined })
      return { token: begun.token, options }
    }
    const id = passkeyTokens.userOfFactor(factor) ?? ''
    const { hash, known } = await stores.read(async (view) => ({
      hash: await view.users.passwordHash(id),
      known: await view.passkeys.ofUser(id),
    }))
    if (hash === undefined || !passkeyTokens.isFactor(factor, hash, call.at)) throw refusedPasskey()
    const begun = passkeyTokens.issue(call, ['second factor', id, hash])
    return { token: begun.token, options: await passkeys.signInOptions({ challenge: begun.challenge, known }) }
  },
  apply: async (_tx, _call, reply) => reply,
})

export const loginWithPasskey = write({
  name: 'loginWithPasskey',
  summary: 'Logs in with a passkey: after the password, or without one.',
  ...withoutCredential,
  cost: 20,
  rest: { method: 'POST', path: '/auth/passkeys/login' },
  graphql: { mutation: 'loginWithPasskey' },
  input: z.strictObject({
    token: token.describe('The token of the options.'),
    response: webAuthnResponse.describe('The response of the browser, as `toJSON()` of the credential returns it.'),
  }),
  output: signedIn,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED'],
  async prepare(services, call, input) {
    const { attempts, passkeys } = services
    if (!passkeys) throw noPasskeys()
    // Counted first, as with passwords, so that concurrent attempts cannot all pass before the first of them fails.
    const takeBack = attempts.countFailure(readNetwork(call.address))
    let failed = false
    try {
      const checked = await checkPasskey(services, call, passkeys, input)
      failed = checked === undefined
      if (!checked) throw refusedPasskey()
      return { ...checked, token: input.token, services }
    } finally {
      if (!failed) takeBack()
    }
  },
  async apply(tx, call, { attempt, owned, used, token: challenge, services }) {
    const user = await tx.users.take(owned.user.id)
    const passkey = await tx.passkeys.find(owned.passkey.id)
    const isSame = (await tx.users.passwordHash(owned.user.id)) === owned.hash
    // Another sign-in may have used the signature meanwhile.
    if (!user || !passkey || !isSame || passkey.counter !== owned.passkey.counter) throw refusedPasskey()
    await useChallenge(tx, challenge, call.at)
    await passLogin(tx, attempt)
    await tx.passkeys.replace({ ...passkey, ...used, lastUsedAt: call.at })
    return startSession(tx, call, user, services)
  },
})

/** A passkey, with its user and the hash of the user's password. */
interface OwnedPasskey {
  readonly passkey: PasskeyRow
  readonly user: UserRow
  /** Undefined if the user has none. */
  readonly hash: string | undefined
}

/** Undefined if the passkey is not accepted, which counts as a failed login of its user. */
async function checkPasskey(
  { stores, attempts, passkeyTokens }: AccountServices,
  call: OperationRun,
  passkeys: NonNullable<AccountServices['passkeys']>,
  input: { readonly token: string; readonly response: WebAuthnJson },
) {
  call.auditFailure({ type: 'user', id: null })
  const owned = await stores.read((view) => findOwned(view, input.response['id']))
  if (!owned) return undefined
  const { user, passkey, hash } = owned
  call.auditFailure({ type: 'user', id: user.id })
  const attempt: LoginAttempt = { email: user.email, address: call.address, at: call.at }
  const used = await attempts.unlessRejected(pairBucket(attempt), async () => {
    await stores.read((view) => loginDelay(view, attempt))
    const withoutPassword = passkeyTokens.challengeFor(input.token, call.at, ['sign in'])
    const challenge =
      withoutPassword ??
      (hash === undefined
        ? undefined
        : passkeyTokens.challengeFor(input.token, call.at, ['second factor', user.id, hash]))
    const verifiesUser = withoutPassword !== undefined
    const accepted =
      challenge === undefined
        ? undefined
        : await passkeys.checkSignIn(input.response, { challenge, passkey, verifiesUser })
    if (!accepted) await stores.transact((tx) => failLogin(tx, attempt))
    return accepted
  })
  return used && { attempt, owned, used }
}

async function findOwned(view: AccountView, credentialId: unknown): Promise<OwnedPasskey | undefined> {
  if (typeof credentialId !== 'string') return undefined
  const passkey = await view.passkeys.findByCredential(credentialId)
  const user = passkey && (await view.users.find(passkey.userId))
  if (!passkey || !user || (await belongsToIssuer(view, user.id))) return undefined
  return { passkey, user, hash: await view.users.passwordHash(user.id) }
}
