import { z } from 'zod'
import { requireAccount } from '../../access/require-account.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { keyRecord, ownKey, presentUser, toKeyRecord } from './key-record.ts'

export const getKey = defineOperation({
  name: 'apiKey',
  summary: 'Returns one of the caller’s API keys.',
  kind: 'read',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'GET', path: '/api-keys/{id}' },
  graphql: { query: 'apiKey', node: 'key' },
  input: z.strictObject({ id: z.string().describe('API key id.') }),
  output: keyRecord,
  errors: ['NOT_FOUND'],
  async run({ stores }, call, { id }) {
    const account = requireAccount(call.caller)
    return stores.read(async (view) => {
      const key = ownKey(account, await view.keys.find(id))
      return toKeyRecord(key, presentUser(await view.users.find(account.userId)))
    })
  },
})
