import * as z from 'zod'
import { actingUser, requireAccount, deletion, requireMatch, readNetwork } from '@fairlead/core/feature'
import type { Caller, OperationRun } from '@fairlead/core'
import { userEvents } from '../events.ts'
import { findUsers } from '../loaders.ts'
import { budgetStatuses } from '../usage/budget-status.ts'
import { checkPassword, passwordHashCost } from '../sessions/passwords.ts'
import {
  type UserRow,
  emailTaken,
  lastAdmin,
  newPassword,
  shownUser,
  newUser,
  toUserRecord,
  userFacts,
  userFields,
  userRecord,
  userWithBudget,
  visibleUser,
  visibleUserId,
} from './user.ts'
import { checkQuotaLimit } from '../owner.ts'
import { withDefaults } from './user-defaults.ts'
import { checkLeftProjects, leaveProjects, leftProjects } from '../projects/leave-projects.ts'
import type { AccountTransaction } from '../account-stores.ts'
import { list, read, write, type AccountServices } from '../services.ts'

export const ofUsers = { access: { scope: 'users' }, metered: true } as const

export const listUsers = list({
  name: 'users',
  summary: 'Lists users. Members see only themselves.',
  ...ofUsers,
  rest: { method: 'GET', path: '/users' },
  graphql: { query: 'users' },
  filters: {
    email: userFields.email.optional().describe('Only the user with this email address.'),
    role: userFields.role.optional().describe('Only users with this role.'),
    tier: userFields.tier.optional().describe('Only users of this tier.'),
  },
  record: userRecord,
  find: ({ stores }, { caller }, filters, slice) =>
    stores.read((view) => view.users.list({ ...filters, id: visibleUserId(caller) }, slice)),
  show: toUserRecord,
})

export const createUser = write({
  name: 'createUser',
  summary:
    'Creates a user, who can log in immediately. Without a budget or models, the user gets the defaults of the service.',
  ...ofUsers,
  access: { scope: 'users', role: 'admin' },
  cost: passwordHashCost,
  rest: { method: 'POST', path: '/users' },
  graphql: { mutation: 'createUser' },
  input: z.strictObject({
    email: userFields.email,
    emailVerified: userFields.emailVerified
      .default(true)
      .describe('Whether the email address is known to be the user’s. Default: true, because an admin names it.'),
    name: userFields.name,
    password: newPassword,
    role: userFields.role.default('member'),
    tier: userFields.tier.default('free'),
    quotaLimit: userFields.quotaLimit.default(null),
    quotaScope: userFields.quotaScope.default('key'),
    budgetUsd: userFields.budgetUsd.default(null),
    budgetPeriod: userFields.budgetPeriod.default(null),
    allowedNetworks: userFields.allowedNetworks.default(null),
    models: userFields.models.default(null),
    status: userFields.status.default('active'),
  }),
  output: userRecord,
  creates: true,
  versioned: true,
  errors: ['CONFLICT'],
  async prepare({ passwords, userDefaults, baseUrl }, call, { password, ...sent }) {
    const fields = { ...sent, ...withDefaults(sent, userDefaults) }
    checkQuotaLimit(fields)
    checkPassword(password, { emails: [fields.email], name: fields.name, baseUrl })
    return { fields, hash: await passwords.hash(password, readNetwork(call.address)) }
  },
  async apply(tx, call, { fields, hash }) {
    return shownUser(call, await addUser(tx, call, fields, hash))
  },
})

/** Stores a new user, by default without a password. Throws `CONFLICT` if another user has the email address. */
export async function addUser(
  tx: AccountTransaction,
  call: OperationRun,
  fields: Omit<Parameters<typeof newUser>[0], 'id'>,
  passwordHash?: string,
): Promise<UserRow> {
  const user = newUser({ ...fields, id: call.newId('usr') }, call.at)
  if (!(await tx.users.add(user))) throw emailTaken()
  if (passwordHash !== undefined) await tx.users.setPassword(user.id, passwordHash)
  call.emit(userEvents.created, toUserRecord(user), user.id)
  call.audit({ target: { type: 'user', id: user.id }, after: toUserRecord(user) })
  return user
}

export const getUser = read({
  name: 'user',
  summary: 'Returns a user and what is left of their budget. Members can only get themselves.',
  ...ofUsers,
  rest: { method: 'GET', path: '/users/{id}' },
  graphql: { query: 'user', node: { prefix: 'usr', loader: findUsers } },
  input: z.strictObject({ id: userFacts.id.describe('User id, or `me` for the caller.') }),
  output: userWithBudget,
  versioned: true,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  async prepare({ stores }, call, { id }) {
    const named = id === 'me' ? actingUser(requireAccount(call.caller)) : id
    const user = visibleUser(call.caller, await stores.read((view) => view.users.find(named)))
    requireMatch(call, user.version)
    return user
  },
  async run({ stores }, call, user) {
    const [budget = null] = await stores.read((view) => budgetStatuses(view.spend, { owners: [user] }, call.at))
    return { ...shownUser(call, asSeenBy(call.caller, user)), budget }
  },
})

/** The user with the role that the credential has, if the user asks. */
function asSeenBy(caller: Caller, user: UserRow): UserRow {
  const isOwn = caller.kind === 'account' && caller.userId === user.id
  return isOwn && user.adminByIdentity ? { ...user, role: caller.role } : user
}

export const deleteUser = write({
  name: 'deleteUser',
  summary:
    'Deletes a user with their sessions, API keys, webhooks, images and shipments. Projects without another active owner are transferred or removed.',
  ...ofUsers,
  access: { scope: 'users', role: 'admin' },
  rest: { method: 'DELETE', path: '/users/{id}' },
  graphql: { mutation: 'deleteUser' },
  input: z.strictObject({ id: userFacts.id, ...leftProjects }),
  output: deletion,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  prepare({ removeUserData }, _call, { id, ...projects }) {
    checkLeftProjects(projects)
    return { id, projects, removeUserData }
  },
  async apply(tx, call, { id, projects, removeUserData }) {
    const user = visibleUser(call.caller, await tx.users.take(id))
    requireMatch(call, user.version)
    if (user.role === 'admin' && (await tx.users.otherAdmins(id)) === 0) throw lastAdmin()
    await leaveProjects(tx, call, id, projects, removeUserData)
    await removeUserData(tx, call, id)
    await tx.users.remove(id)
    call.audit({ target: { type: 'user', id }, before: toUserRecord(user) })
    call.emit(userEvents.deleted, toUserRecord({ ...user, version: user.version + 1 }))
    call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ userId: id }))
    return { id, deleted: true as const }
  },
})
