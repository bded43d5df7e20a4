import { z } from 'zod'
import { networkOf } from '../../access/network-of.ts'
import { countSignup, signupBucket } from '../../access/throttles.ts'
import { passwordHashCost } from '../../ports/password-hasher.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { checkPassword } from '../../values/password-rule.ts'
import type { User } from '../../values/user.ts'
import { emailTaken, userEventData } from '../users/user-record.ts'
import { newPassword, userFields } from '../users/user-schemas.ts'
import { signIn } from './sign-in.ts'
import { signedIn } from './token-pair.ts'
import type { AccountServices } from '../../accounts/account-services.ts'

export const signup = defineOperation({
  name: 'signup',
  summary: 'Creates an account on the free tier and starts its first session.',
  kind: 'write',
  access: { anonymous: true },
  metered: false,
  cost: passwordHashCost,
  rest: { method: 'POST', path: '/auth/signup', session: 'begins', creates: { path: '/users', field: 'user' } },
  graphql: { mutation: 'signup' },
  input: z.strictObject({ email: userFields.email, password: newPassword, name: userFields.name }),
  output: signedIn,
  creates: true,
  errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  async prepare(
    { signup: open, attempts, stores, passwords, sessionTokens }: AccountServices,
    call,
    { password, ...fields },
  ) {
    if (!open) throw new FairleadError('FORBIDDEN', 'Sign-up is disabled. Ask an admin for an account.')
    checkPassword(password, [fields.email])
    await attempts.unlessRefused(signupBucket(call.address), () =>
      stores.transact((tx) => countSignup(tx, call.address, call.at)),
    )
    return { fields, hash: await passwords.hash(password, networkOf(call.address)), sessionTokens }
  },
  async apply(tx, call, { fields, hash, sessionTokens }) {
    const user: User = {
      ...fields,
      id: call.newId('usr'),
      role: 'member',
      tier: 'free',
      quotaLimit: null,
      status: 'active',
      createdAt: call.at,
      updatedAt: call.at,
      version: 1,
    }
    if (!(await tx.users.add(user))) throw emailTaken()
    await tx.users.setPassword(user.id, hash)
    call.emit('user.created', userEventData(user), user.id)
    return signIn(tx, call, user, sessionTokens)
  },
})
