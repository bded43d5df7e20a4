import { z } from 'zod'
import type { Call } from '../../runtime/call.ts'
import { passwordHashCost } from '../../ports/password-hasher.ts'
import { defineOperation } from '../../runtime/define-operation.ts'
import { FairleadError } from '../../values/fairlead-error.ts'
import type { User } from '../../values/user.ts'
import { requireMatch } from '../require-match.ts'
import { requireUnchanged } from '../require-unchanged.ts'
import { keepLoginChange, prepareLoginChange } from './change-login.ts'
import {
  checkQuotaLimit,
  emailTaken,
  lastAdmin,
  shownUser,
  toUserRecord,
  userEventData,
  userRecord,
  visibleUser,
  visibleUserId,
} from './user-record.ts'
import { newPassword, password, userFacts, userFields } from './user-schemas.ts'
import type { AccountServices } from '../../accounts/account-services.ts'

export const updateUser = defineOperation({
  name: 'updateUser',
  summary:
    'Replaces the writable fields of a user. Role, tier, quota limit, status and password keep their value when left out.',
  kind: 'write',
  access: { scope: 'users' },
  metered: true,
  cost: passwordHashCost,
  rest: { method: 'PUT', path: '/users/{id}' },
  graphql: { mutation: 'updateUser' },
  input: z.strictObject({
    id: userFacts.id,
    email: userFields.email,
    name: userFields.name,
    role: userFields.role.optional(),
    tier: userFields.tier.optional(),
    quotaLimit: userFields.quotaLimit.optional(),
    status: userFields.status.optional(),
    password: newPassword.optional().describe('New password. It ends the user’s other sessions.'),
    currentPassword: password
      .optional()
      .describe(
        'Current password. Required of users who change their own email address or password, which needs a session.',
      ),
    createdAt: userFacts.createdAt.optional(),
    updatedAt: userFacts.updatedAt.optional(),
  }),
  output: userRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED', 'RATE_LIMIT_EXCEEDED'],
  async prepare(
    services: AccountServices,
    call,
    { password: wanted, currentPassword, createdAt, updatedAt, ...fields },
  ) {
    const user = visibleUser(call.caller, await services.stores.read((view) => view.users.find(fields.id)))
    const { email } = fields
    const change = await prepareLoginChange(services, call, user, { email, password: wanted, currentPassword })
    return { fields, facts: { createdAt, updatedAt }, change }
  },
  async apply(tx, call, { fields, facts, change }) {
    const before = visibleUser(call.caller, await tx.users.take(fields.id))
    requireMatch(call, before.version)
    requireUnchanged(toUserRecord(before), facts)
    const after = changed(before, fields, call.at)
    checkRole(call, before, after)
    checkQuotaLimit(after)
    if (isActingAdmin(before) && !isActingAdmin(after) && (await tx.users.otherAdmins(before.id)) === 0) {
      throw lastAdmin()
    }
    if (!(await tx.users.replace(after))) throw emailTaken()
    await keepLoginChange(tx, call, { before, after }, change)
    call.emit('user.updated', userEventData(after), after.id)
    call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ userId: after.id }))
    return shownUser(call, after)
  },
})

type Fields = Pick<User, 'id' | 'email' | 'name'> & {
  readonly [Field in 'role' | 'tier' | 'quotaLimit' | 'status']?: User[Field] | undefined
}

function changed(before: User, { role, tier, quotaLimit, status, ...fields }: Fields, at: number): User {
  const after = { ...before, ...fields, updatedAt: at, version: before.version + 1 }
  const newTier = tier ?? before.tier
  return {
    ...after,
    role: role ?? before.role,
    status: status ?? before.status,
    tier: newTier,
    // A limit goes with the tier that it was agreed for.
    quotaLimit: quotaLimit === undefined ? (newTier === 'enterprise' ? before.quotaLimit : null) : quotaLimit,
  }
}

/** Members write their name, e-mail address and password; the rest they may send back as it is. */
function checkRole({ caller }: Call, before: User, after: User): void {
  if (visibleUserId(caller) === undefined) return
  const field = (['role', 'tier', 'quotaLimit', 'status'] as const).find((name) => before[name] !== after[name])
  if (!field) return
  const issue = 'can be changed by admins alone'
  throw new FairleadError('FORBIDDEN', `${field} ${issue}`, { issues: [{ field, issue }] })
}

function isActingAdmin({ role, status }: User): boolean {
  return role === 'admin' && status === 'active'
}
