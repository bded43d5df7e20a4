import { describe, expect, test } from 'vitest'
import { testCore } from '@fairlead/testing'
import { testProject, operations } from '@fairlead/testing/workspace'
import type { Credentials } from '@fairlead/core'
import { personalProjectId } from './project.ts'

const day = 24 * 3_600_000

async function world() {
  const given = await testCore()
  return { ...given, ...(await testProject(given)) }
}

type World = Awaited<ReturnType<typeof world>>

const errorCode = (
  reply: { readonly success: true } | { readonly success: false; readonly error: { readonly code: string } },
) => (reply.success ? 'ok' : reply.error.code)

describe('projects', () => {
  test('the operation projects lists the personal project first, then those of which the caller is a member', async () => {
    const { core, projectId, personal, userIds } = await world()
    const list = (input: object) => core.run(operations.projects, personal.developer, input)
    const reply = await list({})
    expect(reply).toMatchObject({
      data: [
        { id: personalProjectId(userIds.developer), name: 'Personal', personal: true, role: 'owner', tier: 'free' },
        { id: projectId, name: 'Search', personal: false, role: 'developer', createdBy: userIds.owner },
      ],
    })
    const first = await list({ limit: 1 })
    expect(first).toMatchObject({ data: [{ personal: true }], meta: { page: { hasMore: true } } })
    const cursor = first.success ? first.meta.page?.nextCursor : undefined
    expect(await list({ limit: 1, cursor })).toMatchObject({
      data: [{ id: projectId }],
      meta: { page: { hasMore: false } },
    })
  })

  test('the operation projects lists all projects for admins only', async () => {
    const { fairlead, core, personal } = await world()
    const all = await core.run(operations.projects, personal['service admin'], { allUsers: true })
    expect(all.success && all.data.map(({ name, role }) => `${name} ${role}`).toSorted()).toEqual([
      'Ads owner',
      'Search owner',
    ])
    expect(errorCode(await core.run(operations.projects, personal.owner, { allUsers: true }))).toBe('FORBIDDEN')
    expect(await fairlead.projects.list()).toHaveLength(2)
  })
})

describe('createProject', () => {
  test('createProject makes the caller its owner, with the tier of the caller', async () => {
    const { fairlead, core, personal, userIds } = await world()
    await fairlead.users.patch({ id: userIds.viewer, tier: 'pro' })
    const created = await core.run(operations.createProject, personal.viewer, { name: 'Mail' })
    expect(created).toMatchObject({
      data: { id: expect.stringMatching(/^prj_\d{37}$/), role: 'owner', tier: 'pro', createdBy: userIds.viewer },
    })
  })

  test('createProject has the quota scope of its owner, and no budget, because it uses that of its owner', async () => {
    const { fairlead, core, personal, userIds } = await world()
    await fairlead.users.patch({ id: userIds.viewer, budgetUsd: 5, budgetPeriod: 'month', quotaScope: 'user' })
    const created = await core.run(operations.createProject, personal.viewer, { name: 'Mail' })
    expect(created).toMatchObject({ data: { budgetUsd: null, funded: false, quotaScope: 'project' } })
  })

  test('createProject allows as many projects as the tier has, and counts those deleted in the last 31 days', async () => {
    const { fairlead, core, clock, personal } = await world()
    const create = () => core.run(operations.createProject, personal.viewer, { name: 'One' })
    const first = await create()
    expect(errorCode(await create())).toBe('CONFLICT')
    await fairlead.projects.delete({ id: first.success ? first.data.id : '' })
    expect(await create()).toMatchObject({ error: { message: expect.stringContaining('allows one project') } })
    clock.advance(31 * day)
    const { userId, credentials } = await later(fairlead, 'viewer')
    expect(userId).toBeDefined()
    expect(errorCode(await core.run(operations.createProject, credentials, { name: 'One' }))).toBe('ok')
  })

  test('createProject lets only admins name another owner', async () => {
    const { core, personal, userIds } = await world()
    const create = (caller: Credentials, ownerId: string) =>
      core.run(operations.createProject, caller, { name: 'One', ownerId })
    expect(errorCode(await create(personal.viewer, userIds.owner))).toBe('FORBIDDEN')
    expect(errorCode(await create(personal['service admin'], userIds.viewer))).toBe('ok')
    expect(errorCode(await create(personal['service admin'], 'usr_1'))).toBe('NOT_FOUND')
  })
})

describe('updateProject', () => {
  const rename = (
    { core, projectId, personal }: World,
    caller: keyof World['personal'],
    fields: object = { name: 'New' },
  ) => core.run(operations.updateProject, personal[caller], { id: projectId, ...fields })

  test('updateProject lets admins and owners of the project change its name', async () => {
    const here = await world()
    const callers = ['viewer', 'developer', 'admin', 'owner', 'service admin', 'stranger'] as const
    const codes = []
    for (const caller of callers) codes.push(errorCode(await rename(here, caller)))
    expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN', 'ok', 'ok', 'ok', 'NOT_FOUND'])
  })

  test('updateProject lets only admins of the service change funds', async () => {
    const here = await world()
    expect(await rename(here, 'owner', { funded: true })).toMatchObject({ error: { details: { field: 'funded' } } })
    expect(await rename(here, 'service admin', { funded: true })).toMatchObject({ data: { funded: true } })
  })

  test('updateProject lets only admins of the service change tier, quota, budget and status', async () => {
    const here = await world()
    const fields = { tier: 'enterprise', quotaLimit: 5, quotaScope: 'project', budgetUsd: 3, budgetPeriod: 'day' }
    expect(await rename(here, 'owner', fields)).toMatchObject({
      error: { code: 'FORBIDDEN', details: { field: 'tier', issue: 'can be changed only by an admin of the service' } },
    })
    expect(await rename(here, 'service admin', fields)).toMatchObject({ data: fields })
    expect(await rename(here, 'owner')).toMatchObject({ data: { ...fields, name: 'New' } })
    expect(await rename(here, 'service admin', { tier: 'pro' })).toMatchObject({ data: { quotaLimit: null } })
    expect(errorCode(await rename(here, 'service admin', { quotaLimit: 5 }))).toBe('INVALID_REQUEST')
  })

  test('updateProject suspends a project for its keys and members, but not for admins of the service outside of it', async () => {
    const here = await world()
    const { core, credentials } = here
    await rename(here, 'service admin', { status: 'suspended' })
    for (const caller of ['key', 'owner', 'service admin'] as const) {
      expect(await core.run(operations.models, credentials[caller], {})).toMatchObject({
        error: { code: 'FORBIDDEN', message: 'This project is suspended.' },
      })
    }
    expect(errorCode(await rename(here, 'service admin', { status: 'active' }))).toBe('ok')
    expect(errorCode(await core.run(operations.models, credentials.key, {}))).toBe('ok')
  })

  test('updateProject lets a suspended project be changed only by admins of the service, and adds no members to it', async () => {
    const here = await world()
    const { core, personal, projectId, userIds } = here
    const invited = await core.run(operations.createInvitation, personal.owner, { projectId, role: 'viewer' })
    const token = invited.success ? invited.data.token : ''
    await rename(here, 'service admin', { status: 'suspended' })
    const member = { projectId, userId: userIds.viewer, role: 'owner' } as const
    const suspended = { error: { code: 'FORBIDDEN', message: 'This project is suspended.' } }
    expect(await rename(here, 'owner')).toMatchObject(suspended)
    expect(await core.run(operations.setProjectMember, personal.owner, member)).toMatchObject(suspended)
    expect(await core.run(operations.deleteProject, personal.owner, { id: projectId })).toMatchObject(suspended)
    expect(await core.run(operations.acceptInvitation, personal.stranger, { token })).toMatchObject(suspended)
    expect(errorCode(await core.run(operations.setProjectMember, personal['service admin'], member))).toBe('ok')
  })
})

describe('deleteProject', () => {
  test('deleteProject is for owners, and removes its keys, webhooks and shipments', async () => {
    const { core, stores, projectId, personal, credentials } = await world()
    const remove = (caller: Credentials) => core.run(operations.deleteProject, caller, { id: projectId })
    const webhook = { url: 'https://example.com/hooks', events: ['*'] }
    expect(errorCode(await core.run(operations.createWebhook, credentials.developer, webhook))).toBe('ok')
    expect(errorCode(await remove(personal.admin))).toBe('FORBIDDEN')
    expect(errorCode(await remove(personal.owner))).toBe('ok')
    expect(errorCode(await core.run(operations.models, credentials.key, {}))).toBe('UNAUTHORIZED')
    expect(errorCode(await core.run(operations.models, credentials.owner, {}))).toBe('NOT_FOUND')
    const left = await stores.read(async (view) => [
      await view.projects.find(projectId),
      await view.owners.find(projectId),
      ...(await view.keys.list({ userId: projectId }, { first: 'newest', limit: 9 })),
      ...(await view.webhooks.list({ userId: projectId }, { first: 'newest', limit: 9 })),
      ...(await view.members.list(projectId, { first: 'newest', limit: 9 })),
    ])
    expect(left).toEqual([undefined, undefined])
  })
})

describe('the personal project', () => {
  test('the personal project means the same in a request as no project', async () => {
    const { core, personal, userIds } = await world()
    const project = personalProjectId(userIds.developer)
    const created = await core.run(operations.createApiKey, { ...personal.developer, project } as Credentials, {
      name: 'mine',
    })
    expect(errorCode(created)).toBe('ok')
    expect(await core.run(operations.apiKeys, personal.developer, {})).toMatchObject({ data: [{ name: 'mine' }] })
  })

  test('the personal project cannot be changed, shared or deleted', async () => {
    const { core, personal, userIds } = await world()
    const id = personalProjectId(userIds.owner)
    const of = { projectId: id, role: 'viewer', userId: userIds.viewer } as const
    const replies = [
      await core.run(operations.updateProject, personal.owner, { id, name: 'Mine' }),
      await core.run(operations.deleteProject, personal.owner, { id }),
      await core.run(operations.setProjectMember, personal.owner, of),
      await core.run(operations.createInvitation, personal.owner, { projectId: id, role: 'viewer' }),
      await core.run(operations.projectMembers, personal.owner, { projectId: id }),
    ]
    for (const reply of replies) {
      expect(reply).toMatchObject({
        error: { code: 'CONFLICT', message: expect.stringContaining('your personal project') },
      })
    }
    expect(await core.run(operations.project, personal.owner, { id })).toMatchObject({ data: { personal: true } })
    expect(errorCode(await core.run(operations.project, personal.viewer, { id }))).toBe('NOT_FOUND')
  })
})

/** Signs in again, because the access token has expired. */
async function later(fairlead: World['fairlead'], person: string) {
  const email = `${person}@example.com`
  const { user, accessToken } = await fairlead.sessions.login({ email, password: 'a long password' })
  return { userId: user.id, credentials: { kind: 'bearer', token: accessToken } as Credentials }
}
