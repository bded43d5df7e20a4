import { describe, expect, test } from 'vitest'
import { listModels } from '../../gateway/models.ts'
import { storedEvents } from '@fairlead/testing/workspace'
import { testCore } from '@fairlead/testing'

/** A core, and a key that may send ten requests a month. */
async function setup() {
  const world = await testCore()
  const caller = await world.addCaller({ user: { tier: 'enterprise', quotaLimit: 10 } })
  const send = (core = world.core) => core.run(listModels, caller.credentials, {})
  const sendMany = async (count: number) => {
    for (let sent = 0; sent < count; sent++) await send()
  }
  const types = async () => (await storedEvents(world.stores)).map(({ type }) => type).toSorted()
  return { ...world, ...caller, send, sendMany, types }
}

describe('quota events', () => {
  test('quota events are emitted when 80% of the quota is used, and when it is used up', async () => {
    const { sendMany, types } = await setup()
    await sendMany(7)
    expect(await types()).toEqual([])
    await sendMany(1)
    expect(await types()).toEqual(['quota.warning'])
    await sendMany(2)
    expect(await types()).toEqual(['quota.exceeded', 'quota.warning'])
    await sendMany(5)
    expect(await types()).toHaveLength(2)
  })

  test('quota events have the limit, the usage, and the reset time', async () => {
    const { sendMany, stores, keyId, userId } = await setup()
    await sendMany(8)
    expect(await storedEvents(stores)).toMatchObject([
      {
        userId,
        resourceId: keyId,
        data: {
          id: keyId,
          user_id: userId,
          key_id: keyId,
          limit: 10,
          used: 8,
          period: '2026-03',
          reset_at: '2026-04-01T00:00:00.000Z',
        },
      },
    ])
  })

  test('quota events are emitted once by 50 concurrent requests to two processes', async () => {
    const { core, stores, send, types } = await setup()
    const { core: other } = await testCore({ stores })
    await Promise.all(Array.from({ length: 50 }, (_, index) => send(index % 2 === 0 ? core : other)))
    expect(await types()).toEqual(['quota.exceeded', 'quota.warning'])
  })

  test('quota events are emitted by the next request if the process crashed after a reservation', async () => {
    const { stores, keyId, send, types } = await setup()
    for (let reserved = 0; reserved < 10; reserved++) await stores.reserve(keyId, 10)
    expect(await send()).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' } })
    expect(await types()).toEqual(['quota.exceeded', 'quota.warning'])
  })

  test('quota events are emitted again by the next request after the store failed', async () => {
    const { stores, send, sendMany, types, logged } = await setup()
    const { transact } = stores
    Object.assign(stores, { transact: () => Promise.reject(new Error('disk full')) })
    await sendMany(8)
    Object.assign(stores, { transact })
    expect(logged).toMatchObject([{ level: 'warn', message: 'could not store a quota event' }])
    await send()
    expect(await types()).toEqual(['quota.warning'])
  })

  test('quota events cost no transaction once they were emitted', async () => {
    const { stores, send, sendMany } = await setup()
    await sendMany(10)
    let transactions = 0
    const { transact } = stores
    Object.assign(stores, {
      transact: (...work: Parameters<typeof transact>) => {
        transactions++
        return transact(...work)
      },
    })
    expect(await send()).toMatchObject({ error: { code: 'QUOTA_EXCEEDED' } })
    expect(transactions).toBe(0)
  })

  test('quota events are emitted again in the next month', async () => {
    const { clock, sendMany, types } = await setup()
    await sendMany(8)
    clock.jumpTo('2026-04-02T00:00:00.000Z')
    await sendMany(8)
    expect(await types()).toEqual(['quota.warning', 'quota.warning'])
  })

  test('quota events are not emitted for an account without a limit', async () => {
    const { core, addCaller, types } = await setup()
    const { credentials } = await addCaller({ user: { tier: 'enterprise', quotaLimit: null } })
    for (let sent = 0; sent < 20; sent++) await core.run(listModels, credentials, {})
    expect(await types()).toEqual([])
  })
})
