import { describe, expect, test } from 'vitest'
import { operations, storedEvents } from '@fairlead/testing/workspace'
import { testCore } from '@fairlead/testing'
import type { Credentials } from '../access.ts'

const prompt = { model: 'any', prompt: 'x' }

/** A user with a quota of three requests that all credentials share, two keys, and a session. */
async function shared() {
  const setup = await testCore()
  const user = { tier: 'enterprise', quotaLimit: 3, quotaScope: 'user' } as const
  const { credentials: first, keyId, userId } = await setup.addCaller({ user })
  const created = await setup.core.run(operations.createApiKey, first, { name: 'second' })
  if (!created.success) throw new Error(created.error.message)
  const second: Credentials = { kind: 'bearer', token: created.data.secret }
  const { accessToken } = await setup.fairlead.sessions.exchange({ token: setup.signInToken(userId) })
  const session: Credentials = { kind: 'bearer', token: accessToken }
  const ask = (credentials: Credentials, options = {}) =>
    setup.core.run(operations.generate, credentials, prompt, options)
  return { ...setup, run: setup.core.run, first, second, session, keyId, secondId: created.data.id, userId, ask }
}

describe('a quota that the credentials of a user share', () => {
  test('a quota that the credentials of a user share counts the requests of all keys and sessions', async () => {
    const { ask, first, second, session } = await shared()
    expect(await ask(first)).toMatchObject({ limits: { limit: 3, remaining: 2 } })
    expect(await ask(second)).toMatchObject({ limits: { remaining: 1 } })
    expect(await ask(session)).toMatchObject({ limits: { remaining: 0 } })
    for (const credentials of [first, second, session]) {
      expect(await ask(credentials)).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' } })
    }
  })

  test('a quota that the credentials of a user share keeps the usage of each key, and its stored outcomes', async () => {
    const { ask, run, first, second, session, keyId, secondId } = await shared()
    const once = { idempotencyKey: 'k' }
    await ask(first, once)
    expect(await ask(second, once)).not.toHaveProperty('replayed')
    expect(await run(operations.usage, session, {})).toMatchObject({
      data: {
        credentials: expect.arrayContaining([
          expect.objectContaining({ kind: 'session', limit: 3, used: 0, remaining: 1 }),
          expect.objectContaining({ id: keyId, limit: 3, used: 1, remaining: 1 }),
          expect.objectContaining({ id: secondId, limit: 3, used: 1, remaining: 1 }),
        ]),
      },
    })
    expect(await run(operations.requests, session, { keyId: secondId })).toMatchObject({ data: [{ keyId: secondId }] })
  })

  test('a quota that the credentials of a user share emits its events for the user', async () => {
    const { ask, first, second, userId, stores } = await shared()
    for (const credentials of [first, second, first]) await ask(credentials)
    const events = (await storedEvents(stores)).filter(({ type }) => type === 'quota.exceeded')
    expect(events).toMatchObject([{ userId, data: { id: userId, key_id: null, used: 3 } }])
  })

  test('a quota that the credentials of a user share allows no quota of a key', async () => {
    const { run, session } = await shared()
    const reply = await run(operations.createApiKey, session, { name: 'third', quotaLimit: 1 })
    expect(reply).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'quotaLimit' } } })
  })

  test('a quota that the credentials of a user share is chosen by admins alone', async () => {
    const { run, first, userId, addCaller, ask } = await shared()
    const change = (credentials: Credentials) =>
      run(operations.patchUser, credentials, { id: userId, quotaScope: 'key' })
    expect(await change(first)).toMatchObject({ error: { code: 'FORBIDDEN', details: { field: 'quotaScope' } } })
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    await ask(first)
    expect(await change(admin)).toMatchObject({ data: { quotaScope: 'key' } })
    expect(await ask(first)).toMatchObject({ limits: { remaining: 2 } })
  })
})

describe('the quota of a key', () => {
  test('the quota of a key is the lower one of its own limit and that of the tier', async () => {
    const { core, addCaller } = await testCore()
    const { credentials, keyId } = await addCaller({ key: { limits: { quotaLimit: 1 } } })
    expect(await core.run(operations.apiKey, credentials, { id: keyId })).toMatchObject({ data: { quotaLimit: 1 } })
    const ask = () => core.run(operations.generate, credentials, prompt)
    expect(await ask()).toMatchObject({ limits: { limit: 1, remaining: 0 } })
    expect(await ask()).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' } })
    expect(await core.run(operations.usage, credentials, {})).toMatchObject({
      data: { credentials: [{ limit: 1_000 }, { id: keyId, limit: 1, used: 1, remaining: 0 }] },
    })
    const { credentials: lowered } = await addCaller({
      user: { tier: 'enterprise', quotaLimit: 2 },
      key: { limits: { quotaLimit: 5 } },
    })
    expect(await core.run(operations.generate, lowered, prompt)).toMatchObject({ limits: { limit: 2 } })
  })
})
