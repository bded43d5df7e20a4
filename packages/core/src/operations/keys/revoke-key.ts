import { z } from 'zod'
import { requireAccount } from '../../access/require-account.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { deletion } from '../deletion.ts'
import { keyEventData, ownKey } from './key-record.ts'
import type { AccountServices } from '../../accounts/account-services.ts'

export const revokeKey = defineOperation({
  name: 'revokeApiKey',
  summary: 'Revokes an API key immediately. Its record remains.',
  kind: 'write',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'DELETE', path: '/api-keys/{id}' },
  graphql: { mutation: 'revokeApiKey' },
  input: z.strictObject({ id: z.string().describe('API key id.') }),
  output: deletion,
  errors: ['NOT_FOUND'],
  async apply(tx, call, { id }) {
    const account = requireAccount(call.caller)
    await tx.users.take(account.userId)
    const key = ownKey(account, await tx.keys.find(id))
    if (key.revokedAt === null) {
      await tx.keys.revoke(id, call.at)
      call.emit('api_key.revoked', keyEventData(key))
      call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ credentialId: id }))
    }
    return { id, deleted: true as const }
  },
})
