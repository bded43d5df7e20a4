import { describe, expect, test } from 'vitest'
import type { Credentials } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'
import type { UsageRecord } from '@fairlead/core/stores'
import { someUsage, testCore } from '@fairlead/testing'
import { operations } from '@fairlead/testing/workspace'

/** A member with a key, another one, and an admin. */
async function setup() {
  const world = await testCore()
  const ada = await world.addCaller({ user: { name: 'Ada', tier: 'pro' }, key: { name: 'of Ada' } })
  const ben = await world.addCaller({ user: { name: 'Ben' } })
  const admin = await world.addCaller({ user: { role: 'admin', tier: 'enterprise' } })
  const newId = createIds(world.clock.now)
  return {
    ...world,
    ada,
    ben,
    admin: admin.credentials,
    async use(...runs: readonly Partial<UsageRecord>[]) {
      for (const run of runs) await world.stores.addUsage(someUsage(newId, { at: world.clock.now(), ...run }))
    },
    series: async (input: object, as: Credentials = admin.credentials) => {
      const reply = await world.core.run(operations.usageTimeseries, as, { allUsers: true, ...input })
      if (!reply.success) throw new Error(reply.error.message)
      return reply.data.groups
    },
  }
}

const day = 24 * 3_600_000

describe('the usage of all users', () => {
  test('the usage of all users adds up what each of them used, on all days of a period', async () => {
    const { ada, ben, use, series, clock } = await setup()
    const at = clock.now()
    await use(
      { ...counterName(ada), at: at - 2 * day },
      { ...counterName(ben), at: at - 2 * day },
      { ...counterName(ben) },
    )
    expect(await series({})).toMatchObject([
      { group: '2026-03-12', requests: 2, totalTokens: 10, costUsd: 0.5, latencyP50Ms: 13 },
      { group: '2026-03-14', requests: 1, totalTokens: 5, costUsd: 0.25 },
    ])
    expect(await series({ groupBy: 'model' })).toMatchObject([{ group: 'any', requests: 3 }])
    expect(await series({ groupBy: 'hour' })).toMatchObject([
      { group: '2026-03-12T09:00:00.000Z', requests: 2 },
      { group: '2026-03-14T09:00:00.000Z', requests: 1 },
    ])
  })

  test('the usage of all users lists users by their cost, the highest first', async () => {
    const { ada, ben, use, series } = await setup()
    await use(counterName(ben), counterName(ben), { ...counterName(ada), costUsd: 2 })
    expect(await series({ groupBy: 'user' })).toMatchObject([
      { group: ada.userId, name: 'Ada', costUsd: 2, requests: 1 },
      { group: ben.userId, costUsd: 0.5, requests: 2 },
    ])
  })

  test('the usage of all users sums up the users beyond the 100 that cost most, at the end of the list', async () => {
    const { use, series } = await setup()
    await use(...Array.from({ length: 103 }, (_, user) => ({ userId: `usr_${user}`, costUsd: user })))
    const groups = await series({ groupBy: 'user' })
    expect(groups).toHaveLength(101)
    expect(groups[0]).toMatchObject({ group: 'usr_102', costUsd: 102 })
    expect(groups.at(-1)).toMatchObject({ group: 'other', requests: 3, costUsd: 3 })
  })

  test('the usage of all users is split by user, and has the sessions of all users in one group of keys', async () => {
    const { ada, ben, use, series } = await setup()
    await use(
      counterName(ada),
      { userId: ada.userId, counter: ada.userId },
      { userId: ben.userId, counter: ben.userId },
    )
    const split = await series({ splitBy: 'user' })
    expect(new Map(split.map((group) => [group.split, group.requests]))).toEqual(
      new Map([
        [ada.userId, 2],
        [ben.userId, 1],
      ]),
    )
    expect(await series({ groupBy: 'key' })).toMatchObject([
      { group: ada.keyId, name: 'of Ada', requests: 1 },
      { group: 'sessions', name: null, requests: 2 },
    ])
  })

  test('the usage of all users of this month lists credentials by their cost, with their owner and limit', async () => {
    const { core, ada, ben, admin, use, clock } = await setup()
    const before = clock.now() - 20 * day
    await use(
      { ...counterName(ada), costUsd: 2 },
      { userId: ben.userId, counter: ben.userId },
      { ...counterName(ben), at: before },
    )
    expect(await core.run(operations.usage, admin, { allUsers: true })).toMatchObject({
      data: {
        period: '2026-03',
        tier: 'enterprise',
        credentials: [
          {
            id: ada.keyId,
            name: 'of Ada',
            userId: ada.userId,
            limit: 10_000,
            operations: [{ requests: 1, costUsd: 2 }],
          },
          { id: null, kind: 'session', userId: ben.userId, limit: 1_000, operations: [{ requests: 1, costUsd: 0.25 }] },
        ],
      },
    })
  })

  test.each([
    ['a member', 'FORBIDDEN', { allUsers: true }, false],
    ['an admin who also names a user', 'INVALID_REQUEST', { allUsers: true, userId: 'usr_1' }, true],
  ] as const)('the usage of all users is refused to %s', async (_case, code, input, isAdmin) => {
    const { core, admin, caller } = await setup()
    for (const operation of [operations.usage, operations.usageTimeseries]) {
      expect(await core.run(operation, isAdmin ? admin : caller, input)).toMatchObject({ error: { code } })
    }
  })

  test('the usage of all users is refused to an embedding program that acts as a member', async () => {
    const { fairlead, core } = await setup()
    const member = { kind: 'embedded', role: 'member' } as const
    expect(await core.run(operations.usageTimeseries, member, { allUsers: true })).toMatchObject({
      error: { code: 'FORBIDDEN' },
    })
    expect((await fairlead.usage.timeseries({ allUsers: true })).groups).toEqual([])
  })

  test.each(['groupBy', 'splitBy'])('the usage of all users is required for the %s user', async (field) => {
    const { core, admin } = await setup()
    expect(await core.run(operations.usageTimeseries, admin, { [field]: 'user' })).toMatchObject({
      error: { code: 'INVALID_REQUEST', details: { field, issue: 'can be "user" only for the usage of all users' } },
    })
  })
})

function counterName({ userId, keyId }: { readonly userId: string; readonly keyId: string }) {
  return { userId, counter: keyId }
}
