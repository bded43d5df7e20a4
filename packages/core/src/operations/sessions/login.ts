import { z } from 'zod'
import { checkLogin, wrongLogin } from '../../access/check-login.ts'
import { networkOf } from '../../access/network-of.ts'
import { passLogin } from '../../access/throttles.ts'
import { passwordHashCost } from '../../ports/password-hasher.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { password, typedEmail } from '../users/user-schemas.ts'
import { signIn } from './sign-in.ts'
import { signedIn } from './token-pair.ts'
import type { AccountServices } from '../../accounts/account-services.ts'

/** Opens a session for whoever knows the password. Unknown e-mail addresses and wrong passwords get the same answer. */
export const login = defineOperation({
  name: 'login',
  summary: 'Logs in with an email address and a password.',
  kind: 'write',
  access: { anonymous: true },
  metered: false,
  cost: passwordHashCost,
  rest: { method: 'POST', path: '/auth/login', session: 'begins' },
  graphql: { mutation: 'login' },
  input: z.strictObject({
    email: typedEmail.describe('Email address of the account.'),
    password,
  }),
  output: signedIn,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED'],
  async prepare(services: AccountServices, call, { email, password: typed }) {
    const attempt = { email, address: call.address, at: call.at }
    const known = await checkLogin(services, attempt, typed, call.signal)
    if (!known) throw wrongLogin()
    const { passwords, sessionTokens } = services
    const newHash = passwords.isOutdated(known.hash) ? await passwords.hash(typed, networkOf(call.address)) : undefined
    return { attempt, known, newHash, sessionTokens }
  },
  async apply(tx, call, { attempt, known, newHash, sessionTokens }) {
    const user = await tx.users.take(known.user.id)
    if (!user || (await tx.users.passwordHash(user.id)) !== known.hash) throw wrongLogin()
    // Before anything that only the right password gets to hear.
    await passLogin(tx, attempt)
    if (user.status === 'suspended') throw new FairleadError('FORBIDDEN', 'This account is suspended.')
    if (newHash !== undefined) await tx.users.setPassword(user.id, newHash)
    return signIn(tx, call, user, sessionTokens)
  },
})
