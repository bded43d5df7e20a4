import { z } from 'zod'
import { defineOperation } from '../../runtime/define-operation.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { invalidRequest } from '../../values/invalid-request.ts'
import type { AccountServices } from '../../accounts/account-services.ts'

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
  async apply(tx, call, sessionIds) {
    await tx.sessions.remove(sessionIds)
    call.afterCommit(({ authenticator }: AccountServices) =>
      sessionIds.forEach((id) => authenticator.forget({ credentialId: id })),
    )
    return { ended: true as const }
  },
})
