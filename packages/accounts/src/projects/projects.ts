import * as z from 'zod'
import { actingUser, authorize, requireAccount, deletion, requireMatch } from '@fairlead/core/feature'
import { type Caller, FairleadError, type OperationRun } from '@fairlead/core'
import type { Tier, Slice } from '@fairlead/core/stores'
import { invalidRequest } from '@fairlead/core/adapter'
import { findProjects } from '../loaders.ts'
import { changedOwner, checkQuotaLimit, presentOwner } from '../owner.ts'
import { type AccountServices, list, read, write } from '../services.ts'
import { bucketName } from '../sessions/throttles.ts'
import type { AccountTransaction, AccountView } from '../account-stores.ts'
import { type UserRow, visibleUserId } from '../users/user.ts'
import { forgetProject } from './active-owners.ts'
import { isPersonal, requireRole, takeProject } from './member.ts'
import {
  toProjectLimits,
  newProject,
  personalProject,
  personalProjectId,
  type ProjectRow,
  projectFields,
  projectId,
  projectNotFound,
  projectRecord,
  type ProjectRecord,
  toAuditedProject,
  toProjectRecord,
} from './project.ts'

/** The role is that in the project which the operation names, not in the one that the request acts for. */
export const ofProjects = { access: { scope: 'projects', inProject: 'viewer' }, metered: false } as const

export const listProjects = list({
  name: 'projects',
  summary:
    'Lists the projects of the caller, the personal one first. Admins can list all projects, and those of another user.',
  ...ofProjects,
  rest: { method: 'GET', path: '/projects' },
  // The personal project is the first one in any order.
  graphql: { query: 'projects', backwards: false },
  filters: {
    allUsers: z.boolean().optional().describe('Whether to list all projects but personal ones. For admins.'),
    userId: z
      .string()
      .max(64)
      .optional()
      .describe('Only projects of which this user is a member, without the personal one. Default: the caller.'),
    soleOwner: z
      .boolean()
      .optional()
      .describe(
        'Whether to list only projects whose only active owner the user is, or would be if active. They stop while the user is suspended.',
      ),
  },
  record: projectRecord,
  find({ stores }, { caller }, { userId, soleOwner, ...filters }, slice) {
    const { allUsers = caller.kind === 'embedded' && userId === undefined } = filters
    if (allUsers) authorize(caller, { scope: 'projects', role: 'admin' })
    const ofUser = userId !== undefined || soleOwner === true
    if (allUsers && ofUser) {
      throw invalidRequest({ field: 'allUsers', issue: 'cannot be combined with userId or soleOwner' })
    }
    return stores.read((view) => {
      if (allUsers) return allProjects(view, slice)
      return ofUser ? sharedProjects(view, caller, userId, slice, soleOwner) : listProjectsFor(view, caller, slice)
    })
  },
  show: ({ record }) => record,
})

interface ListedProject {
  readonly id: string
  readonly createdAt: number
  readonly version: number
  readonly record: ProjectRecord
}

async function allProjects({ projects }: AccountView, slice: Slice): Promise<readonly ListedProject[]> {
  return (await projects.list({}, slice)).map((project) => toListed(project, toProjectRecord(project, 'owner')))
}

/** The projects of which a user is a member. Empty if the caller may not see the user. */
async function sharedProjects(
  { projects }: AccountView,
  caller: Caller,
  asked: string | undefined,
  slice: Slice,
  soleOwner?: boolean,
): Promise<readonly ListedProject[]> {
  const userId = asked ?? actingUser(requireAccount(caller))
  if (userId !== (visibleUserId(caller) ?? userId)) return []
  const found = await projects.listOf(userId, slice, soleOwner)
  return found.map(({ memberRole, ...project }) => toListed(project, toProjectRecord(project, memberRole)))
}

/** The projects of which the caller is a member. The personal project is the first one in any order. */
async function listProjectsFor(view: AccountView, caller: Caller, slice: Slice): Promise<readonly ListedProject[]> {
  const user = presentOwner(await view.users.find(actingUser(requireAccount(caller))))
  const { first, after, limit } = slice
  const isAfterPersonal = after?.id === personalProjectId(user.id)
  const listed = await sharedProjects(view, caller, user.id, isAfterPersonal ? { first, limit } : slice)
  if (after) return listed
  const personal = toListed({ ...user, id: personalProjectId(user.id) }, personalProject(user))
  return [personal, ...listed].slice(0, limit)
}

function toListed(
  { id, createdAt, version }: Pick<ProjectRow, 'id' | 'createdAt' | 'version'>,
  record: ProjectRecord,
): ListedProject {
  return { id, createdAt, version, record }
}

export const getProject = read({
  name: 'project',
  summary: 'Returns a project of which the caller is a member, or any for an admin.',
  ...ofProjects,
  rest: { method: 'GET', path: '/projects/{id}' },
  graphql: { query: 'project', node: { prefix: 'prj', loader: findProjects } },
  input: z.strictObject({ id: projectId }),
  output: projectRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
  async prepare({ stores }, call, { id }) {
    const record = await stores.read((view) => visibleProject(view, call.caller, id))
    requireMatch(call, record.version)
    return record
  },
  async run(_services, call, record) {
    call.version(record.version)
    return record
  },
})

async function visibleProject(view: AccountView, caller: Caller, id: string): Promise<ProjectRecord> {
  if (isPersonal(caller, id)) {
    return personalProject(presentOwner(await view.users.find(actingUser(requireAccount(caller)))))
  }
  const role = await requireRole(view, caller, id, 'viewer')
  const project = await view.projects.find(id)
  if (!project) throw projectNotFound()
  return toProjectRecord(project, role)
}

export const createProject = write({
  name: 'createProject',
  summary:
    'Creates a project with the tier and the quota of its owner, who is its first member and whose budget pays for it.',
  ...ofProjects,
  rest: { method: 'POST', path: '/projects' },
  graphql: { mutation: 'createProject' },
  input: z.strictObject({
    name: projectFields.name,
    ownerId: z
      .string()
      .max(64)
      .optional()
      .describe('Id of the owner. Only admins may name another user. Default: the caller.'),
  }),
  output: projectRecord,
  creates: true,
  versioned: true,
  errors: ['NOT_FOUND', 'CONFLICT'],
  async apply(tx, call, { name, ownerId }) {
    const owner = await takeOwner(tx, call.caller, ownerId)
    if (!isServiceAdmin(call.caller)) await checkCount(tx, owner, call.at)
    const project = newProject({ ...toProjectLimits(owner), id: call.newId('prj'), name, createdBy: owner.id }, call.at)
    await tx.projects.add(project)
    await tx.members.set({ projectId: project.id, userId: owner.id, role: 'owner', createdAt: call.at })
    call.audit({ target: { type: 'project', id: project.id }, owner: project.id, after: toAuditedProject(project) })
    call.version(project.version)
    return toProjectRecord(project, 'owner')
  },
})

async function takeOwner(tx: AccountTransaction, caller: Caller, named: string | undefined): Promise<UserRow> {
  const own = caller.kind === 'account' ? actingUser(caller) : undefined
  const id = named ?? own ?? actingUser(requireAccount(caller))
  if (id !== own && !isServiceAdmin(caller)) {
    throw new FairleadError('FORBIDDEN', 'Only an admin can create a project for another user.', {
      issues: [{ field: 'ownerId', issue: 'can be another user only for an admin' }],
    })
  }
  const owner = await tx.users.take(id)
  if (owner || id === own) return presentOwner(owner)
  throw new FairleadError('NOT_FOUND', 'User not found.')
}

/** Maximum number of projects that a user creates: each has a separate quota. */
const maxProjects = { free: 1, pro: 10, enterprise: 100 } as const satisfies Record<Tier, number>

/** How long a deleted project counts: a new project must not bring a fresh quota in its place. */
const deletedRule = { windowMs: 31 * 24 * 3_600_000, max: 1_000 }
const deletedBucket = (userId: string) => bucketName('deleted projects', userId)

async function checkCount(tx: AccountTransaction, { id, tier }: UserRow, at: number): Promise<void> {
  const max = maxProjects[tier]
  const deleted = await tx.throttles.read(deletedBucket(id), { at, ...deletedRule })
  if ((await tx.projects.countCreatedBy(id)) + deleted.hits.length < max) return
  throw new FairleadError(
    'CONFLICT',
    `The tier "${tier}" allows ${max === 1 ? 'one project' : `${max} projects`} besides the personal one. Projects deleted in the last 31 days count.`,
  )
}

export const updateProject = write({
  name: 'updateProject',
  summary:
    'Updates a project. Its admins can change the name, and admins of the service the other fields. Fields that are left out keep their value.',
  ...ofProjects,
  rest: { method: 'PATCH', path: '/projects/{id}' },
  graphql: { mutation: 'updateProject' },
  input: z.strictObject({
    id: projectId,
    name: projectFields.name.optional(),
    tier: projectFields.tier.optional(),
    quotaLimit: projectFields.quotaLimit.optional(),
    quotaScope: projectFields.quotaScope.optional(),
    budgetUsd: projectFields.budgetUsd.optional(),
    budgetPeriod: projectFields.budgetPeriod.optional(),
    funded: projectFields.funded.optional(),
    status: projectFields.status.optional(),
  }),
  output: projectRecord,
  versioned: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  async apply(tx, call, { id, ...fields }) {
    const { project: before, role } = await takeProject(tx, call.caller, id, 'admin')
    requireMatch(call, before.version)
    const after = changedOwner(before, fields, call.at)
    checkFields(call.caller, before, after)
    checkQuotaLimit(after)
    await tx.projects.replace(after)
    const target = { type: 'project', id }
    call.audit({ target, owner: id, before: toAuditedProject(before), after: toAuditedProject(after) })
    forgetProject(call, id)
    call.version(after.version)
    return toProjectRecord(after, role)
  },
})

const adminFields = ['tier', 'quotaLimit', 'quotaScope', 'budgetUsd', 'budgetPeriod', 'funded', 'status'] as const

/** Throws `FORBIDDEN` if a member changes a field other than the name. */
function checkFields(caller: Caller, before: ProjectRow, after: ProjectRow): void {
  if (isServiceAdmin(caller)) return
  const field = adminFields.find((name) => before[name] !== after[name])
  if (!field) return
  const issue = 'can be changed only by an admin of the service'
  throw new FairleadError('FORBIDDEN', `${field} ${issue}`, { issues: [{ field, issue }] })
}

export const deleteProject = write({
  name: 'deleteProject',
  summary: 'Deletes a project with its members, API keys, webhooks, images and shipments.',
  ...ofProjects,
  rest: { method: 'DELETE', path: '/projects/{id}' },
  graphql: { mutation: 'deleteProject' },
  input: z.strictObject({ id: projectId }),
  output: deletion,
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  prepare: ({ removeUserData }, _call, { id }) => ({ id, removeUserData }),
  async apply(tx, call, { id, removeUserData }) {
    const { project } = await takeProject(tx, call.caller, id, 'owner')
    requireMatch(call, project.version)
    await removeProject(tx, call, project, removeUserData)
    return { id, deleted: true as const }
  },
})

/** Removes a project, whose lock the transaction has, with what belongs to it. */
export async function removeProject(
  tx: AccountTransaction,
  call: OperationRun,
  project: ProjectRow,
  removeUserData: AccountServices['removeUserData'],
): Promise<void> {
  const { id, createdBy } = project
  await removeUserData(tx, call, id)
  await tx.projects.remove(id)
  if (createdBy !== null) await tx.throttles.hit(deletedBucket(createdBy), { at: call.at, ...deletedRule })
  call.audit({ target: { type: 'project', id }, owner: id, before: toAuditedProject(project) })
  forgetProject(call, id)
}

/** An admin of the service, or a program, that does not act as the member of a project. */
export function isServiceAdmin(caller: Caller): boolean {
  return caller.kind !== 'anonymous' && caller.role === 'admin'
}
