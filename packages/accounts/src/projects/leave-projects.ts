import * as z from 'zod'
import { FairleadError, type OperationRun } from '@fairlead/core'
import { invalidRequest } from '@fairlead/core/adapter'
import type { AccountServices } from '../services.ts'
import type { AccountTransaction } from '../account-stores.ts'
import { takeSoleProjects } from './active-owners.ts'
import { changeRole } from './member.ts'
import { checkCount } from './members.ts'
import type { ProjectRow } from './project.ts'
import { removeProject } from './projects.ts'

/** The choices for projects that a user leaves without an active owner. */
export const leftProjects = {
  transferTo: z
    .string()
    .max(64)
    .optional()
    .describe('Id of the user who becomes the owner of the projects that would have no active owner.'),
  removeProjects: z.boolean().optional().describe('Whether to delete the projects that would have no active owner.'),
}

export type LeftProjects = { readonly [Field in keyof typeof leftProjects]?: z.output<(typeof leftProjects)[Field]> }

/** Throws `INVALID_REQUEST` if the projects would be both transferred and removed. */
export function checkLeftProjects({ transferTo, removeProjects }: LeftProjects): void {
  if (transferTo === undefined || removeProjects !== true) return
  throw invalidRequest({ field: 'transferTo', issue: 'cannot be combined with removeProjects' })
}

/**
 * Transfers or removes the projects that would have no active owner without a user who is about to be deleted. Throws
 * `CONFLICT` if neither was asked for.
 */
export async function leaveProjects(
  tx: AccountTransaction,
  call: OperationRun,
  userId: string,
  { transferTo, removeProjects = false }: LeftProjects,
  removeUserData: AccountServices['removeUserData'],
): Promise<void> {
  const projects = await takeSoleProjects(tx, userId)
  if (projects.length === 0) return
  if (removeProjects) {
    for (const project of projects) await removeProject(tx, call, project, removeUserData)
  } else if (transferTo === undefined) throw soleOwner(projects)
  else await transfer(tx, call, projects, userId, transferTo)
}

async function transfer(
  tx: AccountTransaction,
  call: OperationRun,
  projects: readonly ProjectRow[],
  from: string,
  to: string,
): Promise<void> {
  const user = await tx.users.find(to)
  if (user?.status !== 'active' || to === from) {
    throw invalidRequest({ field: 'transferTo', issue: 'must be the id of another user, who is active' })
  }
  for (const { id: projectId } of projects) {
    const before = await tx.members.find(projectId, to)
    if (!before) await checkCount(tx, projectId)
    await changeRole(tx, call, { projectId, userId: to }, before, 'owner')
  }
}

/** An error names so many projects at most. */
const maxNamed = 3

function soleOwner(projects: readonly ProjectRow[]): FairleadError {
  const names = projects.slice(0, maxNamed).map(({ id, name }) => `"${name}" (${id})`)
  const others = projects.length > maxNamed ? ` and ${projects.length - maxNamed} more` : ''
  const subject = `${projects.length === 1 ? 'the project' : 'the projects'} ${names.join(', ')}${others}`
  return new FairleadError(
    'CONFLICT',
    `The user is the only active owner of ${subject}. Transfer what they own to another user, or remove it.`,
  )
}
