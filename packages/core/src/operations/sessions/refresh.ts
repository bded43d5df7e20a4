import { z } from 'zod'
import { carryOn, standingOf } from '../../access/session-life.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { tokenPair } from './token-pair.ts'
import type { AccountServices } from '../../accounts/account-services.ts'

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
    const standing = standingOf(session, generation, at)
    if (standing === 'replayed') {
      await stores.transact((tx) => tx.sessions.remove([sessionId]))
      authenticator.forget({ credentialId: sessionId })
    }
    if (standing === 'replayed' || standing === 'over') throw notGood()
    return { sessionId, generation, sessionTokens }
  },
  async apply(tx, { at }, { sessionId, generation, sessionTokens }) {
    const session = await tx.sessions.take(sessionId)
    const standing = standingOf(session, generation, at)
    if (!session || standing === 'replayed' || standing === 'over') throw notGood()
    const user = await tx.users.find(session.userId)
    if (user?.status === 'suspended') throw new FairleadError('FORBIDDEN', 'This account is suspended.')
    return carryOn(tx, sessionTokens, session, { standing, at })
  },
})

function notGood(): FairleadError {
  return new FairleadError('UNAUTHORIZED', 'The refresh token is no longer good: log in again.')
}
