import * as z from 'zod'
import { actingUser, requireAccount, instant, namedObject, toInstant } from '@fairlead/core/feature'
import { FairleadError, type OperationRun } from '@fairlead/core'
import { changedOwner, presentOwner } from '../owner.ts'
import { type AccountServices, write } from '../services.ts'
import { countAddressMail } from '../sessions/throttles.ts'
import type { AccountTransaction } from '../account-stores.ts'
import { emailTokenLifeMs } from './email-tokens.ts'
import { announceChange } from './update-user.ts'
import { shownUser, type UserRow, userRecord } from './user.ts'

/** About the user who acts, also in a project. */
const ofCaller = { access: { scope: 'users', inProject: 'viewer' }, metered: false } as const

export const sendEmailVerification = write({
  name: 'sendEmailVerification',
  summary: 'Mails a link to the email address of the caller, which verifies the address within 24 hours.',
  ...ofCaller,
  rest: { method: 'POST', path: '/auth/email-verification' },
  graphql: { mutation: 'sendEmailVerification' },
  input: z.strictObject({}),
  output: namedObject('EmailVerification', 'A link that was mailed.', {
    email: z.string().describe('The email address to which the link is mailed.'),
    expiresAt: instant.describe('When the link expires: 24 hours later.'),
  }),
  errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  prepare({ mailAddress, emailTokens }) {
    if (mailAddress) return { emailTokens }
    throw new FairleadError('FORBIDDEN', 'This service sends no mail. Ask an admin to verify your email address.')
  },
  async apply(tx, call, { emailTokens }) {
    const user = presentOwner(await tx.users.find(actingUser(requireAccount(call.caller))))
    if (user.emailVerified) throw new FairleadError('CONFLICT', 'Your email address is verified already.')
    await countAddressMail(tx, user.id, call.at)
    const mail = { kind: 'verification', id: call.newId('msg'), email: user.email } as const
    const token = emailTokens.issue(user, call.at)
    call.afterCommit(({ mailAddress }: AccountServices) => void mailAddress?.({ ...mail, token }))
    return { email: user.email, expiresAt: toInstant(call.at + emailTokenLifeMs) }
  },
})

/**
 * Needs a credential of the user: otherwise, a user who signed up with the address of another person would have it verified
 * as soon as that person follows the link.
 */
export const verifyEmail = write({
  name: 'verifyEmail',
  summary: 'Verifies the email address of the caller with the token that was mailed to it.',
  ...ofCaller,
  rest: { method: 'POST', path: '/auth/verify-email' },
  graphql: { mutation: 'verifyEmail' },
  input: z.strictObject({ token: z.string().max(200).describe('The token of the link.') }),
  output: userRecord,
  versioned: true,
  errors: ['NOT_FOUND'],
  prepare: ({ emailTokens }, _call, { token }) => ({ token, emailTokens }),
  async apply(tx, call, { token, emailTokens }) {
    const user = presentOwner(await tx.users.take(actingUser(requireAccount(call.caller))))
    if (!emailTokens.isFor(token, user, call.at)) {
      throw new FairleadError(
        'NOT_FOUND',
        'The link is not valid. It works within 24 hours, for the user and the email address to which it was mailed.',
      )
    }
    return shownUser(call, await withVerifiedEmail(tx, call, user))
  },
})

/** Notes that the email address of a user, whose lock the transaction has, is theirs. */
export async function withVerifiedEmail(tx: AccountTransaction, call: OperationRun, user: UserRow): Promise<UserRow> {
  if (user.emailVerified) return user
  const after = changedOwner(user, { emailVerified: true }, call.at)
  await tx.users.replace(after)
  announceChange(call, user, after)
  return after
}
