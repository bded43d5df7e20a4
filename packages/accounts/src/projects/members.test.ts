import { describe, expect, test } from 'vitest'
import { testCore } from '@fairlead/testing'
import { testProject, operations } from '@fairlead/testing/workspace'
import type { ProjectRole } from '@fairlead/core/stores'

async function world() {
  const given = await testCore()
  const here = { ...given, ...(await testProject(given)) }
  type Person = keyof typeof here.personal
  const set = (by: Person, whom: Person, role: ProjectRole) =>
    here.core.run(operations.setProjectMember, here.personal[by], {
      projectId: here.projectId,
      userId: here.userIds[whom],
      role,
    })
  const remove = (by: Person, whom: Person) =>
    here.core.run(operations.removeProjectMember, here.personal[by], {
      projectId: here.projectId,
      userId: here.userIds[whom],
    })
  return { ...here, set, remove }
}

const errorCode = (
  reply: { readonly success: true } | { readonly success: false; readonly error: { readonly code: string } },
) => (reply.success ? 'ok' : reply.error.code)

describe('projectMembers', () => {
  test('projectMembers shows the members to each of them, and to nobody else', async () => {
    const { core, projectId, personal, userIds } = await world()
    const list = (caller: keyof typeof personal) => core.run(operations.projectMembers, personal[caller], { projectId })
    const reply = await list('viewer')
    expect(reply.success && reply.data.map(({ userId, role }) => [userId, role]).toSorted()).toEqual(
      (['viewer', 'developer', 'admin', 'owner'] as const).map((role) => [userIds[role], role]).toSorted(),
    )
    expect(reply).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ email: 'owner@example.com' })]),
    })
    expect([errorCode(await list('service admin')), errorCode(await list('stranger'))]).toEqual(['ok', 'NOT_FOUND'])
  })
})

describe('setProjectMember', () => {
  test('setProjectMember adds a user, who can act in the project at once', async () => {
    const { core, set, credentials } = await world()
    expect(errorCode(await core.run(operations.models, credentials.stranger, {}))).toBe('NOT_FOUND')
    expect(errorCode(await set('admin', 'stranger', 'developer'))).toBe('ok')
    expect(errorCode(await core.run(operations.models, credentials.stranger, {}))).toBe('ok')
  })

  test('setProjectMember adds a user by email address', async () => {
    const { core, projectId, personal, userIds } = await world()
    const add = (input: object) =>
      core.run(operations.setProjectMember, personal.owner, { projectId, role: 'viewer', ...input })
    expect(await add({ email: 'Stranger@example.com' })).toMatchObject({ data: { userId: userIds.stranger } })
    expect(errorCode(await add({ email: 'nobody@example.com' }))).toBe('NOT_FOUND')
    expect(errorCode(await add({}))).toBe('INVALID_REQUEST')
    expect(errorCode(await add({ email: 'stranger@example.com', userId: userIds.stranger }))).toBe('INVALID_REQUEST')
  })

  test('setProjectMember adds nobody by an address that is not verified, and does not tell it from an unknown one', async () => {
    const { fairlead, core, projectId, personal, userIds } = await world()
    const add = (input: object) =>
      core.run(operations.setProjectMember, personal.owner, { projectId, role: 'viewer', ...input })
    // Anyone can change their own address to the one of a person who is expected.
    await fairlead.users.patch({ id: userIds.stranger, email: 'expected@example.com' })
    const reply = await add({ email: 'expected@example.com' })
    const unknown = await add({ email: 'nobody@example.com' })
    expect(reply).toMatchObject({ error: { code: 'NOT_FOUND', message: expect.stringContaining('Invite the person') } })
    expect(reply.success || reply.error).toEqual(unknown.success || unknown.error)
    expect(
      errorCode(
        await core.run(operations.setProjectMember, personal['service admin'], {
          projectId,
          role: 'viewer',
          email: 'expected@example.com',
        }),
      ),
    ).toBe('NOT_FOUND')
    await fairlead.users.patch({ id: userIds.stranger, emailVerified: true })
    expect(errorCode(await add({ email: 'expected@example.com' }))).toBe('ok')
  })

  test('setProjectMember limits how many email addresses a user can search', async () => {
    const { core, projectId, personal } = await world()
    const codes = new Set<string>()
    for (let count = 0; count <= 100; count++) {
      const email = `person${count}@example.com`
      codes.add(
        errorCode(await core.run(operations.setProjectMember, personal.owner, { projectId, role: 'viewer', email })),
      )
    }
    expect([...codes]).toEqual(['NOT_FOUND', 'RATE_LIMIT_EXCEEDED'])
  })

  test('setProjectMember is for admins and owners, who grant and take no role above their own', async () => {
    const { set } = await world()
    expect(errorCode(await set('developer', 'stranger', 'viewer'))).toBe('FORBIDDEN')
    expect(errorCode(await set('admin', 'stranger', 'owner'))).toBe('FORBIDDEN')
    expect(errorCode(await set('admin', 'owner', 'viewer'))).toBe('FORBIDDEN')
    expect(errorCode(await set('admin', 'developer', 'admin'))).toBe('ok')
    expect(errorCode(await set('owner', 'admin', 'owner'))).toBe('ok')
    expect(errorCode(await set('service admin', 'owner', 'viewer'))).toBe('ok')
  })

  test('setProjectMember never lowers the last owner, also if two are lowered at the same time', async () => {
    const { fairlead, projectId, set } = await world()
    expect(errorCode(await set('owner', 'owner', 'admin'))).toBe('CONFLICT')
    await set('owner', 'admin', 'owner')
    const codes = await Promise.all([set('owner', 'owner', 'viewer'), set('admin', 'admin', 'viewer')])
    expect(codes.map(errorCode).toSorted()).toEqual(['CONFLICT', 'ok'])
    const members = await fairlead.projects.members({ projectId })
    expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1)
  })

  test('setProjectMember takes effect at once when a role is lowered', async () => {
    const { core, set, credentials } = await world()
    const create = () => core.run(operations.createApiKey, credentials.developer, { name: 'one' })
    expect(errorCode(await create())).toBe('ok')
    await set('admin', 'developer', 'viewer')
    expect(errorCode(await create())).toBe('FORBIDDEN')
  })
})

describe('a member whom another node removed', () => {
  test('a member whom another node removed changes no project and creates no API key with a role that this node has cached', async () => {
    const here = await world()
    const { core, projectId, credentials, userIds } = here
    const rename = (by: 'owner' | 'service admin') =>
      core.run(operations.updateProject, credentials[by], { id: projectId, name: 'New' })
    await here.set('owner', 'admin', 'owner')
    const other = await testCore({ stores: here.stores })
    for (const by of ['owner', 'service admin'] as const) {
      expect(errorCode(await core.run(operations.models, credentials[by], {}))).toBe('ok')
    }
    await other.fairlead.projects.removeMember({ projectId, userId: userIds.owner })
    await other.fairlead.users.patch({ id: userIds.viewer, role: 'admin' })
    await other.fairlead.users.patch({ id: userIds['service admin'], role: 'member' })
    for (const by of ['owner', 'service admin'] as const) {
      expect(errorCode(await core.run(operations.createApiKey, credentials[by], { name: 'mine' }))).toBe('NOT_FOUND')
      expect(errorCode(await rename(by))).toBe('NOT_FOUND')
    }
  })
})

describe('removeProjectMember', () => {
  test('removeProjectMember lets every member leave, and admins remove those without a higher role', async () => {
    const { remove, core, credentials } = await world()
    expect(errorCode(await remove('viewer', 'developer'))).toBe('FORBIDDEN')
    expect(errorCode(await remove('admin', 'owner'))).toBe('FORBIDDEN')
    expect(errorCode(await remove('viewer', 'viewer'))).toBe('ok')
    expect(errorCode(await remove('admin', 'developer'))).toBe('ok')
    expect(errorCode(await remove('admin', 'stranger'))).toBe('NOT_FOUND')
    for (const caller of ['viewer', 'developer'] as const) {
      expect(errorCode(await core.run(operations.models, credentials[caller], {}))).toBe('NOT_FOUND')
    }
  })

  test('removeProjectMember never removes the last owner', async () => {
    const { remove } = await world()
    for (const by of ['owner', 'service admin'] as const) expect(errorCode(await remove(by, 'owner'))).toBe('CONFLICT')
  })

  test('removeProjectMember deletes the open invitations that the member created', async () => {
    const { core, projectId, personal, remove } = await world()
    const invited = await core.run(operations.createInvitation, personal.admin, { projectId, role: 'admin' })
    await remove('owner', 'admin')
    const token = invited.success ? invited.data.token : ''
    expect(errorCode(await core.run(operations.acceptInvitation, personal.admin, { token }))).toBe('NOT_FOUND')
  })
})

describe('deleteUser', () => {
  test('deleteUser is refused for the only active owner of a project, and names it', async () => {
    const { fairlead, core, projectId, personal, userIds, set } = await world()
    const remove = () => core.run(operations.deleteUser, personal['service admin'], { id: userIds.owner })
    expect(await remove()).toMatchObject({
      error: { code: 'CONFLICT', message: expect.stringContaining(`the project "Search" (${projectId})`) },
    })
    await set('owner', 'admin', 'owner')
    expect(errorCode(await remove())).toBe('ok')
    expect(await fairlead.projects.members({ projectId })).toHaveLength(3)
  })
})
