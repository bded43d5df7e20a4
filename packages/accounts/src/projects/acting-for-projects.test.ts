import { describe, expect, test } from 'vitest'
import { scripted, type fakeTextModel, someShipment, testCore } from '@fairlead/testing'
import { testProject, operations } from '@fairlead/testing/workspace'
import type { Credentials } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'

const generation = { model: 'any', prompt: 'Say hello' }

async function world() {
  const provider = scripted('calm', 'hello there')
  const models = provider.models as readonly ReturnType<typeof fakeTextModel>[]
  const priced = { ...provider, models: models.map((model) => ({ ...model, pricing: { input: 0, output: 1_000 } })) }
  const given = await testCore({ providers: [priced] })
  return { ...given, ...(await testProject(given)) }
}

const errorCode = (
  reply: { readonly success: true } | { readonly success: false; readonly error: { readonly code: string } },
) => (reply.success ? 'ok' : reply.error.code)

describe('a session that acts for a project', () => {
  test('a session that acts for a project must name an id of a project', async () => {
    const { core, personal } = await world()
    for (const project of ['', 'Search', 'usr_2144006262569533826222110534494264869', 'prj_1']) {
      const reply = await core.run(operations.models, { ...personal.owner, project } as Credentials, {})
      expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'X-Fairlead-Project' } } })
    }
  })

  test('a session that acts for a project gets the same error for a project of others and for one that does not exist', async () => {
    const { core, personal, credentials } = await world()
    const none = { ...personal.stranger, project: 'prj_2144006262569533826222110534494264869' } as Credentials
    const replies = [credentials.stranger, none].map(async (caller) => core.run(operations.models, caller, {}))
    for (const reply of await Promise.all(replies)) {
      expect(reply).toMatchObject({ error: { code: 'NOT_FOUND', message: 'Project not found.' } })
    }
  })

  test('a session that acts for a project sees and changes the records of the project alone', async () => {
    const { core, clock, stores, projectId, userIds, credentials, personal } = await world()
    const newId = createIds(clock.now)
    const [ours, mine] = [projectId, userIds.developer].map((userId) => someShipment(newId, { userId }))
    await stores.transact(async (tx) => {
      for (const shipment of [ours, mine]) if (shipment) await tx.shipments.add(shipment)
    })
    const idsFor = async (caller: Credentials) => {
      const reply = await core.run(operations.shipments, caller, {})
      return reply.success ? reply.data.map(({ id }) => id) : reply.error.code
    }
    expect(await idsFor(credentials.developer)).toEqual([ours?.id])
    expect(await idsFor(credentials.key)).toEqual([ours?.id])
    expect(await idsFor(credentials['service admin'])).toEqual([ours?.id])
    expect(await idsFor(personal.developer)).toEqual([mine?.id])
    const get = (caller: Credentials, id = '') => core.run(operations.shipment, caller, { id })
    expect(errorCode(await get(credentials.developer, mine?.id))).toBe('NOT_FOUND')
    expect(errorCode(await get(personal.owner, ours?.id))).toBe('NOT_FOUND')
  })

  test('a session that acts for a project creates API keys that belong to the project, without scopes that only users have', async () => {
    const { core, credentials, personal } = await world()
    const create = (scopes: string[]) =>
      core.run(operations.createApiKey, credentials.developer, { name: 'ours', scopes })
    for (const scope of ['users', 'projects', 'audit']) {
      expect(await create(['models', scope])).toMatchObject({
        error: { code: 'FORBIDDEN', details: { field: 'scopes' } },
      })
    }
    expect(errorCode(await create(['models', 'keys']))).toBe('ok')
    const names = async (caller: Credentials) => {
      const reply = await core.run(operations.apiKeys, caller, {})
      return reply.success ? reply.data.map(({ name }) => name).toSorted() : []
    }
    expect(await names(credentials.viewer)).toEqual(['key', 'ours'])
    expect(await names(personal.developer)).toEqual([])
  })

  test('a session that acts for a project reads and changes the user who acts where an operation is about a user', async () => {
    const { core, credentials, userIds } = await world()
    const { viewer } = credentials
    expect(await core.run(operations.user, viewer, { id: 'me' })).toMatchObject({ data: { id: userIds.viewer } })
    expect(await core.run(operations.users, viewer, {})).toMatchObject({ data: [{ id: userIds.viewer }] })
    expect(await core.run(operations.patchUser, viewer, { id: userIds.viewer, name: 'Vi' })).toMatchObject({
      data: { name: 'Vi' },
    })
    expect(errorCode(await core.run(operations.patchUser, viewer, { id: userIds.owner, name: 'Vi' }))).toBe('NOT_FOUND')
    const sessions = await core.run(operations.sessions, viewer, {})
    expect(sessions).toMatchObject({ data: [{ current: true }] })
    const id = sessions.success ? (sessions.data[0]?.id ?? '') : ''
    expect(errorCode(await core.run(operations.endSession, viewer, { id }))).toBe('ok')
  })

  test('a session that acts for a project shares one counter of the quota and the usage with the other members', async () => {
    const { core, projectId, credentials } = await world()
    for (const caller of [credentials.developer, credentials.owner])
      await core.run(operations.generate, caller, generation)
    const usage = await core.run(operations.usage, credentials.viewer, {})
    expect(usage).toMatchObject({
      data: { credentials: [{ kind: 'session', userId: projectId, used: 2 }, { kind: 'key' }] },
    })
    expect(await core.run(operations.requests, credentials.viewer, {})).toMatchObject({
      data: [
        { userId: projectId, userName: 'Search', keyId: null },
        { userId: projectId, userName: 'Search', keyId: null },
      ],
    })
    const series = await core.run(operations.usageTimeseries, credentials.viewer, { groupBy: 'key' })
    expect(series).toMatchObject({ data: { groups: [{ group: 'sessions', requests: 2 }] } })
  })

  test('a session that acts for a project is in the audit log with the user who acts', async () => {
    const { fairlead, core, clock, credentials, userIds } = await world()
    clock.advance(1)
    await core.run(operations.createApiKey, credentials.developer, { name: 'ours' })
    const [entry] = await fairlead.audit.list({ action: 'createApiKey' })
    expect(entry).toMatchObject({ actor: userIds.developer, credential: expect.stringMatching(/^ses_/) })
  })

  test('a session that acts for a project has Idempotency-Keys of its own for each member', async () => {
    const { core, credentials } = await world()
    const create = (caller: Credentials) =>
      core.run(operations.createApiKey, caller, { name: 'ours' }, { idempotencyKey: 'one' })
    const [first, second] = [await create(credentials.developer), await create(credentials.owner)]
    expect(first.success && second.success && first.data.id !== second.data.id).toBe(true)
    expect(await create(credentials.owner)).toMatchObject({ replayed: true })
  })

  test('a session that acts for a project may act until five seconds after another node removed the member', async () => {
    const { core, clock, stores, projectId, userIds, credentials } = await world()
    const list = async () => errorCode(await core.run(operations.models, credentials.viewer, {}))
    expect(await list()).toBe('ok')
    await stores.transact((tx) => tx.members.remove(projectId, userIds.viewer))
    clock.advance(4_999)
    expect(await list()).toBe('ok')
    clock.advance(1)
    expect(await list()).toBe('NOT_FOUND')
  })

  test('a session that acts for a project loses its stream when the user is removed from the project', async () => {
    const { fairlead, core, projectId, userIds, credentials } = await world()
    const reply = await core.run(operations.eventStream, credentials.viewer, {})
    if (!reply.success || !('events' in reply)) throw new Error('no stream')
    const next = reply.events[Symbol.asyncIterator]().next()
    await fairlead.projects.removeMember({ projectId, userId: userIds.viewer })
    expect(await next).toMatchObject({ value: { type: 'error', reply: { error: { code: 'NOT_FOUND' } } } })
  })
})

describe('the limits of a project', () => {
  test('keys and members share one quota with the quota scope project', async () => {
    const { fairlead, core, projectId, credentials } = await world()
    await fairlead.projects.update({ id: projectId, tier: 'enterprise', quotaLimit: 2, quotaScope: 'project' })
    const callers = [credentials.key, credentials.developer, credentials.owner]
    const codes = []
    for (const caller of callers) codes.push(errorCode(await core.run(operations.generate, caller, generation)))
    expect(codes).toEqual(['ok', 'ok', 'QUOTA_EXCEEDED'])
  })

  test('a budget applies to its keys and members, who also need room in their own', async () => {
    const { fairlead, core, projectId, userIds, credentials, personal } = await world()
    await fairlead.projects.update({ id: projectId, budgetUsd: 0 })
    for (const caller of [credentials.key, credentials.developer]) {
      expect(await core.run(operations.generate, caller, generation)).toMatchObject({
        error: { code: 'BUDGET_EXCEEDED', details: { budget: 'project', period: 'total' } },
      })
    }
    expect(errorCode(await core.run(operations.generate, personal.developer, generation))).toBe('ok')
    expect(await core.run(operations.usage, credentials.viewer, {})).toMatchObject({
      data: { budgets: [{ kind: 'project', id: projectId, limitUsd: 0 }] },
    })
    await fairlead.projects.update({ id: projectId, budgetUsd: null })
    await fairlead.users.patch({ id: userIds.developer, budgetUsd: 0 })
    expect(await core.run(operations.generate, credentials.developer, generation)).toMatchObject({
      error: { code: 'BUDGET_EXCEEDED', details: { budget: 'user' } },
    })
    expect(errorCode(await core.run(operations.generate, credentials.key, generation))).toBe('ok')
  })

  test('admins of the service name a project where they name a user', async () => {
    const { core, projectId, personal } = await world()
    const admin = personal['service admin']
    expect(errorCode(await core.run(operations.usage, admin, { userId: projectId }))).toBe('ok')
    expect(await core.run(operations.apiKeys, admin, { userId: projectId })).toMatchObject({ data: [{ name: 'key' }] })
    expect(errorCode(await core.run(operations.usage, personal.owner, { userId: projectId }))).toBe('NOT_FOUND')
  })
})

describe('the audit log of a project', () => {
  test('the audit log of a project is for its admins and owners, and has only entries of the project', async () => {
    const { fairlead, core, projectId, credentials, personal, userIds } = await world()
    await core.run(operations.createApiKey, personal.owner, { name: 'mine' })
    await core.run(operations.patchUser, credentials.owner, { id: userIds.owner, name: 'Olive' })
    const codes = []
    for (const caller of ['viewer', 'developer', 'admin', 'owner', 'service admin', 'stranger', 'key'] as const) {
      codes.push(errorCode(await core.run(operations.auditLog, credentials[caller], {})))
    }
    expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN', 'ok', 'ok', 'ok', 'NOT_FOUND', 'FORBIDDEN'])
    const reply = await core.run(operations.auditLog, credentials.owner, { limit: 100 })
    const entries = (reply.success ? reply.data : []).filter(({ action }) => action !== 'auditLog')
    expect(new Set(entries.map((entry) => entry.projectId))).toEqual(new Set([projectId]))
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      'createApiKey',
      'createProject',
      ...Array.from({ length: 4 }, () => 'setProjectMember'),
    ])
    const other = await core.run(operations.auditLog, credentials.owner, { projectId: 'prj_1' })
    expect(other).toMatchObject({ data: [] })
    expect(errorCode(await core.run(operations.auditLog, personal.owner, {}))).toBe('FORBIDDEN')
    const all = await fairlead.audit.list({ projectId, limit: 100 })
    expect(all.filter(({ action }) => action !== 'auditLog')).toHaveLength(entries.length)
  })

  test('the audit log of a project has what an admin of the service does to its keys', async () => {
    const { core, projectId, credentials, personal } = await world()
    const keys = await core.run(operations.apiKeys, credentials.viewer, {})
    const id = keys.success ? (keys.data[0]?.id ?? '') : ''
    await core.run(operations.revokeApiKey, personal['service admin'], { id })
    const reply = await core.run(operations.auditLog, credentials.admin, { action: 'revokeApiKey' })
    expect(reply).toMatchObject({ data: [{ target: { id }, projectId }] })
  })
})
