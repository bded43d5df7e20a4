import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { actingUser, requireMatch, requireUnchanged, readNetwork } from '@fairlead/core/feature'
import { type OperationRun, FairleadError } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import { checkLogin } from '../sessions/check-login.ts'
import { userEvents } from '../events.ts'
import { requireKeptNetwork } from '../sessions/session-networks.ts'
import { checkPassword, passwordHashCost } from '../sessions/passwords.ts'
import { type LoginAttempt, mayMailAddress, passLogin } from '../sessions/throttles.ts'
import {
  type UserRow,
  type UserRecord,
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
import { ofUsers } from './users.ts'
import { changedOwner, checkQuotaLimit } from '../owner.ts'
import { applyStatus } from '../projects/active-owners.ts'
import type { AccountTransaction, AccountView } from '../account-stores.ts'
import { write, type AccountServices } from '../services.ts'

const patch = z.strictObject({
  id: userFacts.id,
  email: userFields.email.optional(),
  emailVerified: userFields.emailVerified
    .optional()
    .describe(
      'Whether the email address is known to be the user’s. Set by admins; false if the address changes without it.',
    ),
  name: userFields.name.optional(),
  role: userFields.role.optional(),
  tier: userFields.tier.optional(),
  quotaLimit: userFields.quotaLimit.optional(),
  quotaScope: userFields.quotaScope.optional(),
  budgetUsd: userFields.budgetUsd.optional(),
  budgetPeriod: userFields.budgetPeriod.optional(),
  allowedNetworks: userFields.allowedNetworks.optional(),
  models: userFields.models.optional(),
  status: userFields.status.optional(),
  password: newPassword.optional().describe('New password. It ends the user’s other sessions.'),
  currentPassword: enteredPassword
    .optional()
    .describe(
      'Current password. Required of users who change their own email address or password, which needs a session. A user without a password can set the first one without it.',
    ),
})

const replacement = patch.extend({
  email: userFields.email,
  name: userFields.name,
  createdAt: userFacts.createdAt.optional(),
  updatedAt: userFacts.updatedAt.optional(),
  budget: z
    .looseObject({})
    .nullable()
    .optional()
    .describe('Ignored, because it is read-only, and each call changes it.'),
})

export type UserUpdate = z.output<typeof patch> & Pick<z.output<typeof replacement>, ReadOnly>

type ReadOnly = 'createdAt' | 'updatedAt' | 'budget'

/** A checked update. Fields that are undefined keep their value. */
export interface UpdatePlan {
  readonly fields: Omit<UserUpdate, keyof Secrets | ReadOnly>
  readonly readOnly: Pick<UserUpdate, 'createdAt' | 'updatedAt'>
  /** The hash of the new password; undefined if it does not change. */
  readonly newHash: string | undefined
  readonly proof: Proof | undefined
  /** Whether the service sends mail. */
  readonly sendsMail: boolean
}

export type Secrets = Pick<UserUpdate, 'password' | 'currentPassword'>

/** The current password was verified. */
export interface Proof {
  readonly attempt: LoginAttempt
  readonly hash: string
}

const update = {
  ...ofUsers,
  access: { scope: 'users', inProject: 'viewer' },
  cost: passwordHashCost,
  output: userRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'RATE_LIMIT_EXCEEDED'],
  async prepare(
    services: AccountServices,
    call: OperationRun,
    { password, currentPassword, createdAt, updatedAt, budget: _ignored, ...fields }: UserUpdate,
  ): Promise<UpdatePlan> {
    const user = visibleUser(call.caller, await services.stores.read((view) => view.users.find(fields.id)))
    const { email = user.email, name = user.name } = fields
    const { baseUrl } = services
    if (password !== undefined) checkPassword(password, { emails: [email, user.email], name, baseUrl })
    const proof = await proveLoginChange(services, call, user, email, { password, currentPassword })
    const newHash =
      password === undefined ? undefined : await services.passwords.hash(password, readNetwork(call.address))
    const sendsMail = services.mailAddress !== undefined
    return { fields, readOnly: { createdAt, updatedAt }, newHash, proof, sendsMail }
  },
  async apply(tx: AccountTransaction, call: OperationRun, plan: UpdatePlan): Promise<UserRecord> {
    const before = visibleUser(call.caller, await tx.users.take(plan.fields.id))
    requireMatch(call, before.version)
    requireUnchanged(toUserRecord(before), plan.readOnly)
    const emailVerified = isVerified(call, before, plan.fields)
    const after = changedOwner(
      before,
      { ...plan.fields, ...byAdmin(call, before, plan.fields), emailVerified },
      call.at,
    )
    checkRole(call, before, after)
    checkQuotaLimit(after)
    if (plan.fields.allowedNetworks && isOwn(call, after) && isSession(call)) requireKeptNetwork(after, call)
    if (isActiveAdmin(before) && !isActiveAdmin(after) && (await tx.users.otherAdmins(before.id)) === 0) {
      throw lastAdmin()
    }
    if (!(await tx.users.replace(after))) throw emailTaken()
    await applyLoginChange(tx, call, before, after, plan)
    await applyStatus(tx, call, before, after)
    if (plan.sendsMail && after.email !== before.email) await mailFormerAddress(tx, call, before)
    announceChange(call, before, after, plan.newHash !== undefined && { password: 'changed' })
    return shownUser(call, after)
  },
} as const

export const updateUser = write({
  ...update,
  name: 'updateUser',
  summary:
    'Replaces the writable fields of a user. Role, tier, quota limit and scope, budget, networks, models, status and password keep their value when left out.',
  rest: { method: 'PUT', path: '/users/{id}' },
  input: replacement,
})

export const patchUser = write({
  ...update,
  name: 'patchUser',
  summary: 'Updates fields of a user. Fields that are left out keep their value.',
  rest: { method: 'PATCH', path: '/users/{id}' },
  graphql: { mutation: 'updateUser' },
  input: patch,
})

/**
 * Emits the event of a change that was stored, adds it to the audit log, and makes it take effect at once.
 *
 * @param others changes that the record does not show. Default: none
 */
export function announceChange(
  call: OperationRun,
  before: UserRow,
  after: UserRow,
  others: object | false = false,
): void {
  const record = toUserRecord(after)
  call.emit(userEvents.updated, record, after.id)
  call.audit({ target: { type: 'user', id: after.id }, before: toUserRecord(before), after: { ...record, ...others } })
  call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ userId: after.id }))
}

/** A role that another user, an admin, sets holds in every session. */
function byAdmin(
  call: OperationRun,
  before: UserRow,
  { role }: UpdatePlan['fields'],
): Partial<Pick<UserRow, 'adminByIdentity'>> {
  return role === undefined || isOwn(call, before) ? {} : { adminByIdentity: false }
}

/** Whether the address is known to be the user's after a change. Throws `FORBIDDEN` if a member says so. */
function isVerified(
  { caller }: OperationRun,
  before: UserRow,
  { email = before.email, emailVerified }: UpdatePlan['fields'],
) {
  const isStill = email === before.email && before.emailVerified
  if (visibleUserId(caller) === undefined) return emailVerified ?? isStill
  // A member may send the record as it was.
  if (emailVerified !== undefined && emailVerified !== before.emailVerified) throw onlyByAdmin('emailVerified')
  return isStill
}

/**
 * Tells the owner of an address that it no longer belongs to the user. Without limit for a verified one, so that nobody
 * can use the limit up before; another one may belong to anybody.
 */
async function mailFormerAddress(tx: AccountTransaction, call: OperationRun, { id, email, emailVerified }: UserRow) {
  if (!emailVerified && !(await mayMailAddress(tx, id, call.at))) return
  const mail = { kind: 'changed', id: call.newId('msg'), email } as const
  call.afterCommit(({ mailAddress }: AccountServices) => void mailAddress?.(mail))
}

const adminFields = [
  'role',
  'tier',
  'quotaLimit',
  'quotaScope',
  'budgetUsd',
  'budgetPeriod',
  'allowedNetworks',
  'models',
  'status',
] as const

/** Throws `FORBIDDEN` if a member changes a field other than name, email address, and password. */
function checkRole({ caller }: OperationRun, before: UserRow, after: UserRow): void {
  if (visibleUserId(caller) === undefined) return
  const field = adminFields.find((name) => !isDeepStrictEqual(before[name], after[name]))
  if (field) throw onlyByAdmin(field)
}

function onlyByAdmin(field: string): FairleadError {
  const issue = 'can be changed only by an admin'
  return new FairleadError('FORBIDDEN', `${field} ${issue}`, { issues: [{ field, issue }] })
}

function isActiveAdmin({ role, status }: UserRow): boolean {
  return role === 'admin' && status === 'active'
}

/**
 * Checks that the caller may change the email address or password. Users who change their own need a session and, if
 * they have one, the current password, so that a leaked key or token cannot take over the account. Admins can change
 * the logins of other users with any credential.
 */
async function proveLoginChange(
  services: AccountServices,
  call: OperationRun,
  user: UserRow,
  newEmail: string,
  { password, currentPassword }: Secrets,
): Promise<Proof | undefined> {
  if (password === undefined && newEmail === user.email) {
    if (currentPassword === undefined) return undefined
    throw invalidRequest({
      field: 'currentPassword',
      issue: 'is only allowed when the email address or the password changes',
    })
  }
  if (!isOwn(call, user)) return undefined
  const field = password === undefined ? 'email' : 'password'
  if (call.caller.kind === 'account' && call.caller.credential.kind === 'key') {
    throw new FairleadError('FORBIDDEN', 'An API key cannot change the email address or the password of its user.', {
      issues: [{ field, issue: 'can be changed only in a session: log in first' }],
    })
  }
  if (currentPassword === undefined) {
    const hash = await services.stores.read((view) => view.users.passwordHash(user.id))
    // The first admin has none, and logs in with a link.
    if (hash === undefined && field === 'password') {
      await services.stores.read((view) => refuseFirstPassword(view, user))
      return undefined
    }
    throw invalidRequest({
      field: 'currentPassword',
      issue: `is required to change the ${field === 'email' ? 'email address' : 'password'}`,
    })
  }
  const attempt = { email: user.email, address: call.address, at: call.at }
  const known = await checkLogin(services, attempt, currentPassword, call)
  if (!known) throw invalidRequest({ field: 'currentPassword', issue: 'is wrong' })
  return { attempt, hash: known.hash }
}

/** Throws `FORBIDDEN` for a user with an identity: a password would outlast what the issuer allows. */
async function refuseFirstPassword({ identities }: Pick<AccountView, 'identities'>, { id }: UserRow): Promise<void> {
  if ((await identities.ofUser(id)).length === 0) return
  throw new FairleadError(
    'FORBIDDEN',
    'You sign in with an identity provider. Only an admin can give you a password.',
    {
      issues: [{ field: 'password', issue: 'can be set first only by another user, who is an admin' }],
    },
  )
}

/** Stores the change. A new password ends all other sessions of the user. */
async function applyLoginChange(
  tx: AccountTransaction,
  call: OperationRun,
  before: UserRow,
  after: UserRow,
  { newHash, proof }: UpdatePlan,
): Promise<void> {
  if (proof) {
    if ((await tx.users.passwordHash(before.id)) !== proof.hash) throw concurrentChange('password')
    await passLogin(tx, proof.attempt)
  } else if (isOwn(call, before)) {
    // Changed after `prepare`, which therefore did not require the password.
    if (newHash === undefined && before.email !== after.email) throw concurrentChange('email address')
    if (newHash !== undefined) {
      if ((await tx.users.passwordHash(before.id)) !== undefined) throw concurrentChange('password')
      await refuseFirstPassword(tx, before)
    }
  }
  if (newHash === undefined) return
  await tx.users.setPassword(before.id, newHash)
  const { caller } = call
  const own = caller.kind === 'account' ? caller.credential.id : undefined
  const sessions = await tx.sessions.ofUser(before.id)
  await tx.sessions.remove(sessions.map((session) => session.id).filter((session) => session !== own))
}

function isOwn({ caller }: OperationRun, { id }: UserRow): boolean {
  return caller.kind === 'account' && actingUser(caller) === id
}

function isSession({ caller }: OperationRun): boolean {
  return caller.kind === 'account' && caller.credential.kind === 'session'
}

function concurrentChange(field: string): FairleadError {
  return new FairleadError('CONFLICT', `Another request changed the ${field}. Fetch the user again and retry.`)
}
