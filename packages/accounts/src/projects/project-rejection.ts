import { FairleadError } from '@fairlead/core'
import { isProject, type Owner } from '../owner.ts'
import type { ProjectRow } from './project.ts'
import type { MemberView } from './project-stores.ts'

/** Why requests for a project are rejected; undefined if they are not. A project needs an active owner, besides its status. */
export async function rejectionOfProject(
  { members }: { readonly members: MemberView },
  project: Owner,
): Promise<FairleadError | undefined> {
  const suspended = ifSuspended(project)
  if (suspended) return suspended
  const [stopped] = await members.withoutActiveOwner([project.id])
  return stopped === undefined ? undefined : new FairleadError('FORBIDDEN', 'The project has no active owner.')
}

/** The error for a suspended user or project; undefined for an active one. */
export function ifSuspended(owner: Owner): FairleadError | undefined {
  if (owner.status !== 'suspended') return undefined
  return new FairleadError('FORBIDDEN', `This ${isProject(owner) ? 'project' : 'account'} is suspended.`)
}

/** Throws `FORBIDDEN` for a project that is suspended or has no active owner: only admins of the service change it. */
export async function requireActive(view: { readonly members: MemberView }, project: ProjectRow): Promise<void> {
  const rejection = await rejectionOfProject(view, project)
  if (rejection) throw rejection
}
