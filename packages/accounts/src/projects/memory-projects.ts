import { MemoryTable, type UndoLog, recordView, takeSlice } from '@fairlead/core/stores'
import type { AccountTransaction } from '../account-stores.ts'
import type { UserRow } from '../users/user.ts'
import type { ProjectRow } from './project.ts'
import type { InvitationRow, MemberRow } from './project-stores.ts'

type ProjectTables = Pick<AccountTransaction, 'owners' | 'projects' | 'members' | 'invitations'>

/** @param removeKeys removes the API keys of an owner */
export function memoryProjects(
  undo: UndoLog,
  users: MemoryTable<UserRow>,
  removeKeys: (ownerId: string) => void,
): ProjectTables & { removeMember(userId: string): void } {
  const projects = new MemoryTable<ProjectRow>(undo)
  const members = new MemoryTable<MemberRow>(undo)
  const invitations = new MemoryTable<InvitationRow>(undo)

  const findOwner = (id: string) => users.get(id) ?? projects.get(id)
  const memberKey = ({ projectId, userId }: Pick<MemberRow, 'projectId' | 'userId'>) => `${projectId} ${userId}`
  const membersThat = (matches: (member: MemberRow) => boolean) => members.filter(matches)
  const ofProject = (projectId: string) => membersThat((member) => member.projectId === projectId)
  const openInvitations = (projectId: string, at: number) =>
    invitations.filter((each) => each.projectId === projectId && each.acceptedAt === null && each.expiresAt > at)

  const hasActiveOwner = (projectId: string, except?: string) =>
    ofProject(projectId).some(
      ({ role, userId }) => role === 'owner' && userId !== except && users.get(userId)?.status === 'active',
    )

  function removeMembers(removed: readonly MemberRow[]): void {
    for (const member of removed) members.delete(memberKey(member))
  }

  return {
    removeMember: (userId) => removeMembers(membersThat((member) => member.userId === userId)),
    owners: {
      find: async (id) => findOwner(id),
      findMany: async (ids) => [...new Set(ids)].flatMap((id) => findOwner(id) ?? []),
      take: async (id) => findOwner(id),
    },
    projects: {
      ...recordView(projects),
      async listOf(userId, slice, soleOwner = false) {
        const isListed = ({ projectId, role }: MemberRow) =>
          !soleOwner || (role === 'owner' && !hasActiveOwner(projectId, userId))
        const found = membersThat((member) => member.userId === userId && isListed(member)).flatMap(
          ({ projectId, role }) => {
            const project = projects.get(projectId)
            return project ? [{ ...project, memberRole: role }] : []
          },
        )
        return takeSlice(found, slice)
      },
      countCreatedBy: async (userId) => projects.filter(({ createdBy }) => createdBy === userId).length,
      add: async (project) => void projects.set(project.id, project),
      take: async (id) => projects.get(id),
      async replace(project) {
        if (projects.has(project.id)) projects.set(project.id, project)
      },
      async remove(id) {
        removeKeys(id)
        removeMembers(ofProject(id))
        for (const { id: invitation, projectId } of invitations.values()) {
          if (projectId === id) invitations.delete(invitation)
        }
        projects.delete(id)
      },
    },
    members: {
      find: async (projectId, userId) => members.get(memberKey({ projectId, userId })),
      async list(projectId, slice) {
        const named = ofProject(projectId).flatMap((member) => {
          const user = users.get(member.userId)
          return user ? [{ ...member, id: user.id, name: user.name, email: user.email }] : []
        })
        return takeSlice(named, slice)
      },
      ofUser: async (userId) => membersThat((member) => member.userId === userId),
      count: async (projectId) => ofProject(projectId).length,
      withoutActiveOwner: async (projectIds, except) => projectIds.filter((id) => !hasActiveOwner(id, except)),
      async set(member) {
        const before = members.get(memberKey(member))
        members.set(memberKey(member), { ...member, createdAt: before?.createdAt ?? member.createdAt })
      },
      remove: async (projectId, userId) => void members.delete(memberKey({ projectId, userId })),
    },
    invitations: {
      listOpen: async (projectId, at, slice) => takeSlice(openInvitations(projectId, at), slice),
      countOpen: async (projectId, at) => openInvitations(projectId, at).length,
      findByTokenHash: async (hash) => invitations.filter(({ tokenHash }) => tokenHash === hash)[0],
      add: async (invitation) => void invitations.set(invitation.id, invitation),
      async accept(id, acceptedBy, acceptedAt) {
        const found = invitations.get(id)
        if (!found || found.acceptedAt !== null) return false
        invitations.set(id, { ...found, acceptedBy, acceptedAt })
        return true
      },
      async remove(projectId, id) {
        const found = invitations.get(id)
        return found?.projectId === projectId && found.acceptedAt === null && invitations.delete(id)
      },
      async removeCreatedBy(projectId, userId) {
        const created = invitations.filter(
          (each) => each.projectId === projectId && each.createdBy === userId && each.acceptedAt === null,
        )
        for (const { id } of created) invitations.delete(id)
      },
      purge: async (before, limit) => invitations.purge(before, limit, ({ expiresAt }) => expiresAt).length,
    },
  }
}
