import { z } from 'zod'
import type { Call } from '../runtime/call.ts'
import { FairleadError, invalidRequest } from '../runtime/errors.ts'
import { defineOperation } from '../runtime/operation.ts'
import { requireMatch, requireUnchanged } from '../runtime/versions.ts'
import { networkOf } from './network-of.ts'
import { checkLogin } from './check-login.ts'
import { toUserSnapshot, userEvents } from './events.ts'
import { checkPassword, passwordHashCost } from './passwords.ts'
import { type LoginAttempt, passLogin } from './throttles.ts'
import {
  type User,
  checkQuotaLimit,
  emailTaken,
  lastAdmin,
  newPassword,
  enteredPassword,
  shownUser,
  toUserRecord,
  userFacts,
  userFields,
  userRecord,
  visibleUser,
  visibleUserId,
} from './user.ts'
import type { AccountTransaction } from './stores.ts'
import type { AccountServices } from './services.ts'

const writable = {
  id: userFacts.id,
  email: userFields.email,
  name: userFields.name,
  role: userFields.role.optional(),
  tier: userFields.tier.optional(),
  quotaLimit: userFields.quotaLimit.optional(),
  status: userFields.status.optional(),
  password: newPassword.optional().describe('New password. It ends the user’s other sessions.'),
  currentPassword: enteredPassword
    .optional()
    .describe(
      'Current password. Required of users who change their own email address or password, which needs a session. A user without a password can set the first one without it.',
    ),
}

export const updateUser = defineOperation({
  name: 'updateUser',
  summary:
    'Replaces the writable fields of a user. Role, tier, quota limit, status and password keep their value when left out.',
  kind: 'write',
  access: { scope: 'users' },
  metered: true,
  cost: passwordHashCost,
  rest: { method: 'PUT', path: '/users/{id}' },
  input: z.strictObject({
    ...writable,
    createdAt: userFacts.createdAt.optional(),
    updatedAt: userFacts.updatedAt.optional(),
  }),
  output: userRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'RATE_LIMIT_EXCEEDED'],
  prepare: prepareUpdate,
  apply: applyUpdate,
})

export const patchUser = defineOperation({
  name: 'patchUser',
  summary: 'Updates fields of a user. Fields that are left out keep their value.',
  kind: 'write',
  access: { scope: 'users' },
  metered: true,
  cost: passwordHashCost,
  rest: { method: 'PATCH', path: '/users/{id}' },
  graphql: { mutation: 'updateUser' },
  input: z.strictObject({ ...writable, email: writable.email.optional(), name: writable.name.optional() }),
  output: userRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'RATE_LIMIT_EXCEEDED'],
  prepare: prepareUpdate,
  apply: applyUpdate,
})

/** The fields of an update. Those that are undefined keep their value. */
export type UserUpdate = Pick<User, 'id'> & {
  readonly [Field in 'email' | 'name' | 'role' | 'tier' | 'quotaLimit' | 'status']?: User[Field] | undefined
}

type UserInput = UserUpdate & { readonly [Field in 'password' | 'currentPassword']?: string | undefined } & ReadOnly

export type ReadOnly = { readonly [Field in 'createdAt' | 'updatedAt']?: string | undefined }

export interface UpdatePlan {
  readonly fields: UserUpdate
  readonly readOnly: ReadOnly
  readonly change: LoginChange
}

async function prepareUpdate(
  services: AccountServices,
  call: Call,
  { password, currentPassword, createdAt, updatedAt, ...fields }: UserInput,
): Promise<UpdatePlan> {
  const user = visibleUser(call.caller, await services.stores.read((view) => view.users.find(fields.id)))
  const { email = user.email } = fields
  const change = await prepareLoginChange(services, call, user, { email, password, currentPassword })
  return { fields, readOnly: { createdAt, updatedAt }, change }
}

async function applyUpdate(
  tx: AccountTransaction,
  call: Call,
  { fields, readOnly, change }: UpdatePlan,
): Promise<z.output<typeof userRecord>> {
  const before = visibleUser(call.caller, await tx.users.take(fields.id))
  requireMatch(call, before.version)
  requireUnchanged(toUserRecord(before), readOnly)
  const after = changed(before, fields, call.at)
  checkRole(call, before, after)
  checkQuotaLimit(after)
  if (isActiveAdmin(before) && !isActiveAdmin(after) && (await tx.users.otherAdmins(before.id)) === 0) {
    throw lastAdmin()
  }
  if (!(await tx.users.replace(after))) throw emailTaken()
  await applyLoginChange(tx, call, { before, after }, change)
  call.emit(userEvents.updated, toUserSnapshot(after), after.id)
  call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ userId: after.id }))
  return shownUser(call, after)
}

function changed(before: User, { email, name, role, tier, quotaLimit, status }: UserUpdate, at: number): User {
  const newTier = tier ?? before.tier
  return {
    ...before,
    updatedAt: at,
    version: before.version + 1,
    email: email ?? before.email,
    name: name ?? before.name,
    role: role ?? before.role,
    status: status ?? before.status,
    tier: newTier,
    // Only the enterprise tier has its own limit.
    quotaLimit: quotaLimit === undefined ? (newTier === 'enterprise' ? before.quotaLimit : null) : quotaLimit,
  }
}

/** Throws `FORBIDDEN` if a member changes a field other than name, email address, and password. */
function checkRole({ caller }: Call, before: User, after: User): void {
  if (visibleUserId(caller) === undefined) return
  const field = (['role', 'tier', 'quotaLimit', 'status'] as const).find((name) => before[name] !== after[name])
  if (!field) return
  const issue = 'can be changed only by an admin'
  throw new FairleadError('FORBIDDEN', `${field} ${issue}`, { issues: [{ field, issue }] })
}

function isActiveAdmin({ role, status }: User): boolean {
  return role === 'admin' && status === 'active'
}

/** The input fields that change how a user logs in. */
export interface LoginUpdate {
  readonly email: string
  readonly password: string | undefined
  readonly currentPassword: string | undefined
}

/** A checked change of how a user logs in. */
export interface LoginChange {
  /** The hash of the new password; undefined if it does not change. */
  readonly newHash: string | undefined
  /** Set if the current password was verified. */
  readonly proof: { readonly attempt: LoginAttempt; readonly hash: string } | undefined
}

/**
 * Checks that the caller may change the email address or password, and hashes the new password. Users who change their
 * own need a session and, if they have one, the current password, so that a leaked key or token cannot take over the
 * account. Admins can change those of other users with any credential.
 */
async function prepareLoginChange(
  services: AccountServices,
  call: Call,
  user: User,
  { email, password, currentPassword }: LoginUpdate,
): Promise<LoginChange> {
  if (password !== undefined) checkPassword(password, [email, user.email])
  const field = password === undefined ? 'email' : 'password'
  const isChange = password !== undefined || email !== user.email
  if (!isChange && currentPassword !== undefined) {
    throw invalidRequest({
      field: 'currentPassword',
      issue: 'is only allowed when the email address or the password changes',
    })
  }
  const proof =
    isChange && isOwn(call, user) ? await verifyOwner(services, call, user, { field, currentPassword }) : undefined
  const newHash = password === undefined ? undefined : await services.passwords.hash(password, networkOf(call.address))
  return { newHash, proof }
}

async function verifyOwner(
  services: AccountServices,
  call: Call,
  { id, email }: User,
  { field, currentPassword }: { readonly field: string; readonly currentPassword: string | undefined },
): Promise<LoginChange['proof']> {
  if (call.caller.kind === 'account' && call.caller.credential.kind === 'key') {
    throw new FairleadError('FORBIDDEN', 'An API key cannot change the email address or the password of its user.', {
      issues: [{ field, issue: 'can be changed only in a session: log in first' }],
    })
  }
  if (currentPassword === undefined) {
    const hash = await services.stores.read((view) => view.users.passwordHash(id))
    // The first admin has none, and logs in with a link.
    if (hash === undefined && field === 'password') return undefined
    throw invalidRequest({
      field: 'currentPassword',
      issue: `is required to change the ${field === 'email' ? 'email address' : 'password'}`,
    })
  }
  const attempt = { email, address: call.address, at: call.at }
  const known = await checkLogin(services, attempt, currentPassword, call.signal)
  if (!known) throw invalidRequest({ field: 'currentPassword', issue: 'is wrong' })
  return { attempt, hash: known.hash }
}

/** Stores the change. A new password ends all other sessions of the user. */
async function applyLoginChange(
  tx: AccountTransaction,
  call: Call,
  { before, after }: { readonly before: User; readonly after: User },
  { newHash, proof }: LoginChange,
): Promise<void> {
  if (proof) {
    if ((await tx.users.passwordHash(before.id)) !== proof.hash) throw concurrentChange('password')
    await passLogin(tx, proof.attempt)
  } else if (isOwn(call, before)) {
    // Changed after `prepare`, which therefore did not require the password.
    if (newHash === undefined && before.email !== after.email) throw concurrentChange('email address')
    if (newHash !== undefined && (await tx.users.passwordHash(before.id)) !== undefined) {
      throw concurrentChange('password')
    }
  }
  if (newHash === undefined) return
  await tx.users.setPassword(before.id, newHash)
  const { caller } = call
  const own = caller.kind === 'account' ? caller.credential.id : undefined
  const sessions = await tx.sessions.ofUser(before.id)
  await tx.sessions.remove(sessions.map((session) => session.id).filter((session) => session !== own))
}

function isOwn({ caller }: Call, { id }: User): boolean {
  return caller.kind === 'account' && caller.userId === id
}

function concurrentChange(field: string): FairleadError {
  return new FairleadError('CONFLICT', `Another request changed the ${field}. Fetch the user again and retry.`)
}
