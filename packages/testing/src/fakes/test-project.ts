import type { Credentials } from '@fairlead/core'
import type { ProjectRole } from '@fairlead/core/stores'
import { createKey } from '@fairlead/accounts/workspace'
import { projectRoles } from './project-access.ts'
import type { TestCore } from './test-core.ts'

/** A caller in the project. `personal key` is an API key of its owner. */
type ProjectCaller = ProjectRole | 'service admin' | 'stranger' | 'key' | 'foreign key' | 'personal key'

export interface TestProject {
  readonly projectId: string
  /** Credentials of requests that name the project. */
  readonly credentials: Readonly<Record<ProjectCaller, Credentials>>
  /** The ids of the members, of the admin of the service, and of a user who is no member. */
  readonly userIds: Readonly<Record<ProjectRole | 'service admin' | 'stranger', string>>
  /** The credentials of their sessions without the project. */
  readonly personal: Readonly<Record<ProjectRole | 'service admin' | 'stranger', Credentials>>
}

const people = [...projectRoles, 'service admin', 'stranger'] as const

/** Creates a project with a member of each role, whose sessions name it, and with an API key. */
export async function testProject({ core, fairlead, addCaller }: TestCore): Promise<TestProject> {
  const sessions = new Map<string, { readonly userId: string; readonly token: string }>()
  for (const person of people) {
    const email = `${person.replace(' ', '-')}@example.com`
    const { user, accessToken } = await fairlead.sessions.signup({ email, password: 'a long password', name: person })
    await fairlead.users.patch({ id: user.id, emailVerified: true })
    if (person === 'service admin') await fairlead.users.patch({ id: user.id, role: 'admin' })
    sessions.set(person, { userId: user.id, token: accessToken })
  }
  const of = <Value>(valueOf: (session: { readonly userId: string; readonly token: string }) => Value) =>
    Object.fromEntries([...sessions].map(([person, session]) => [person, valueOf(session)])) as Record<
      (typeof people)[number],
      Value
    >
  const userIds = of(({ userId }) => userId)
  const { id: projectId } = await fairlead.projects.create({ name: 'Search', ownerId: userIds.owner })
  const { id: otherId } = await fairlead.projects.create({ name: 'Ads', ownerId: userIds.stranger })
  for (const role of projectRoles) await fairlead.projects.setMember({ projectId, userId: userIds[role], role })

  const acting = (project: string) => of(({ token }): Credentials => ({ kind: 'bearer', token, project }))
  const keyOf = async (creator: Credentials): Promise<Credentials> => {
    const scopes = Object.keys(core.scopes).filter((scope) => !['users', 'projects', 'audit'].includes(scope))
    const reply = await core.run(createKey, creator, { name: 'key', scopes })
    if (!reply.success) throw new Error(reply.error.message)
    return { kind: 'bearer', token: reply.data.secret, project: projectId }
  }
  const members = acting(projectId)
  const { credentials: ofOwner } = await addCaller({ key: { userId: userIds.owner } })
  return {
    projectId,
    userIds,
    personal: of(({ token }): Credentials => ({ kind: 'bearer', token })),
    credentials: {
      ...members,
      key: await keyOf(members.owner),
      'foreign key': await keyOf(acting(otherId).stranger),
      'personal key': { kind: 'bearer', token: ofOwner.token, project: projectId },
    },
  }
}
