import { describe, expect, test } from 'vitest'
import type { Credentials } from '@fairlead/core'
import { testCore } from '@fairlead/testing'
import type { ApiKeyRow } from './key.ts'
import type { UserRow } from '../users/user.ts'
import { operations } from '@fairlead/testing/workspace'

const bearer = (token: string): Credentials => ({ kind: 'bearer', token })
const rejected = (code: string) => ({ success: false, error: { code } })

/** Creates a user with an API key for all scopes, and returns functions that call operations as this user. */
async function owner(facts: { user?: Partial<UserRow>; key?: Partial<ApiKeyRow> } = { user: { tier: 'pro' } }) {
  const setup = await testCore()
  const { credentials, keyId, userId } = await setup.addCaller(facts)
  const { run } = setup.core
  return {
    ...setup,
    credentials,
    keyId,
    userId,
    run,
    create: (input: object = {}) => run(operations.createApiKey, credentials, { name: 'robot', ...input }),
    revoke: (id: string) => run(operations.revokeApiKey, credentials, { id }),
    rotate: (id: string, input: object = {}) => run(operations.rotateApiKey, credentials, { id, ...input }),
    models: (token: string) => run(operations.models, bearer(token), {}),
  }
}

function requireData<Data>(
  reply: { success: true; data: Data } | { success: false; error: { message: string } },
): Data {
  if (!reply.success) throw new Error(reply.error.message)
  return reply.data
}

describe('createKey', () => {
  test('createKey creates a key that works immediately, with the scopes generate, analyze, and models by default', async () => {
    const { create, models, run } = await owner()
    const key = requireData(await create())
    expect(key).toMatchObject({
      name: 'robot',
      scopes: ['generate', 'analyze', 'models'],
      tier: 'pro',
      quotaLimit: 10_000,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    })
    expect(key.secret).toMatch(/^fl_[0-9A-Za-z]{49}$/)
    expect(key.prefix).toBe(key.secret.slice(0, 10))
    expect(await models(key.secret)).toMatchObject({ success: true })
    expect(await run(operations.shipments, bearer(key.secret), {})).toMatchObject(rejected('FORBIDDEN'))
  })

  test('createKey returns the secret only on creation', async () => {
    const { create, run, credentials } = await owner()
    const { id, secret } = requireData(await create())
    const shown = [
      await run(operations.apiKey, credentials, { id }),
      await run(operations.apiKeys, credentials, {}),
      await run(operations.apiKey, credentials, { id }),
    ]
    expect(JSON.stringify(shown)).not.toContain(secret)
  })

  test('createKey creates 50 keys that all work immediately', async () => {
    const { create, models } = await owner({ user: { tier: 'enterprise', quotaLimit: null } })
    for (let n = 0; n < 50; n++) {
      expect(await models(requireData(await create()).secret)).toMatchObject({ success: true })
    }
  })

  test('createKey creates a key that is rejected once it expires', async () => {
    const { create, models, clock } = await owner()
    const expiresAt = new Date(clock.now() + 1_000).toISOString()
    const key = requireData(await create({ expiresAt }))
    expect(key.expiresAt).toBe(expiresAt)
    clock.advance(999)
    expect(await models(key.secret)).toMatchObject({ success: true })
    clock.advance(1)
    expect(await models(key.secret)).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test.each([
    ['without a name', { name: '' }, 'name'],
    ['without scopes', { scopes: [] }, 'scopes'],
    ['with a duplicate scope', { scopes: ['models', 'models'] }, 'scopes'],
    ['with an unknown scope', { scopes: ['everything'] }, 'scopes[0]'],
    ['with an expiry in the past', { expiresAt: '2026-03-14T09:26:53Z' }, 'expiresAt'],
  ])('createKey rejects a key %s', async (_case, input, field) => {
    const { create } = await owner()
    expect(await create(input)).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field } } })
  })

  test('createKey rejects scopes that the caller’s credential lacks', async () => {
    const { create } = await owner({ user: { tier: 'pro' }, key: { scopes: ['keys', 'models'] } })
    expect(await create()).toMatchObject(rejected('FORBIDDEN'))
    expect(await create({ scopes: ['models', 'users'] })).toMatchObject({
      error: { code: 'FORBIDDEN', details: { field: 'scopes' } },
    })
    expect(await create({ scopes: ['models'] })).toMatchObject({ success: true })
  })
})

describe('the maximum number of keys', () => {
  test('the maximum number of keys depends on the tier and counts keys revoked this month', async () => {
    const { create, revoke, clock } = await owner({ user: { tier: 'free' } })
    const first = requireData(await create())
    await revoke(first.id)
    await create()
    expect(await create()).toMatchObject(rejected('CONFLICT'))
    clock.jumpTo('2026-04-01T00:00:00.000Z')
    expect(await create()).toMatchObject({ success: true })
    expect(await create()).toMatchObject(rejected('CONFLICT'))
  })

  test('the maximum number of keys counts keys that expired this month', async () => {
    const { create, clock } = await owner({ user: { tier: 'free' } })
    const createShortLived = () => create({ expiresAt: new Date(clock.now() + 1).toISOString() })
    await createShortLived()
    await createShortLived()
    clock.advance(10)
    expect(await create()).toMatchObject(rejected('CONFLICT'))
  })

  test('the maximum number of keys holds for concurrent creations and revocations', async () => {
    const { create, revoke } = await owner({ user: { tier: 'pro' } })
    const createAndRevoke = async () => {
      const reply = await create()
      if (reply.success) await revoke(reply.data.id)
      return reply.success
    }
    const made = await Promise.all(Array.from({ length: 40 }, createAndRevoke))
    expect(made.filter(Boolean)).toHaveLength(19)
  })

  test('the maximum number of keys applies to each user separately', async () => {
    const { create, addCaller, run } = await owner({ user: { tier: 'free' } })
    await create()
    await create()
    const { credentials } = await addCaller()
    expect(await run(operations.createApiKey, credentials, { name: 'other' })).toMatchObject({ success: true })
  })
})

describe('revokeKey', () => {
  test('revokeKey takes effect immediately on the node that revoked the key', async () => {
    const { create, revoke, models } = await owner()
    const { id, secret } = requireData(await create())
    expect(await models(secret)).toMatchObject({ success: true })
    expect(await revoke(id)).toMatchObject({ data: { id, deleted: true } })
    expect(await models(secret)).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('revokeKey takes effect within five seconds on every other node', async () => {
    const { create, revoke, stores, clock } = await owner()
    const elsewhere = await testCore({ stores })
    elsewhere.clock.jumpTo(clock.now())
    const { id, secret } = requireData(await create())
    const there = () => elsewhere.core.run(operations.models, bearer(secret), {})
    expect(await there()).toMatchObject({ success: true })
    await revoke(id)
    elsewhere.clock.advance(4_999)
    expect(await there()).toMatchObject({ success: true })
    elsewhere.clock.advance(1)
    expect(await there()).toMatchObject(rejected('UNAUTHORIZED'))
  })

  test('revokeKey keeps the time of the first revocation', async () => {
    const { create, revoke, run, credentials, clock } = await owner()
    const { id } = requireData(await create())
    await revoke(id)
    const revokedAt = new Date(clock.now()).toISOString()
    clock.advance(60_000)
    await revoke(id)
    expect(await run(operations.apiKey, credentials, { id })).toMatchObject({ data: { revokedAt } })
  })
})

describe('updateKey', () => {
  test('updateKey renames a key without changing its scopes or secret', async () => {
    const { create, run, credentials, models } = await owner()
    const { id, secret, scopes } = requireData(await create())
    const reply = await run(operations.updateApiKey, credentials, { id, name: 'shop' })
    expect(reply).toMatchObject({ data: { id, name: 'shop', scopes } })
    expect(requireData(reply)).not.toHaveProperty('secret')
    expect(await models(secret)).toMatchObject({ success: true })
  })

  test('updateKey changes the scopes with immediate effect', async () => {
    const { create, run, credentials, models } = await owner()
    const { id, secret } = requireData(await create())
    await models(secret)
    await run(operations.updateApiKey, credentials, { id, scopes: ['generate'] })
    expect(await models(secret)).toMatchObject(rejected('FORBIDDEN'))
  })

  test('updateKey adds only scopes that the caller’s credential has', async () => {
    const { create, run } = await owner()
    const weak = requireData(await create({ scopes: ['keys', 'models'] }))
    const strong = requireData(await create({ scopes: ['generate', 'usage'] }))
    const update = (scopes: readonly string[]) =>
      run(operations.updateApiKey, bearer(weak.secret), { id: strong.id, scopes })
    expect(await update(['generate', 'shipments'])).toMatchObject(rejected('FORBIDDEN'))
    expect(await update(['generate', 'models'])).toMatchObject({ data: { scopes: ['generate', 'models'] } })
  })

  test('updateKey returns CONFLICT for a revoked key', async () => {
    const { create, run, credentials, revoke } = await owner()
    const { id } = requireData(await create())
    await revoke(id)
    expect(await run(operations.updateApiKey, credentials, { id, name: 'shop' })).toMatchObject(rejected('CONFLICT'))
  })
})

describe('rotateKey', () => {
  test('rotateKey keeps the id and the used quota, and invalidates the old secret immediately', async () => {
    const { create, rotate, models } = await owner()
    const before = requireData(await create())
    await models(before.secret)
    const after = requireData(await rotate(before.id))
    expect(after).toMatchObject({ id: before.id, name: 'robot', prefix: after.secret.slice(0, 10) })
    expect(await models(before.secret)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await models(after.secret)).toMatchObject({ limits: { remaining: 9_998 } })
  })

  test('rotateKey keeps the old secret valid for the grace period', async () => {
    const { create, rotate, models, clock } = await owner()
    const before = requireData(await create())
    const after = requireData(await rotate(before.id, { graceSeconds: 60 }))
    clock.advance(59_999)
    expect(await models(before.secret)).toMatchObject({ success: true })
    clock.advance(1)
    expect(await models(before.secret)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await models(after.secret)).toMatchObject({ success: true })
  })

  test('rotateKey keeps at most two secrets valid', async () => {
    const { create, rotate, models } = await owner()
    const first = requireData(await create())
    const second = requireData(await rotate(first.id, { graceSeconds: 604_800 }))
    const third = requireData(await rotate(first.id, { graceSeconds: 604_800 }))
    expect(await models(first.secret)).toMatchObject(rejected('UNAUTHORIZED'))
    expect(await models(second.secret)).toMatchObject({ success: true })
    expect(await models(third.secret)).toMatchObject({ success: true })
  })

  test('rotateKey rejects a key with scopes that the caller’s credential lacks', async () => {
    const { create, run } = await owner()
    const strong = requireData(await create({ scopes: ['generate', 'models'] }))
    const weak = requireData(await create({ scopes: ['keys', 'models'] }))
    const reply = await run(operations.rotateApiKey, bearer(weak.secret), { id: strong.id })
    expect(reply).toMatchObject({ error: { code: 'FORBIDDEN', details: { field: 'scopes' } } })
  })

  test('rotateKey rejects a revoked key', async () => {
    const { create, rotate, revoke } = await owner()
    const { id } = requireData(await create())
    await revoke(id)
    expect(await rotate(id)).toMatchObject(rejected('CONFLICT'))
  })

  test.each([-1, 0.5, 604_801])('rotateKey rejects a grace period of %s seconds', async (graceSeconds) => {
    const { rotate, keyId } = await owner()
    expect(await rotate(keyId, { graceSeconds })).toMatchObject({ error: { details: { field: 'graceSeconds' } } })
  })
})

describe('access to a key', () => {
  test('access to a key returns NOT_FOUND for another user’s key', async () => {
    const { create, run, caller } = await owner()
    const { id } = requireData(await create())
    for (const operation of [operations.apiKey, operations.revokeApiKey, operations.rotateApiKey]) {
      expect(await run(operation, caller, { id })).toMatchObject(rejected('NOT_FOUND'))
    }
  })
})

describe('listKeys', () => {
  test('listKeys returns keys page by page, newest first', async () => {
    const { create, run, credentials, clock } = await owner()
    for (const name of ['one', 'two', 'three']) {
      clock.advance(1)
      await create({ name })
    }
    const first = await run(operations.apiKeys, credentials, { limit: 2 })
    expect(requireData(first).map(({ name }) => name)).toEqual(['three', 'two'])
    const cursor = first.meta.page?.nextCursor ?? undefined
    const second = await run(operations.apiKeys, credentials, { limit: 2, cursor })
    expect(requireData(second).map(({ name }) => name)).toEqual(['one', 'test'])
    expect(second.meta.page).toMatchObject({ hasMore: false, nextCursor: null })
  })

  test('listKeys filters by status and by a part of the name or prefix, page by page', async () => {
    const { create, revoke, run, credentials, clock } = await owner()
    const expiresAt = new Date(clock.now() + 1_000).toISOString()
    const website = requireData(await create({ name: 'website' }))
    clock.advance(1)
    const staging = requireData(await create({ name: 'website staging', expiresAt }))
    const shop = requireData(await create({ name: 'shop' }))
    await revoke(shop.id)
    clock.advance(1_000)
    const list = async (input: object) => {
      const reply = await run(operations.apiKeys, credentials, { sort: 'created_at', ...input })
      return { ids: requireData(reply).map(({ id }) => id), page: reply.meta.page }
    }
    expect((await list({ search: 'Website', status: 'active' })).ids).toEqual([website.id])
    expect((await list({ status: 'expired' })).ids).toEqual([staging.id])
    expect((await list({ status: 'revoked' })).ids).toEqual([shop.id])
    expect((await list({ search: website.prefix })).ids).toEqual([website.id])
    const { ids, page } = await list({ search: 'website', limit: 1 })
    expect(ids).toEqual([website.id])
    expect((await list({ search: 'website', limit: 1, cursor: page?.nextCursor })).ids).toEqual([staging.id])
  })

  test('listKeys rejects an unknown status and a search of more than 100 characters', async () => {
    const { run, credentials } = await owner()
    const reply = await run(operations.apiKeys, credentials, { status: 'old', search: 'x'.repeat(101) })
    expect(reply).toMatchObject(rejected('INVALID_REQUEST'))
    expect(reply.success ? [] : reply.error.details.issues?.map(({ field }) => field)).toEqual(['search', 'status'])
  })
})

describe('lastUsedAt', () => {
  test('lastUsedAt is updated at most once a minute', async () => {
    const { create, models, run, credentials, clock } = await owner()
    const { id, secret } = requireData(await create())
    const lastUsedAt = async () => requireData(await run(operations.apiKey, credentials, { id })).lastUsedAt
    const start = clock.now()
    await models(secret)
    await expect.poll(lastUsedAt).toBe(new Date(start).toISOString())
    clock.advance(59_999)
    await models(secret)
    expect(await lastUsedAt()).toBe(new Date(start).toISOString())
    clock.advance(1)
    await models(secret)
    await expect.poll(lastUsedAt).toBe(new Date(start + 60_000).toISOString())
  })
})
