import * as z from 'zod'
import { actingUser, deletion, instant, namedObject, toInstant } from '@fairlead/core/feature'
import { type Caller, FairleadError } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import { list, write } from '../services.ts'
import { countMemberSearch } from '../sessions/throttles.ts'
import type { AccountTransaction } from '../account-stores.ts'
import { enteredEmail, type UserRow } from '../users/user.ts'
import { requireOtherOwner } from './active-owners.ts'
import { changeRole, checkGrantedRole, refusePersonal, requireRole, takeProject } from './member.ts'
import { projectId, projectRole } from './project.ts'
import { isServiceAdmin, ofProjects } from './projects.ts'
import type { NamedMember } from './project-stores.ts'

const memberRecord = namedObject('ProjectMember', 'A member of a project.', {
  userId: z.string().describe('Id of the user.'),
  name: z.string().describe('Name of the user.'),
  email: z.string().describe('Email address of the user.'),
  role: projectRole.describe('Role in the project.'),
  createdAt: instant.describe('When the user became a member.'),
})

function toMemberRecord({ userId, name, email, role, createdAt }: NamedMember): z.output<typeof memberRecord> {
  return { userId, name, email, role, createdAt: toInstant(createdAt) }
}

export const listMembers = list({
  name: 'projectMembers',
  summary: 'Lists the members of a project.',
  ...ofProjects,
  rest: { method: 'GET', path: '/projects/{project_id}/members' },
  graphql: { query: 'projectMembers' },
  filters: { projectId },
  record: memberRecord,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find({ stores }, { caller }, filters, slice) {
    refusePersonal(caller, filters.projectId)
    return stores.read(async (view) => {
      await requireRole(view, caller, filters.projectId, 'viewer')
      return view.members.list(filters.projectId, slice)
    })
  },
  show: toMemberRecord,
})

/** So that the members of one project can be listed in few pages, and removed in one transaction. */
const maxMembers = 1_000

export const setMember = write({
  name: 'setProjectMember',
  summary: 'Adds a user to a project, or changes the role of a member.',
  ...ofProjects,
  rest: { method: 'POST', path: '/projects/{project_id}/members' },
  graphql: { mutation: 'setProjectMember' },
  input: z.strictObject({
    projectId,
    userId: z.string().max(64).optional().describe('Id of the user. Either this or `email` is required.'),
    email: enteredEmail.optional().describe('Verified email address of the user. Invite the others.'),
    role: projectRole.describe('Role in the project, at most the caller’s own.'),
  }),
  output: memberRecord,
  errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  async prepare({ stores }, { caller, at }, input) {
    if ((input.userId === undefined) === (input.email === undefined)) {
      throw invalidRequest({ field: 'userId', issue: 'or email is required, but not both' })
    }
    // Otherwise an owner of any project could find out which addresses have an account.
    if (input.email !== undefined && caller.kind === 'account' && !isServiceAdmin(caller)) {
      await stores.transact((tx) => countMemberSearch(tx, actingUser(caller), at))
    }
    return input
  },
  async apply(tx, call, { projectId: id, role, ...named }) {
    const { role: own } = await takeProject(tx, call.caller, id, 'admin')
    checkGrantedRole(own, role)
    const user = await findUser(tx, named)
    const before = await tx.members.find(id, user.id)
    if (before) {
      checkGrantedRole(own, before.role)
      if (before.role === 'owner' && role !== 'owner') await requireOtherOwner(tx, before)
    } else await checkCount(tx, id)
    const member = { projectId: id, userId: user.id, role, createdAt: before?.createdAt ?? call.at }
    await changeRole(tx, call, member, before, role)
    return toMemberRecord({ ...member, id: user.id, name: user.name, email: user.email })
  },
})

async function findUser(
  { users }: AccountTransaction,
  { userId, email }: { readonly userId?: string | undefined; readonly email?: string | undefined },
): Promise<UserRow> {
  const user = userId === undefined ? await users.findByEmail(email ?? '') : await users.find(userId)
  // Anyone can sign up with the address of another person, or change theirs to it.
  if (user && (userId !== undefined || user.emailVerified)) return user
  const what = userId === undefined ? 'No user has this verified email address.' : 'User not found.'
  throw new FairleadError('NOT_FOUND', `${what} Invite the person instead.`)
}

/** Throws `CONFLICT` if a project, whose lock the transaction has, has no room for one more member. */
export async function checkCount({ members }: AccountTransaction, id: string): Promise<void> {
  if ((await members.count(id)) < maxMembers) return
  throw new FairleadError('CONFLICT', `A project can have at most ${maxMembers.toLocaleString('en')} members.`)
}

export const removeMember = write({
  name: 'removeProjectMember',
  summary: 'Removes a member from a project. Members can remove themselves.',
  ...ofProjects,
  rest: { method: 'DELETE', path: '/projects/{project_id}/members' },
  graphql: { mutation: 'removeProjectMember' },
  input: z.strictObject({ projectId, userId: z.string().max(64).describe('Id of the user.') }),
  output: deletion,
  errors: ['NOT_FOUND', 'CONFLICT'],
  async apply(tx, call, { projectId: id, userId }) {
    const least = isSelf(call.caller, userId) ? 'viewer' : 'admin'
    const { role: own } = await takeProject(tx, call.caller, id, least)
    const member = await tx.members.find(id, userId)
    if (!member) throw new FairleadError('NOT_FOUND', 'Member not found.')
    if (least === 'admin') checkGrantedRole(own, member.role)
    if (member.role === 'owner') await requireOtherOwner(tx, member)
    await changeRole(tx, call, member, member, undefined)
    return { id: userId, deleted: true as const }
  },
})

function isSelf(caller: Caller, userId: string): boolean {
  return caller.kind === 'account' && actingUser(caller) === userId
}
