import type { OperationRun } from '@fairlead/core'
import { changedOwner } from '../owner.ts'
import { changeRole } from '../projects/member.ts'
import type { AccountTransaction } from '../account-stores.ts'
import type { UserRow } from '../users/user.ts'
import { announceChange } from '../users/update-user.ts'
import type { IdentityGrants } from './issuer-tokens.ts'

/** Gives a user, whose lock the transaction has, what an identity gives. */
export async function applyGrants(
  tx: AccountTransaction,
  call: OperationRun,
  user: UserRow,
  { projects = [], ...grants }: IdentityGrants,
): Promise<UserRow> {
  const after = await withGrants(tx, call, user, grants)
  await joinProjects(tx, call, after, projects)
  return after
}

/** Gives the user the role and tier of the identity. The last active admin keeps the role. */
async function withGrants(
  tx: AccountTransaction,
  call: OperationRun,
  user: UserRow,
  { role = user.role, tier = user.tier }: IdentityGrants,
): Promise<UserRow> {
  const isLastAdmin = user.role === 'admin' && role !== 'admin' && (await tx.users.otherAdmins(user.id)) === 0
  if ((role === user.role || isLastAdmin) && tier === user.tier) return user
  const adminByIdentity = role === 'admin' && (user.role !== 'admin' || user.adminByIdentity)
  const granted = isLastAdmin ? { tier } : { role, tier, adminByIdentity }
  const after = changedOwner(user, granted, call.at)
  await tx.users.replace(after)
  announceChange(call, user, after)
  return after
}

/** Gives the user the roles of the identity in projects. The last owner of a project keeps the role. */
async function joinProjects(
  tx: AccountTransaction,
  call: OperationRun,
  { id: userId }: UserRow,
  projects: NonNullable<IdentityGrants['projects']>,
): Promise<void> {
  // In one order, so that concurrent sign-ins cannot deadlock.
  for (const { projectId: id, role } of projects.toSorted((one, other) => (one.projectId < other.projectId ? -1 : 1))) {
    const before = await tx.members.find(id, userId)
    // Most sign-ins change nothing, and need no lock. The project may have been deleted.
    if ((before?.role ?? null) === role || !(await tx.projects.take(id))) continue
    const isLastOwner = before?.role === 'owner' && (await tx.members.withoutActiveOwner([id], userId)).length > 0
    if (!isLastOwner) await changeRole(tx, call, { projectId: id, userId }, before, role ?? undefined)
  }
}
