import { queryClient } from '../../api/query-client.ts'
import type { components } from '../../api/schema.d.ts'

export type Project = components['schemas']['Project']
export type Member = components['schemas']['ProjectMember']
export type NewInvitation = components['schemas']['InvitationWithToken']
export type ProjectRole = Project['role']

/** The rights that each role has in addition to the roles before it. */
export const roleHints = {
  viewer: 'Reads what belongs to the project.',
  developer: 'Calls models, and changes keys, webhooks, and records.',
  admin: 'Changes the name, the members, and the invitations.',
  owner: 'Deletes the project.',
} as const satisfies Record<ProjectRole, string>

const order = Object.keys(roleHints) as ProjectRole[]

/** The roles that a member may give: at most the member’s own. */
export function rolesUpTo(own: ProjectRole): readonly ProjectRole[] {
  return order.slice(0, order.indexOf(own) + 1)
}

export function mayManage({ role, personal }: Project): boolean {
  return !personal && (role === 'admin' || role === 'owner')
}

/** The properties of a dialog that changes a project. */
export interface ProjectDialogProps {
  readonly project: Project
  onClose(): void
}

/** Loads projects again after a change. */
export function reloadProjects(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey: [, path] }) => String(path).startsWith('/projects') })
}
