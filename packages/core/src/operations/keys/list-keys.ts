import { z } from 'zod'
import { requireAccount } from '../../access/require-account.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { openPage } from '../paging/open-page.ts'
import { pageInput } from '../paging/page-input.ts'
import { keyRecord, presentUser, toKeyRecord } from './key-record.ts'

export const listKeys = defineOperation({
  name: 'apiKeys',
  summary: 'Lists the caller’s API keys, including revoked ones.',
  kind: 'read',
  access: { scope: 'keys' },
  metered: false,
  rest: { method: 'GET', path: '/api-keys' },
  graphql: { query: 'apiKeys' },
  input: z.strictObject(pageInput),
  output: z.array(keyRecord),
  paged: true,
  prepare: (_services, _call, input) => openPage('api-keys', input),
  async run({ stores }, call, page) {
    const { userId } = requireAccount(call.caller)
    return stores.read(async (view) => {
      const user = presentUser(await view.users.find(userId))
      const found = await view.keys.list({ userId }, page.slice)
      return page.show(call, found).map((key) => toKeyRecord(key, user))
    })
  },
})
