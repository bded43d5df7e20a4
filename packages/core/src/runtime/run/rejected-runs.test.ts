import { describe, expect, test } from 'vitest'
import type { Credentials } from '../access.ts'
import { operations } from '@fairlead/testing/workspace'
import { testClock, testCore, withOutages, testStores } from '@fairlead/testing'

const flushMs = 1_000

async function setup() {
  const stores = withOutages(testStores({ clock: testClock() }))
  const world = await testCore({ stores })
  return {
    ...world,
    stores,
    generate: (input: object, as: Credentials = world.caller) => world.core.run(operations.generate, as, input),
    async log(input: object = {}) {
      world.clock.advance(flushMs)
      return world.fairlead.requests.list({ limit: 100, ...input })
    },
  }
}

describe('a rejected call of a known caller', () => {
  test('a rejected call of a known caller is in the log of requests with its message, and is not charged', async () => {
    const { generate, log, keyId } = await setup()
    const { meta } = await generate({ model: 'none', prompt: 'x' })
    expect(await log()).toMatchObject([
      {
        requestId: meta.requestId,
        operation: 'generate',
        status: 'INVALID_REQUEST',
        errorMessage: 'model: unknown model "none"; models of type text: any',
        charged: false,
        keyId,
        provider: null,
        attempts: [],
      },
    ])
  })

  test('a rejected call of a known caller is there for a missing scope, a used-up quota, and keys that are expired or revoked', async () => {
    const { generate, log, addCaller } = await setup()
    const input = { model: 'any', prompt: 'x' }
    const callers = [
      await addCaller({ key: { scopes: ['models'] } }),
      await addCaller({ user: { tier: 'enterprise', quotaLimit: 0 } }),
      await addCaller({ key: { expiresAt: 1 } }),
      await addCaller({ key: { revokedAt: 1 } }),
      await addCaller({ user: { status: 'suspended' } }),
    ]
    for (const { credentials } of callers) await generate(input, credentials)
    const found = await log()
    expect(callers.map(({ keyId }) => found.find((record) => record.keyId === keyId)?.status)).toEqual([
      'FORBIDDEN',
      'QUOTA_EXCEEDED',
      'UNAUTHORIZED',
      'UNAUTHORIZED',
      'FORBIDDEN',
    ])
  })

  test('a rejected call of a known caller is not there for an unknown key, an expired session, an operation that is not metered, and browsing', async () => {
    const { fairlead, core, generate, log, caller, addCaller, signInToken, clock } = await setup()
    const { userId } = await addCaller()
    const { accessToken: token } = await fairlead.sessions.exchange({ token: signInToken(userId) })
    const session = { kind: 'bearer', token } as const
    await core.run(operations.models, session, { type: 'none' })
    await core.run(operations.requests, caller, { status: 'none' })
    await generate({}, { kind: 'bearer', token: `fl_${'0'.repeat(49)}` })
    clock.advance(24 * 3_600_000)
    await generate({ model: 'any', prompt: 'x' }, session)
    expect(await log()).toEqual([])
  })

  test('a rejected call of a known caller is no usage', async () => {
    const { core, generate, log, caller } = await setup()
    await generate({ model: 'none', prompt: 'x' })
    await log()
    expect(await core.run(operations.usageTimeseries, caller, {})).toMatchObject({ data: { groups: [] } })
    expect(await core.run(operations.usage, caller, {})).toMatchObject({
      data: { credentials: [{ used: 0 }, { used: 0, operations: [] }] },
    })
  })

  test('a rejected call of a known caller is found by the filter `charged`, as is a call that was charged', async () => {
    const { generate, log } = await setup()
    const rejected = await generate({ model: 'none', prompt: 'x' })
    const succeeded = await generate({ model: 'any', prompt: 'x' })
    expect(await log({ charged: false })).toMatchObject([{ requestId: rejected.meta.requestId }])
    expect(await log({ charged: true })).toMatchObject([{ requestId: succeeded.meta.requestId }])
  })

  test('a rejected call of a known caller is recorded once, also if it was settled', async () => {
    const { core, caller, log } = await setup()
    await core.run(operations.model, caller, { id: 'none' })
    expect(await log()).toMatchObject([{ operation: 'model', status: 'NOT_FOUND' }])
  })

  test('a rejected call of a known caller is recorded 60 times at once for each account, and then once a minute', async () => {
    const { generate, log, clock, addCaller } = await setup()
    const { credentials: other, userId } = await addCaller()
    for (let call = 0; call < 70; call++) await generate({})
    await generate({}, other)
    expect(await log()).toHaveLength(61)
    expect(await log({ userId })).toHaveLength(1)
    clock.advance(60_000)
    for (let call = 0; call < 3; call++) await generate({})
    expect(await log()).toHaveLength(62)
  })

  test('a rejected call of a known caller is written in one transaction with others', async () => {
    const { generate, log, stores } = await setup()
    for (let call = 0; call < 3; call++) await generate({})
    // All of them are lost with the transaction.
    stores.failNext(1)
    await log()
    expect(await log()).toEqual([])
  })

  test('a rejected call of a known caller is answered as ever when its record cannot be written', async () => {
    const { generate, log, stores, logged } = await setup()
    stores.failNext(1)
    expect(await generate({})).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
    await log()
    expect(logged).toContainEqual(expect.objectContaining({ message: 'could not record rejected requests' }))
  })

  test('a rejected call of a known caller is recorded when core is closed', async () => {
    const { core, generate, stores, keyId } = await setup()
    const { meta } = await generate({})
    await core.close()
    expect(await stores.read((view) => view.usage.ofRequest(meta.requestId))).toMatchObject([{ counter: keyId }])
  })
})
