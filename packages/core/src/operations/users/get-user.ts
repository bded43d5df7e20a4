import { z } from 'zod'
import { requireAccount } from '../../access/require-account.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { requireMatch } from '../require-match.ts'
import { shownUser, userRecord, visibleUser } from './user-record.ts'
import { userFacts } from './user-schemas.ts'

export const getUser = defineOperation({
  name: 'user',
  summary: 'Returns a user. Members can only get themselves.',
  kind: 'read',
  access: { scope: 'users' },
  metered: true,
  rest: { method: 'GET', path: '/users/{id}' },
  graphql: { query: 'user', node: 'usr' },
  input: z.strictObject({ id: userFacts.id.describe('User id, or `me` for the caller.') }),
  output: userRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  async prepare({ stores }, call, { id }) {
    const named = id === 'me' ? requireAccount(call.caller).userId : id
    const user = visibleUser(call.caller, await stores.read((view) => view.users.find(named)))
    requireMatch(call, user.version)
    return user
  },
  run: async (_services, call, user) => shownUser(call, user),
})
