import { z } from 'zod'
import { type Caller, type Role, type Tier, roles, tiers } from '../runtime/access.ts'
import type { Call } from '../runtime/call.ts'
import { FairleadError, invalidRequest } from '../runtime/errors.ts'
import { instant, integerBetween, textUpTo } from '../runtime/field-schemas.ts'
import { typeNames } from '../runtime/operation.ts'
import {
  maxPasswordLength,
  maxRawPasswordLength,
  minPasswordLength,
  normalizePassword,
  passwordIssue,
} from './passwords.ts'
import { maxRawEmailLength, normalizeEmail } from './email.ts'

export const userStatuses = ['active', 'suspended'] as const
export type UserStatus = (typeof userStatuses)[number]

export interface User {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly tier: Tier
  /** Requests a month for the enterprise tier; null is without limit. Other tiers have their own. */
  readonly quotaLimit: number | null
  readonly status: UserStatus
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Counts the changes, from 1. */
  readonly version: number
}

/** A password as somebody types it to get in: whatever it is, it is compared. */
export const typedPassword = z
  .string()
  .max(maxRawPasswordLength, { error: 'is too long', abort: true })
  .overwrite((text) => normalizePassword(text) ?? text)
  .describe('Compared in NFKC.')

/** A password to be. */
export const newPassword = typedPassword
  .superRefine((text, context) => {
    const message = passwordIssue(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({ minLength: minPasswordLength, maxLength: maxPasswordLength })
  .describe('12 to 128 characters; not blank, not the e-mail address, not one of the most common passwords.')

/** An e-mail address as somebody types it to get in: whatever it is, it is compared. */
export const typedEmail = z
  .string()
  .max(maxRawEmailLength, { error: 'must have at most 254 characters', abort: true })
  .overwrite(normalizeEmail)

const email = typedEmail
  .max(254, { abort: true })
  .regex(/^[^\s@"]{1,64}@[^\s@"]+$/u, { error: 'must be an e-mail address' })
  // White space around it is removed before it is checked.
  .meta({ maxLength: maxRawEmailLength, pattern: '^\\s*(?=\\S{3,254}\\s*$)[^\\s@"]{1,64}@[^\\s@"]+\\s*$' })
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

/** A user as callers see it. */
export const userRecord = z
  .object({
    id: userFacts.id,
    email: z.string().describe('Email address, in lower case.'),
    name: z.string().describe('Display name.'),
    role: userFields.role,
    tier: userFields.tier,
    quotaLimit: z
      .int()
      .nullable()
      .describe('Requests per month and credential, for the tier enterprise. Null means no limit.'),
    status: userFields.status,
    createdAt: userFacts.createdAt,
    updatedAt: userFacts.updatedAt,
  })
  .meta({ id: 'User', description: 'A user account.' })

export type UserRecord = z.output<typeof userRecord>

export function toUserRecord({ version: _version, createdAt, updatedAt, ...facts }: User): UserRecord {
  return { ...facts, createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() }
}

/** Answers with a user at its version. */
export function shownUser(call: Call, user: User): z.output<typeof userRecord> {
  call.version(user.version)
  return toUserRecord(user)
}

/** The only user that a caller sees; undefined for all. */
export function visibleUserId(caller: Caller): string | undefined {
  return caller.kind === 'account' && caller.role !== 'admin' ? caller.userId : undefined
}

/** The user, or `NOT_FOUND` where there is none that the caller may know of. */
export function visibleUser(caller: Caller, user: User | undefined): User {
  const only = visibleUserId(caller)
  if (!user || (only !== undefined && only !== user.id)) throw new FairleadError('NOT_FOUND', 'User not found.')
  return user
}

export function emailTaken(): FairleadError {
  return new FairleadError('CONFLICT', 'There is a user with this e-mail address already.', {
    issues: [{ field: 'email', issue: 'is taken by another user' }],
  })
}

/** The house must not be left without somebody who can let others in. */
export function lastAdmin(): FairleadError {
  return new FairleadError('CONFLICT', 'This is the last admin: make another one first.')
}

/** Only the enterprise tier has a limit of its own. */
export function checkQuotaLimit({ tier, quotaLimit }: Pick<User, 'tier' | 'quotaLimit'>): void {
  if (tier === 'enterprise' || quotaLimit === null) return
  throw invalidRequest({ field: 'quotaLimit', issue: 'is only for the tier "enterprise": leave it out' })
}

/** What an event tells of a user; hooks that want more ask for it. */
export function userEventData({ id, role, status }: User) {
  return { id, role, status }
}

/** Metered operations a month and API key; enterprise has what was agreed with each user. */
const tierLimits = { free: 1_000, pro: 10_000 } as const satisfies Partial<Record<Tier, number>>

/** What each of a user's credentials may use in a month; null is without limit. */
export function monthlyLimit(user: User): number | null {
  return user.tier === 'enterprise' ? user.quotaLimit : tierLimits[user.tier]
}
