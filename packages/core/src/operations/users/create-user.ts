import { z } from 'zod'
import { networkOf } from '../../access/network-of.ts'
import { passwordHashCost } from '../../ports/password-hasher.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { checkPassword } from '../../values/password-rule.ts'
import type { User } from '../../values/user.ts'
import { checkQuotaLimit, emailTaken, shownUser, userEventData, userRecord } from './user-record.ts'
import { newPassword, userFields } from './user-schemas.ts'
import type { AccountServices } from '../../accounts/account-services.ts'

export const createUser = defineOperation({
  name: 'createUser',
  summary: 'Creates a user, who can log in immediately.',
  kind: 'write',
  access: { scope: 'users', role: 'admin' },
  metered: true,
  cost: passwordHashCost,
  rest: { method: 'POST', path: '/users' },
  graphql: { mutation: 'createUser' },
  input: z.strictObject({
    email: userFields.email,
    name: userFields.name,
    password: newPassword,
    role: userFields.role.default('member'),
    tier: userFields.tier.default('free'),
    quotaLimit: userFields.quotaLimit.default(null),
    status: userFields.status.default('active'),
  }),
  output: userRecord,
  creates: true,
  versioned: true,
  errors: ['CONFLICT'],
  async prepare({ passwords }: AccountServices, call, { password, ...fields }) {
    checkQuotaLimit(fields)
    checkPassword(password, [fields.email])
    return { fields, hash: await passwords.hash(password, networkOf(call.address)) }
  },
  async apply(tx, call, { fields, hash }) {
    const user: User = { ...fields, id: call.newId('usr'), createdAt: call.at, updatedAt: call.at, version: 1 }
    if (!(await tx.users.add(user))) throw emailTaken()
    await tx.users.setPassword(user.id, hash)
    call.emit('user.created', userEventData(user), user.id)
    return shownUser(call, user)
  },
})
