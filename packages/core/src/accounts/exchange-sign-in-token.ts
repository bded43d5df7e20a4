import { hash } from 'node:crypto'
import { z } from 'zod'
import { FairleadError } from '../runtime/errors.ts'
import { defineOperation } from '../runtime/operation.ts'
import { startSession, withoutCredential } from './login.ts'
import type { AccountServices } from './services.ts'
import { signedIn } from './session.ts'
import { signInTokenLifeMs } from './sign-in-token.ts'
import type { AccountTransaction } from './stores.ts'

export const exchangeSignInToken = defineOperation({
  name: 'exchangeSignInToken',
  summary: 'Exchanges the one-time token of a sign-in link for a session.',
  ...withoutCredential,
  cost: 20,
  rest: { method: 'POST', path: '/auth/exchange', session: 'begins' },
  graphql: { mutation: 'exchangeSignInToken' },
  input: z.strictObject({
    token: z.string().max(200).describe('The token: the text after `#sign-in=` in the link.'),
  }),
  output: signedIn,
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
  prepare({ signInTokens, sessionTokens }: AccountServices, { at }, { token }) {
    const claim = signInTokens.read(token, at)
    if (!claim) throw invalidToken()
    return { userId: claim.userId, token, sessionTokens }
  },
  async apply(tx: AccountTransaction, call, { userId, token, sessionTokens }) {
    // The window is longer than the token lives, so that a used token stays used while clocks differ.
    const rule = { at: call.at, windowMs: 2 * signInTokenLifeMs, max: 1 }
    const { granted } = await tx.throttles.hit(hash('sha256', `sign-in token ${token}`, 'base64url'), rule)
    const user = await tx.users.take(userId)
    if (!granted || !user) throw invalidToken()
    if (user.status === 'suspended') throw new FairleadError('FORBIDDEN', 'This account is suspended.')
    return startSession(tx, call, user, sessionTokens)
  },
})

function invalidToken(): FairleadError {
  return new FairleadError('UNAUTHORIZED', 'The sign-in link is not valid anymore. It works once, within 15 minutes.')
}
