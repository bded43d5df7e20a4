import { actingUser, includesRole, requireAccount, visibleOwner } from '@fairlead/core/feature'
import { type Caller, FairleadError, type OperationRun } from '@fairlead/core'
import type { ProjectRole } from '@fairlead/core/stores'
import type { AccountServices } from '../services.ts'
import type { AccountTransaction, AccountView } from '../account-stores.ts'
import { forgetProject } from './active-owners.ts'
import { requireActive } from './project-rejection.ts'
import { personalProjectId, type ProjectRow, projectNotFound } from './project.ts'
import type { MemberRow } from './project-stores.ts'

type RoleView = Pick<AccountView, 'members' | 'users'>

/** The caller's role in a project; undefined without one. Admins of the service are owners of every project. */
export async function roleIn(
  { members, users }: RoleView,
  caller: Caller,
  projectId: string,
): Promise<ProjectRole | undefined> {
  if (caller.kind === 'anonymous') return undefined
  if (visibleOwner(caller) === undefined) return caller.role === 'admin' ? 'owner' : undefined
  const account = requireAccount(caller)
  const userId = actingUser(account)
  // This node may have cached the role with which the session acts for the project.
  const isOwner = account.userId === projectId && account.member?.role === 'owner'
  if (isOwner && (await users.find(userId))?.role === 'admin') return 'owner'
  return (await members.find(projectId, userId))?.role
}

/** Returns the caller's role. Throws `NOT_FOUND` without one, and `FORBIDDEN` if it is below the least role. */
export async function requireRole(
  view: RoleView,
  caller: Caller,
  projectId: string,
  least: ProjectRole,
): Promise<ProjectRole> {
  const role = await roleIn(view, caller, projectId)
  if (role === undefined) throw projectNotFound()
  if (!includesRole(role, least)) {
    throw new FairleadError('FORBIDDEN', `This requires the role "${least}" in the project. Yours is "${role}".`)
  }
  return role
}

/** Whether it is the personal project of the user who acts. */
export function isPersonal(caller: Caller, projectId: string): boolean {
  return caller.kind === 'account' && projectId === personalProjectId(actingUser(caller))
}

/** Throws `CONFLICT` for the caller's personal project, which is the user. */
export function refusePersonal(caller: Caller, projectId: string): void {
  if (!isPersonal(caller, projectId)) return
  throw new FairleadError(
    'CONFLICT',
    'This is your personal project. It is your account, and cannot be changed, shared or deleted. Create a project instead.',
  )
}

/**
 * Finds a project that the caller may change, and locks it and its members. Throws `NOT_FOUND`, `FORBIDDEN`, and `CONFLICT` for
 * a personal project.
 */
export async function takeProject(
  tx: AccountTransaction,
  caller: Caller,
  projectId: string,
  least: ProjectRole,
): Promise<{ readonly project: ProjectRow; readonly role: ProjectRole }> {
  refusePersonal(caller, projectId)
  await requireRole(tx, caller, projectId, least)
  const project = await tx.projects.take(projectId)
  if (!project) throw projectNotFound()
  // The role may have changed before the lock was acquired.
  const role = await requireRole(tx, caller, projectId, least)
  if (visibleOwner(caller) !== undefined) await requireActive(tx, project)
  return { project, role }
}

/** Throws `FORBIDDEN` if a member grants or takes a role above its own. */
export function checkGrantedRole(own: ProjectRole, other: ProjectRole): void {
  if (includesRole(own, other)) return
  throw new FairleadError('FORBIDDEN', `Only a member with the role "${other}" can give or take it.`, {
    issues: [{ field: 'role', issue: `cannot be above your own role, "${own}"` }],
  })
}

/**
 * Sets the role of a user in a project, whose lock the transaction has, and makes it take effect at once on this node.
 *
 * @param before undefined for a new member
 * @param role undefined removes the member
 */
export async function changeRole(
  tx: AccountTransaction,
  call: OperationRun,
  { projectId, userId }: Pick<MemberRow, 'projectId' | 'userId'>,
  before: MemberRow | undefined,
  role: ProjectRole | undefined,
): Promise<void> {
  if (role) await tx.members.set({ projectId, userId, role, createdAt: before?.createdAt ?? call.at })
  else await tx.members.remove(projectId, userId)
  // An invitation must not outlast the role that it was created with.
  if (before) await tx.invitations.removeCreatedBy(projectId, userId)
  const changes = { ...(before && { before: { role: before.role } }), ...(role && { after: { role } }) }
  call.audit({ target: { type: 'project_member', id: userId }, owner: projectId, ...changes })
  call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ userId }))
  // The project may have got its only active owner.
  forgetProject(call, projectId)
}
