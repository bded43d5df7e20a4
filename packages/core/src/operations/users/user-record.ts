import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import type { Call } from '../../runtime/call.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import { invalidRequest } from '../../values/invalid-request.ts'
import type { User } from '../../values/user.ts'
import { userFacts, userFields } from './user-schemas.ts'

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

export function toUserRecord({ version: _version, createdAt, updatedAt, ...facts }: User): z.output<typeof userRecord> {
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
