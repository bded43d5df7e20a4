import { describe, expect, test } from 'vitest'
import { begun, fakeTextModel, testCore, testStores } from '@fairlead/testing'
import { testProject, operations } from '@fairlead/testing/workspace'
import type { TextEvent, Provider } from '@fairlead/core/provider'
import type { Credentials } from '@fairlead/core'

const generation = { model: 'any', prompt: 'Say hello' }
const stopped = { error: { code: 'FORBIDDEN', message: 'The project has no active owner.' } }

type Given = Parameters<typeof testCore>[0]

async function world(options: Given = {}) {
  const given = await testCore(options)
  const project = await testProject(given)
  const { core } = given
  const setStatus = (status: 'active' | 'suspended', input: object = {}) =>
    core.run(operations.patchUser, project.personal['service admin'], { id: project.userIds.owner, status, ...input })
  const codeFor = async (caller: Credentials) => {
    const reply = await core.run(operations.generate, caller, generation)
    return reply.success ? 'ok' : reply.error.message
  }
  return { ...given, ...project, setStatus, codeFor }
}

/** Yields one word and then nothing until it is aborted. */
const endless: Provider = {
  contract: 2,
  id: 'endless',
  models: [fakeTextModel()],
  async *streamText(_request, { signal }): AsyncGenerator<TextEvent> {
    yield* begun('well')
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  },
}

describe('a project whose only active owner is suspended', () => {
  test('a stopped project rejects its keys and its members, also admins of the service, until the owner is active again', async () => {
    const { core, credentials, setStatus, codeFor } = await world()
    const callers = [credentials.key, credentials.developer, credentials.viewer, credentials['service admin']]
    for (const caller of callers) expect(await core.run(operations.models, caller, {})).toMatchObject({ success: true })
    await setStatus('suspended')
    for (const caller of callers) expect(await core.run(operations.models, caller, {})).toMatchObject(stopped)
    expect(await core.run(operations.generate, credentials.key, generation)).toMatchObject(stopped)
    expect(await core.run(operations.createApiKey, credentials.key, { name: 'another' })).toMatchObject(stopped)
    expect(await codeFor(credentials.owner)).toBe('This account is suspended.')
    await setStatus('active')
    for (const caller of callers) expect(await core.run(operations.models, caller, {})).toMatchObject({ success: true })
  })

  test('a stopped project goes on once it has another active owner', async () => {
    const { fairlead, core, projectId, userIds, personal, credentials, setStatus } = await world()
    await setStatus('suspended')
    expect(await core.run(operations.models, credentials.key, {})).toMatchObject(stopped)
    const member = { projectId, userId: userIds.developer, role: 'owner' } as const
    expect(await core.run(operations.setProjectMember, personal.admin, member)).toMatchObject(stopped)
    await fairlead.projects.setMember(member)
    expect(await core.run(operations.models, credentials.key, {})).toMatchObject({ success: true })
  })

  test('a stopped project is not changed by its members, and gets no new ones', async () => {
    const { fairlead, core, projectId, userIds, personal, setStatus } = await world()
    const invitation = await fairlead.projects.invite({ projectId, role: 'viewer' })
    await setStatus('suspended')
    const { admin, stranger } = personal
    const viewer = { projectId, userId: userIds.viewer, role: 'viewer' } as const
    expect(await core.run(operations.updateProject, admin, { id: projectId, name: 'New' })).toMatchObject(stopped)
    expect(await core.run(operations.setProjectMember, admin, viewer)).toMatchObject(stopped)
    expect(await core.run(operations.acceptInvitation, stranger, { token: invitation.token })).toMatchObject(stopped)
    expect(await core.run(operations.project, admin, { id: projectId })).toMatchObject({ data: { status: 'active' } })
  })

  test('a stopped project ends a stream of its key at once on the node that suspends the owner', async () => {
    const timeouts = { totalMs: 3_600_000, idleMs: 3_600_000 }
    const { core, credentials, setStatus } = await world({ providers: [endless], timeouts })
    const reply = await core.run(operations.generate, credentials.key, { ...generation, stream: true })
    if (!reply.success || !('events' in reply)) throw new Error('no stream')
    const events = reply.events[Symbol.asyncIterator]()
    await events.next()
    const next = events.next()
    await setStatus('suspended')
    expect(await next).toMatchObject({ value: { type: 'error', reply: stopped } })
  })

  test('20 keys of three stopped projects are rejected at once on one node, and within five seconds on another', async () => {
    const stores = testStores()
    const here = await testCore({ stores })
    const there = await testCore({ stores })
    const { userId } = await here.addCaller({ user: { tier: 'pro' } })
    const keys: Credentials[] = []
    for (const name of ['One', 'Two', 'Three']) {
      const { id } = await here.fairlead.projects.create({ name, ownerId: userId })
      for (let n = 0; n < 7; n++) keys.push((await here.addCaller({ key: { userId: id } })).credentials)
    }
    const calls = keys.slice(0, 20)
    const outcomes = async ({ core }: typeof here) => {
      const replies = await Promise.all(calls.map((key) => core.run(operations.models, key, {})))
      return [...new Set(replies.map((reply) => (reply.success ? 'ok' : reply.error.message)))]
    }
    expect([await outcomes(here), await outcomes(there)]).toEqual([['ok'], ['ok']])
    await here.fairlead.users.patch({ id: userId, status: 'suspended' })
    expect(await outcomes(here)).toEqual(['The project has no active owner.'])
    there.clock.advance(5_000)
    expect(await outcomes(there)).toEqual(['The project has no active owner.'])
  })
})

describe('suspending a user', () => {
  test('the suspension of a user says which projects stop, and adds them to the audit log', async () => {
    const { fairlead, clock, projectId, setStatus } = await world()
    clock.advance(1)
    expect(await setStatus('suspended')).toMatchObject({
      meta: {
        warnings: [
          { field: 'status', issue: `stops the project "Search" (${projectId}), which has no other active owner` },
        ],
      },
    })
    const entries = await fairlead.audit.list({ projectId, action: 'patchUser' })
    expect(entries).toMatchObject([
      { target: { type: 'project', id: projectId }, before: { active_owner: true }, after: { active_owner: false } },
    ])
    expect((await setStatus('suspended')).meta).not.toHaveProperty('warnings')
    expect((await setStatus('active')).meta).not.toHaveProperty('warnings')
  })

  test('the suspension of an owner stops no project that has another active owner', async () => {
    const { fairlead, core, projectId, userIds, credentials, setStatus } = await world()
    await fairlead.projects.setMember({ projectId, userId: userIds.admin, role: 'owner' })
    expect((await setStatus('suspended')).meta).not.toHaveProperty('warnings')
    expect(await core.run(operations.models, credentials.key, {})).toMatchObject({ success: true })
  })

  test('the only active owner cannot leave a project with a suspended one', async () => {
    const { fairlead, core, projectId, userIds, setStatus, personal } = await world()
    await fairlead.projects.setMember({ projectId, userId: userIds.admin, role: 'owner' })
    await setStatus('suspended')
    const leave = { projectId, userId: userIds.admin }
    expect(await core.run(operations.removeProjectMember, personal.admin, leave)).toMatchObject({
      error: { code: 'CONFLICT', message: expect.stringContaining('last active owner') },
    })
  })
})

describe('the projects of a user', () => {
  const readIds = (reply: { readonly success: boolean; readonly data?: unknown }) =>
    reply.success ? (reply.data as readonly { readonly id: string }[]).map(({ id }) => id) : reply

  test('the projects of a user are listed for admins and for the user, with the role of the user', async () => {
    const { fairlead, core, projectId, userIds, personal } = await world()
    const list = (caller: Credentials, input: object) => core.run(operations.projects, caller, input)
    const ofOwner = { userId: userIds.owner }
    expect(await list(personal['service admin'], { userId: userIds.viewer })).toMatchObject({
      data: [{ id: projectId, role: 'viewer', personal: false }],
    })
    expect(readIds(await list(personal.owner, ofOwner))).toEqual([projectId])
    expect(readIds(await list(personal.viewer, ofOwner))).toEqual([])
    expect((await fairlead.projects.list(ofOwner)).map(({ id }) => id)).toEqual([projectId])
  })

  test('the list of projects can have only those without another active owner', async () => {
    const { fairlead, core, projectId, userIds, personal, setStatus } = await world()
    const list = async (userId: string) =>
      readIds(await core.run(operations.projects, personal['service admin'], { userId, soleOwner: true }))
    expect([await list(userIds.owner), await list(userIds.admin)]).toEqual([[projectId], []])
    await setStatus('suspended')
    expect(await list(userIds.owner)).toEqual([projectId])
    await fairlead.projects.setMember({ projectId, userId: userIds.admin, role: 'owner' })
    expect([await list(userIds.owner), await list(userIds.admin)]).toEqual([[], [projectId]])
    expect(readIds(await core.run(operations.projects, personal.admin, { soleOwner: true }))).toEqual([projectId])
  })

  test('the projects of a user cannot be asked for together with all projects', async () => {
    const { core, userIds, personal } = await world()
    const input = { allUsers: true, userId: userIds.owner }
    expect(await core.run(operations.projects, personal['service admin'], input)).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field: 'allUsers' } },
    })
  })
})
