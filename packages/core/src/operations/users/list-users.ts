import { z } from 'zod'
import { defineOperation } from '../../runtime/define-operation.ts'
import { openPage } from '../paging/open-page.ts'
import { pageInput } from '../paging/page-input.ts'
import { toUserRecord, userRecord, visibleUserId } from './user-record.ts'
import { userFields } from './user-schemas.ts'

export const listUsers = defineOperation({
  name: 'users',
  summary: 'Lists users. Members see only themselves.',
  kind: 'read',
  access: { scope: 'users' },
  metered: true,
  rest: { method: 'GET', path: '/users' },
  graphql: { query: 'users' },
  input: z.strictObject({
    ...pageInput,
    email: userFields.email.optional().describe('Only the user with this email address.'),
    role: userFields.role.optional().describe('Only users with this role.'),
    tier: userFields.tier.optional().describe('Only users of this tier.'),
  }),
  output: z.array(userRecord),
  paged: true,
  prepare: (_services, _call, input) => openPage('users', input),
  async run({ stores }, call, page) {
    const filters = { ...page.filters, id: visibleUserId(call.caller) }
    const found = await stores.read((view) => view.users.list(filters, page.slice))
    return page.show(call, found).map(toUserRecord)
  },
})
