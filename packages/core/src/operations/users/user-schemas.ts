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
  .describe('Compared in NFKC.')

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
  .describe('Stored and compared in NFKC and lower case.')

/** What may be written of a user. */
export const userFields = {
  email,
  name: textUpTo(100).describe('Display name.'),
  role: z
    .enum(roles)
    .register(typeNames, { name: 'UserRole' })
    .describe('The user’s role. Admins can read and change everything.'),
  tier: z
    .enum(tiers)
    .register(typeNames, { name: 'UserTier' })
    .describe('The tier, which sets the quota of the user’s keys.'),
  quotaLimit: integerBetween(0, Number.MAX_SAFE_INTEGER)
    .nullable()
    .describe('Requests per month and credential, for the tier enterprise. Null means no limit.'),
  status: z
    .enum(userStatuses)
    .register(typeNames, { name: 'UserStatus' })
    .describe('Every request of a suspended user is rejected.'),
}

/** What only we write. */
export const userFacts = {
  id: z.string().describe('User id: `usr_` and digits.'),
  createdAt: instant.describe('When the account was created.'),
  updatedAt: instant.describe('When the account was last changed.'),
}
