import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { operations, storedEvents } from '@fairlead/testing/workspace'
import type { Credentials } from '@fairlead/core'
import { testCore } from '@fairlead/testing'

const rejected = (code: string, field?: string) => ({ error: { code, ...(field && { details: { field } }) } })

/** A user of the pro tier with a key that expires in an hour, and functions that call operations with any of its keys. */
async function family() {
  const setup = await testCore()
  const { run } = setup.core
  const soon = setup.clock.now() + 3_600_000
  const owner = await setup.addCaller({ user: { tier: 'pro' } })
  const parent = await setup.addCaller({ user: { tier: 'pro' }, key: { expiresAt: soon } })
  const create = async (credentials: Credentials, input: object = {}) => {
    const reply = await run(operations.createApiKey, credentials, {
      name: 'child',
      scopes: ['keys', 'models'],
      ...input,
    })
    if (!reply.success) throw new Error(JSON.stringify(reply.error))
    return { ...reply.data, credentials: { kind: 'bearer', token: reply.data.secret } as const }
  }
  const use = (credentials: Credentials) => run(operations.models, credentials, {})
  const show = async (id: string) => setup.stores.read((view) => view.keys.find(id))
  return { ...setup, run, soon, owner, parent, create, use, show }
}

const at = (instant: number) => new Date(instant).toISOString()

describe('a key that another key creates', () => {
  test('a key that another key creates expires with that key unless it names an earlier time, and names its creator', async () => {
    const { create, parent, soon } = await family()
    const child = await create(parent.credentials)
    expect(child).toMatchObject({ expiresAt: at(soon), createdBy: parent.keyId })
    expect((await create(parent.credentials, { expiresAt: at(soon - 1) })).expiresAt).toBe(at(soon - 1))
    expect((await create(child.credentials)).expiresAt).toBe(at(soon))
  })

  test('a key that another key creates is rejected with the field expires_at if it would expire later', async () => {
    const { run, parent, soon } = await family()
    const input = { name: 'child', expiresAt: at(soon + 1) }
    const reply = await run(operations.createApiKey, parent.credentials, input)
    expect(reply).toMatchObject(rejected('INVALID_REQUEST', 'expiresAt'))
  })

  test('a key that another key creates is rejected if that key was revoked on another node', async () => {
    const { run, parent, stores, clock, use } = await family()
    await use(parent.credentials)
    await stores.transact((tx) => tx.keys.revoke(parent.keyId, clock.now()))
    const reply = await run(operations.createApiKey, parent.credentials, { name: 'child' })
    expect(reply).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('a key that another key creates names the session that created it, and never expires by default', async () => {
    const { fairlead, run } = await family()
    const { accessToken } = await fairlead.sessions.signup({
      email: 'a@example.com',
      password: 'a long password',
      name: 'A',
    })
    const session: Credentials = { kind: 'bearer', token: accessToken }
    const reply = await run(operations.createApiKey, session, { name: 'mine' })
    expect(reply).toMatchObject({ data: { expiresAt: null, createdBy: expect.stringMatching(/^ses_/) } })
  })
})

describe('a key that expires cannot be outlived', () => {
  test('a key that expires cannot be outlived by changing the expiry of a key', async () => {
    const { create, run, parent, soon } = await family()
    const child = await create(parent.credentials, { expiresAt: at(soon - 1) })
    const patch = (credentials: Credentials, expiresAt: string | null) =>
      run(operations.updateApiKey, credentials, { id: child.id, expiresAt })
    for (const credentials of [parent.credentials, child.credentials]) {
      expect(await patch(credentials, at(soon + 1))).toMatchObject(rejected('INVALID_REQUEST', 'expiresAt'))
    }
    expect(await patch(parent.credentials, null)).toMatchObject({ data: { expiresAt: at(soon) } })
  })

  test('a key that expires cannot be outlived by changing the expiry of a key with another credential of the user', async () => {
    const { create, run, owner, clock } = await family()
    const limited = await create(owner.credentials, { expiresAt: at(clock.now() + 1_000) })
    const child = await create(limited.credentials)
    const patch = (expiresAt: string | null) =>
      run(operations.updateApiKey, owner.credentials, { id: child.id, expiresAt })
    expect(await patch(at(clock.now() + 1_001))).toMatchObject(rejected('INVALID_REQUEST', 'expiresAt'))
    expect(await patch(null)).toMatchObject({ data: { expiresAt: limited.expiresAt } })
  })

  test('a key that expires cannot be outlived by rotating a key that expires later', async () => {
    const { create, run, owner, clock } = await family()
    const lasting = await create(owner.credentials)
    const limited = await create(owner.credentials, { expiresAt: at(clock.now() + 1_000) })
    const reply = await run(operations.rotateApiKey, limited.credentials, { id: lasting.id })
    expect(reply).toMatchObject(rejected('FORBIDDEN'))
    expect(await run(operations.rotateApiKey, limited.credentials, { id: limited.id })).toMatchObject({ success: true })
  })

  test('a key that expires cannot be outlived by keys that it created before its own expiry was set', async () => {
    const { create, run, owner, show, stores, soon } = await family()
    const parent = await create(owner.credentials)
    const child = await create(parent.credentials)
    const grandchild = await create(child.credentials)
    await run(operations.updateApiKey, owner.credentials, { id: parent.id, expiresAt: at(soon) })
    expect([await show(child.id), await show(grandchild.id)]).toMatchObject([{ expiresAt: soon }, { expiresAt: soon }])
    const updated = (await storedEvents(stores)).filter(({ type }) => type === 'api_key.updated')
    expect(updated.map(({ resourceId }) => resourceId).toSorted()).toEqual(
      [parent.id, child.id, grandchild.id].toSorted(),
    )
  })

  test('a key cannot get scopes that the key that created it lacks', async () => {
    const { create, run, owner } = await family()
    const parent = await create(owner.credentials, { scopes: ['keys', 'models'] })
    const child = await create(parent.credentials, { scopes: ['models'] })
    const patch = (scopes: readonly string[]) =>
      run(operations.updateApiKey, owner.credentials, { id: child.id, scopes })
    expect(await patch(['models', 'usage'])).toMatchObject(rejected('FORBIDDEN', 'scopes'))
    expect(await patch(['models', 'keys'])).toMatchObject({ data: { scopes: ['models', 'keys'] } })
  })
})

const step = fc.record({
  /** Which of the keys so far acts, and on which. */
  by: fc.nat(5),
  on: fc.nat(5),
  action: fc.constantFrom('create', 'patch', 'rotate'),
  /** Seconds from now; null is none. */
  expiry: fc.option(fc.integer({ min: 1, max: 9 })),
})

describe('no sequence of requests with a key that expires', () => {
  test('no sequence of requests with a key that expires gives a credential that outlives it', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { core, addCaller, clock, stores } = await testCore()
      const { run } = core
      const ends = clock.now() + 5_000
      const root = await addCaller({ user: { tier: 'enterprise' }, key: { expiresAt: ends } })
      const held = [{ id: root.keyId, credentials: root.credentials as Credentials }]
      for (const { by, on, action, expiry } of steps) {
        const actor = held[by % held.length]!
        const target = held[on % held.length]!
        const expiresAt = expiry === null ? null : at(clock.now() + expiry * 1_000)
        const reply =
          action === 'create'
            ? await run(operations.createApiKey, actor.credentials, { name: 'next', scopes: ['keys'], expiresAt })
            : action === 'patch'
              ? await run(operations.updateApiKey, actor.credentials, { id: target.id, expiresAt })
              : await run(operations.rotateApiKey, actor.credentials, { id: target.id })
        if (!reply.success || !('secret' in reply.data)) continue
        const credentials: Credentials = { kind: 'bearer', token: String(reply.data.secret) }
        const known = held.findIndex(({ id }) => id === reply.data.id)
        held.splice(known === -1 ? held.length : known, 1, { id: reply.data.id, credentials })
      }
      const keys = await stores.read((view) => view.keys.findMany(held.map(({ id }) => id)))
      for (const { expiresAt } of keys) expect(expiresAt ?? Infinity).toBeLessThanOrEqual(ends)
    })
    await fc.assert(property, { numRuns: Number(process.env['FUZZ_RUNS'] ?? 30) })
  })
})

describe('revoking a key', () => {
  test('revoking a key leaves the keys that it created, unless children is set', async () => {
    const { create, run, owner, use } = await family()
    const parent = await create(owner.credentials)
    const child = await create(parent.credentials)
    const grandchild = await create(child.credentials)
    await run(operations.revokeApiKey, owner.credentials, { id: child.id })
    expect(await use(grandchild.credentials)).toMatchObject({ success: true })
    await run(operations.revokeApiKey, owner.credentials, { id: parent.id, children: true })
    expect(await use(grandchild.credentials)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await use(owner.credentials)).toMatchObject({ success: true })
  })
})

describe('an admin', () => {
  async function withAdmin() {
    const setup = await family()
    const admin = await setup.addCaller({ user: { role: 'admin' } })
    const victim = await setup.create(setup.owner.credentials)
    return { ...setup, admin, victim }
  }

  test('an admin lists the keys of every user, and nobody else does', async () => {
    const { run, fairlead, owner, parent, admin, victim } = await withAdmin()
    const listed = await run(operations.apiKeys, admin.credentials, { userId: owner.userId })
    expect(listed.success ? listed.data.map(({ id }) => id).toSorted() : []).toEqual(
      [owner.keyId, victim.id].toSorted(),
    )
    const list = (credentials: Credentials, userId: string) => run(operations.apiKeys, credentials, { userId })
    expect(await list(parent.credentials, owner.userId)).toMatchObject(rejected('NOT_FOUND'))
    expect(await list(admin.credentials, 'usr_none')).toMatchObject(rejected('NOT_FOUND'))
    expect(await fairlead.apiKeys.list({ userId: owner.userId })).toHaveLength(2)
  })

  test('an admin revokes the key of a user, who gets the event', async () => {
    const { run, owner, admin, victim, use, stores } = await withAdmin()
    expect(await use(victim.credentials)).toMatchObject({ success: true })
    expect(await run(operations.revokeApiKey, admin.credentials, { id: victim.id })).toMatchObject({ success: true })
    expect(await use(victim.credentials)).toMatchObject(rejected('UNAUTHORIZED'))
    const events = (await storedEvents(stores)).filter(({ type }) => type === 'api_key.revoked')
    expect(events).toMatchObject([{ userId: owner.userId, resourceId: victim.id }])
  })

  test('an admin never gets the secret of a user’s key', async () => {
    const { run, admin, victim } = await withAdmin()
    const reply = await run(operations.rotateApiKey, admin.credentials, { id: victim.id })
    expect(reply).toMatchObject(rejected('FORBIDDEN'))
  })
})
