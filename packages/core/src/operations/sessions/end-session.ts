import { z } from 'zod'
import { requireAccount } from '../../access/require-account.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { deletion } from '../deletion.ts'
import type { AccountServices } from '../../accounts/account-services.ts'

export const endSession = defineOperation({
  name: 'endSession',
  summary: 'Ends one of the caller’s sessions.',
  kind: 'write',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'DELETE', path: '/sessions/{id}' },
  graphql: { mutation: 'endSession' },
  input: z.strictObject({ id: z.string().describe('Session id.') }),
  output: deletion,
  errors: ['NOT_FOUND'],
  async apply(tx, call, { id }) {
    const { userId } = requireAccount(call.caller)
    const session = await tx.sessions.take(id)
    if (session?.userId !== userId) throw new FairleadError('NOT_FOUND', 'Session not found.')
    await tx.sessions.remove([id])
    call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ credentialId: id }))
    return { id, deleted: true as const }
  },
})
