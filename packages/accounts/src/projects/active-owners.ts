import { FairleadError, type OperationRun } from '@fairlead/core'
import type { AccountServices } from '../services.ts'
import type { AccountTransaction } from '../account-stores.ts'
import type { UserRow } from '../users/user.ts'
import type { ProjectRow } from './project.ts'
import type { MemberRow } from './project-stores.ts'

/** Throws `CONFLICT` if the member is the only active owner of a project, whose lock the transaction has. */
export async function requireOtherOwner(
  { members }: AccountTransaction,
  { projectId, userId }: Pick<MemberRow, 'projectId' | 'userId'>,
): Promise<void> {
  if ((await members.withoutActiveOwner([projectId], userId)).length === 0) return
  throw new FairleadError(
    'CONFLICT',
    'This is the last active owner of the project. Make another member an owner first.',
  )
}

/** Locks the projects that a user owns, and returns those that have no other active owner. */
export async function takeSoleProjects(tx: AccountTransaction, userId: string): Promise<readonly ProjectRow[]> {
  const owned = (await tx.members.ofUser(userId)).filter(({ role }) => role === 'owner')
  if (owned.length === 0) return []
  const projects: ProjectRow[] = []
  // In one order, so that concurrent transactions cannot deadlock.
  for (const id of owned.map(({ projectId }) => projectId).toSorted()) {
    const project = await tx.projects.take(id)
    if (project) projects.push(project)
  }
  const ids = projects.map(({ id }) => id)
  const sole = new Set(await tx.members.withoutActiveOwner(ids, userId))
  return projects.filter(({ id }) => sole.has(id))
}

/** Makes a change of the status of a user reach the projects without another active owner: they stop, or go on. */
export async function applyStatus(
  tx: AccountTransaction,
  call: OperationRun,
  before: UserRow,
  after: UserRow,
): Promise<void> {
  if (before.status === after.status) return
  const isActive = after.status === 'active'
  for (const { id, name } of await takeSoleProjects(tx, after.id)) {
    const target = { type: 'project', id }
    call.audit({ target, owner: id, before: { activeOwner: !isActive }, after: { activeOwner: isActive } })
    forgetProject(call, id)
    if (!isActive) {
      call.warn([{ field: 'status', issue: `stops the project "${name}" (${id}), which has no other active owner` }])
    }
  }
}

/** Makes a change of a project, or of its owners, take effect at once on this node. */
export function forgetProject(call: OperationRun, userId: string): void {
  call.afterCommit(({ authenticator }: AccountServices) => authenticator.forget({ userId }))
}
