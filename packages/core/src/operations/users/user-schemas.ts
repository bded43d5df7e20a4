import { z } from 'zod'
import { maxRawEmailLength, normalizeEmail } from '../../values/email.ts'
import { maxRawPasswordLength, normalizePassword, passwordIssue } from '../../values/password-rule.ts'
import { roles, tiers, userStatuses } from '../../values/user.ts'
import { instant, integerBetween, textUpTo } from '../field-schemas.ts'
import { typeNames } from '../../runtime/surfaces.ts'

/** A password as somebody types it to get in: whatever it is, it is compared. */
export const password = z
  .string()
  .max(maxRawPasswordLength, { error: 'is too long', abort: true })
  .overwrite((text) => normalizePassword(text) ?? text)
  .describe('Compared in the normal form NFKC.')

/** A password to be. */
export const newPassword = password
  .superRefine((text, context) => {
    const message = passwordIssue(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .describe('12 to 128 characters; not blank, not the e-mail address, not one of the most common passwords.')

/** An e-mail address as somebody types it to get in: whatever it is, it is compared. */
export const typedEmail = z
  .string()
  .max(maxRawEmailLength, { error: 'must have at most 254 characters', abort: true })
  .overwrite(normalizeEmail)

const email = typedEmail
  .max(254, { abort: true })
  .regex(/^[^\s@"]{1,64}@[^\s@"]+$/u, { error: 'must be an e-mail address' })
  .describe('Kept and compared in the normal form NFKC and lower case.')

/** What may be written of a user. */
export const userFields = {
  email,
  name: textUpTo(100).describe('For people.'),
  role: z
    .enum(roles)
    .register(typeNames, { name: 'UserRole' })
    .describe('What the user may do: admins see and change everything.'),
  tier: z.enum(tiers).register(typeNames, { name: 'UserTier' }).describe('Which quota the user’s keys have.'),
  quotaLimit: integerBetween(0, Number.MAX_SAFE_INTEGER)
    .nullable()
    .describe('Requests a month and credential, for the tier enterprise; null is without limit.'),
  status: z
    .enum(userStatuses)
    .register(typeNames, { name: 'UserStatus' })
    .describe('A suspended user is refused everywhere.'),
}

/** What only we write. */
export const userFacts = {
  id: z.string().describe('`usr_` and digits.'),
  createdAt: instant.describe('When the account was made.'),
  updatedAt: instant.describe('When it last changed.'),
}
