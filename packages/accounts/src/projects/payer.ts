import { isProject, type Owner } from '../owner.ts'
import type { UserView } from '../account-stores.ts'
import type { UserRow } from '../users/user.ts'
import type { ProjectRow } from './project.ts'

/** The user whose budget pays for a project without funds. Undefined for a user, and if there is none any more. */
export async function findPayer(
  { users }: { readonly users: Pick<UserView, 'find'> },
  owner: Owner,
): Promise<UserRow | undefined> {
  if (!isStoredProject(owner) || owner.funded || owner.createdBy === null) return undefined
  return users.find(owner.createdBy)
}

function isStoredProject(owner: Owner): owner is ProjectRow {
  return isProject(owner)
}
