import * as z from 'zod'
import { type Caller, type OperationRun, FairleadError } from '@fairlead/core'
import type { Role, Tier } from '@fairlead/core/stores'
import {
  instant,
  integerBetween,
  textUpTo,
  toInstant,
  namedObject,
  namedEnum,
  actingUser,
} from '@fairlead/core/feature'
import {
  maxPasswordLength,
  maxRawPasswordLength,
  minPasswordLength,
  normalizePassword,
  passwordIssue,
} from '../sessions/passwords.ts'
import { maxRawEmailLength, normalizeEmail } from './email.ts'
import { shownBudget } from '../usage/budget-status.ts'
import { budgetFields, noBudget } from '../budget-fields.ts'
import { networkList } from '../network-list.ts'
import { modelList } from '../model-list.ts'
import type { Owner, OwnerStatus } from '../owner.ts'

export type UserStatus = OwnerStatus

/** Whether each key of a user has a separate monthly quota, or all keys and sessions share one. */
export type QuotaScope = 'key' | 'user'

export interface UserRow extends Owner {
  readonly email: string
  /** Whether the address is known to be the user’s. */
  readonly emailVerified: boolean
  readonly quotaScope: QuotaScope
  /** Whether an identity gives the role `admin`, which then holds only in sessions that began with the identity. */
  readonly adminByIdentity: boolean
  /** The networks from which the user’s sessions may be used: IP addresses and CIDRs. Null means all. */
  readonly allowedNetworks: readonly string[] | null
  /** Patterns of the models that the user may call, with any credential; null means all. */
  readonly models: readonly string[] | null
}

/** A password to verify. The password rules do not apply to it. */
export const enteredPassword = z
  .string()
  .max(maxRawPasswordLength, { error: 'is too long', abort: true })
  .overwrite((text) => normalizePassword(text) ?? text)
  .describe('Password, compared in NFKC.')

/** A password to set. The password rules apply to it. */
export const newPassword = enteredPassword
  .superRefine((text, context) => {
    const message = passwordIssue(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({ minLength: minPasswordLength, maxLength: maxPasswordLength })
  .describe(
    'Password of 12 to 128 characters; not blank, not one of the most common passwords, and not derived from the email address or the name of the user, the company or the service.',
  )

/** An email address to look up. Its format is not checked. */
export const enteredEmail = z
  .string()
  .max(maxRawEmailLength, { error: 'must have at most 254 characters', abort: true })
  .overwrite(normalizeEmail)

const email = enteredEmail
  .max(254, { abort: true })
  .regex(/^[^\s@"]{1,64}@[^\s@"]+$/u, { error: 'must be an email address' })
  // `normalizeEmail` removes white space around it.
  .meta({ maxLength: maxRawEmailLength, pattern: '^\\s*(?=\\S{3,254}\\s*$)[^\\s@"]{1,64}@[^\\s@"]+\\s*$' })
  .describe('Email address, stored and compared in NFKC and lower case.')

/** The writable fields. */
export const userFields = {
  email,
  emailVerified: z.boolean().describe('Whether the email address is known to be the user’s. A changed address is not.'),
  name: textUpTo(100).describe('Display name.'),
  role: namedEnum<Role>('UserRole', 'Role of a user.', {
    admin: 'Reads and changes everything.',
    member: 'Reads and changes their own records.',
  }).describe('The user’s role. Admins can read and change everything.'),
  tier: namedEnum<Tier>('UserTier', 'Tier of a user or a project, which sets the quota.', {
    free: 'Free.',
    pro: 'Pro.',
    enterprise: 'Enterprise, with an optional quota of its own.',
  }).describe('The tier, which sets the quota of the user’s keys.'),
  quotaLimit: integerBetween(0, Number.MAX_SAFE_INTEGER)
    .nullable()
    .describe('Requests per month and credential, for the tier enterprise. Null means no limit.'),
  quotaScope: namedEnum<QuotaScope>('QuotaScope', 'The credentials that share a monthly quota.', {
    key: 'Each API key has a quota, and all sessions together.',
    user: 'All API keys and sessions share one quota.',
  }).describe('Whether each API key of the user has a monthly quota, or all of them share one.'),
  ...budgetFields,
  allowedNetworks: networkList
    .nullable()
    .describe(
      'Networks from which the user’s sessions may be used: IP addresses and CIDRs. Null means all. API keys have their own networks.',
    ),
  models: modelList
    .nullable()
    .describe(
      'Models that the user may call: ids of models, routes and aliases, in which `*` stands for any text. Null means all.',
    ),
  status: namedEnum<UserStatus>('UserStatus', 'Status of a user or a project.', {
    active: 'Requests are accepted.',
    suspended: 'Every request is rejected.',
  }).describe(
    'Every request of a suspended user is rejected, and every request for a project without another active owner.',
  ),
}

/** The read-only fields. */
export const userFacts = {
  id: z.string().describe('User id: `usr_` and digits.'),
  createdAt: instant.describe('When the account was created.'),
  updatedAt: instant.describe('When the account was last changed.'),
}

export const userRecord = namedObject('User', 'A user account.', {
  id: userFacts.id,
  email: z.string().describe('Email address, in lower case.'),
  emailVerified: userFields.emailVerified,
  name: z.string().describe('Display name.'),
  role: userFields.role,
  tier: userFields.tier,
  quotaLimit: z
    .int()
    .nullable()
    .describe('Requests per month and credential, for the tier enterprise. Null means no limit.'),
  quotaScope: userFields.quotaScope,
  ...budgetFields,
  allowedNetworks: z
    .array(z.string())
    .nullable()
    .describe(userFields.allowedNetworks.description ?? ''),
  models: z
    .array(z.string())
    .nullable()
    .describe(userFields.models.description ?? ''),
  status: userFields.status,
  createdAt: userFacts.createdAt,
  updatedAt: userFacts.updatedAt,
})

export const userWithBudget = userRecord
  .extend({ budget: shownBudget })
  .meta({ id: 'UserWithBudget', description: 'A user account, and what is left of its budget.' })

/** A new user: by default an active member on the free tier. */
export function newUser(facts: Pick<UserRow, 'id' | 'email' | 'name'> & Partial<UserRow>, at: number): UserRow {
  return {
    emailVerified: false,
    role: 'member',
    tier: 'free',
    quotaLimit: null,
    quotaScope: 'key',
    ...noBudget,
    allowedNetworks: null,
    status: 'active',
    adminByIdentity: false,
    models: null,
    ...facts,
    createdAt: at,
    updatedAt: at,
    version: 1,
  }
}

export type UserRecord = z.output<typeof userRecord> & Pick<UserRow, 'version'>

/** The record of a user, with the version that only events show. */
export function toUserRecord({ adminByIdentity: _internal, ...user }: UserRow): UserRecord {
  return {
    ...user,
    allowedNetworks: user.allowedNetworks && [...user.allowedNetworks],
    models: user.models && [...user.models],
    createdAt: toInstant(user.createdAt),
    updatedAt: toInstant(user.updatedAt),
  }
}

/** Returns the record of a user and sets the version of the response. */
export function shownUser(call: OperationRun, user: UserRow): UserRecord {
  call.version(user.version)
  return toUserRecord(user)
}

export function isUser(owner: Owner): owner is UserRow {
  return 'adminByIdentity' in owner
}

/** The user with the role that a credential has. A role that an identity gives holds only in sessions that began with it. */
export function actingAs(user: UserRow, session?: { readonly confirmedAt: number | null }): UserRow {
  const isConfirmed = session !== undefined && session.confirmedAt !== null
  return user.adminByIdentity && !isConfirmed ? { ...user, role: 'member' } : user
}

/** The only user whose account the caller may see; undefined for all users. */
export function visibleUserId(caller: Caller): string | undefined {
  return caller.kind === 'account' && caller.role !== 'admin' ? actingUser(caller) : undefined
}

/** Returns the user. Throws `NOT_FOUND` if it does not exist or the caller may not see it. */
export function visibleUser(caller: Caller, user: UserRow | undefined): UserRow {
  if (!user || user.id !== (visibleUserId(caller) ?? user.id)) throw new FairleadError('NOT_FOUND', 'User not found.')
  return user
}

/** Throws `FORBIDDEN` if the user is suspended. */
export function requireActive({ status }: UserRow): void {
  if (status === 'suspended') throw new FairleadError('FORBIDDEN', 'This account is suspended.')
}

export function emailTaken(): FairleadError {
  return new FairleadError('CONFLICT', 'A user with this email address already exists.', {
    issues: [{ field: 'email', issue: 'is taken by another user' }],
  })
}

/** The error for removing the last active admin, who would be needed to manage users. */
export function lastAdmin(): FairleadError {
  return new FairleadError('CONFLICT', 'This is the last active admin. Make another user an admin first.')
}
