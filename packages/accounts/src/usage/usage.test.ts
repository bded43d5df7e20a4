import { describe, expect, test, vi } from 'vitest'
import type { Credentials } from '@fairlead/core'
import { failing, scripted, fakeTextModel, someUsage, testCore } from '@fairlead/testing'
import { createIds } from '@fairlead/core/adapter'
import { operations } from '@fairlead/testing/workspace'

const greeting = { model: 'any', prompt: 'greet me' }

function requireData<Data>(
  reply: { success: true; data: Data } | { success: false; error: { message: string } },
): Data {
  if (!reply.success) throw new Error(reply.error.message)
  return reply.data
}

async function setup() {
  const broken = { ...failing('down', 'retry'), models: [fakeTextModel({ id: 'broken' })] }
  const context = await testCore({ providers: [scripted('calm', 'hello there'), broken] })
  const { run } = context.core
  return {
    ...context,
    generate: (input: object = {}, as: Credentials = context.caller) =>
      run(operations.generate, as, { ...greeting, ...input }),
    models: () => run(operations.models, context.caller, {}),
    usage: async (as: Credentials = context.caller, input: object = {}) =>
      requireData(await run(operations.usage, as, input)),
    series: (input: object = {}, as: Credentials = context.caller) => run(operations.usageTimeseries, as, input),
  }
}

describe('getUsage', () => {
  test('getUsage needs as many store calls for twenty keys as for one', async () => {
    const { usage, stores, addCaller } = await setup()
    const countCalls = async (keys: number) => {
      const { credentials, userId } = await addCaller({ user: { tier: 'pro' } })
      for (let n = 1; n < keys; n++) await addCaller({ user: { id: userId } })
      let calls = 0
      const counting = <Part extends object>(part: Part): Part =>
        new Proxy(part, {
          get(target, name, receiver) {
            const value: unknown = Reflect.get(target, name, receiver)
            if (typeof value === 'function') calls += 1
            return typeof value === 'object' && value !== null ? counting(value) : value
          },
        })
      const read = stores.read.bind(stores)
      vi.spyOn(stores, 'read').mockImplementation((work) => read((view) => work(counting(view))))
      const { credentials: found } = await usage(credentials)
      vi.mocked(stores.read).mockRestore()
      return { calls, found: found.length }
    }
    const one = await countCalls(1)
    const twenty = await countCalls(20)
    expect([one.found, twenty.found]).toEqual([2, 21])
    expect(twenty.calls).toBe(one.calls)
  })

  test('getUsage returns this month’s usage of each credential by operation', async () => {
    const { generate, models, usage, keyId } = await setup()
    await generate()
    await generate()
    await generate({ model: 'broken' })
    await models()
    const { period, resetsAt, tier, credentials } = await usage()
    expect({ period, resetsAt, tier }).toEqual({
      period: '2026-03',
      resetsAt: '2026-04-01T00:00:00.000Z',
      tier: 'free',
    })
    const userId = expect.stringMatching(/^usr_/)
    expect(credentials).toEqual([
      { kind: 'session', id: null, name: null, userId, limit: 1000, used: 0, remaining: 1000, operations: [] },
      {
        kind: 'key',
        id: keyId,
        name: 'test',
        userId,
        limit: 1000,
        used: 3,
        remaining: 997,
        operations: [
          { operation: 'generate', requests: 3, errors: 1, charged: 2, costUsd: 0 },
          { operation: 'models', requests: 1, errors: 0, charged: 1, costUsd: 0 },
        ],
      },
    ])
  })

  test('getUsage is free of charge', async () => {
    const { usage, series } = await setup()
    await usage()
    await series()
    expect((await usage()).credentials[1]?.used).toBe(0)
  })

  test('getUsage resets at the start of the month', async () => {
    const { generate, usage, clock } = await setup()
    await generate()
    clock.jumpTo('2026-04-01T00:00:00.000Z')
    const { period, credentials } = await usage()
    expect([period, credentials[1]?.used, credentials[1]?.operations]).toEqual(['2026-04', 0, []])
  })

  test('getUsage excludes the usage of other users', async () => {
    const { generate, usage, addCaller } = await setup()
    const { credentials: other } = await addCaller()
    await generate()
    expect((await usage(other)).credentials.map(({ used }) => used)).toEqual([0, 0])
  })

  test('getUsage returns the usage of another user to an admin', async () => {
    const { generate, usage, addCaller } = await setup()
    const { credentials: member, keyId, userId } = await addCaller()
    await generate({}, member)
    const { credentials: admin } = await addCaller({ user: { role: 'admin', tier: 'enterprise' } })
    const { tier, credentials } = await usage(admin, { userId })
    expect([tier, credentials.map(({ id, used }) => [id, used])]).toEqual([
      'free',
      [
        [null, 0],
        [keyId, 1],
      ],
    ])
  })

  test('getUsage returns NOT_FOUND for another user’s usage to a member, and for an unknown user to an admin', async () => {
    const { core, addCaller } = await setup()
    const { credentials: member, userId } = await addCaller()
    const { userId: other } = await addCaller()
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    const notFound = { success: false, error: { code: 'NOT_FOUND' } }
    expect(await core.run(operations.usage, member, { userId: other })).toMatchObject(notFound)
    expect(await core.run(operations.usage, admin, { userId: 'usr_none' })).toMatchObject(notFound)
    expect(await core.run(operations.usage, member, { userId })).toMatchObject({ success: true })
  })

  test('getUsage returns FORBIDDEN to an embedding program, which has no usage', async () => {
    const { fairlead } = await setup()
    await expect(fairlead.usage.get()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('getUsageTimeseries', () => {
  test('getUsageTimeseries groups by day', async () => {
    const { generate, series, clock } = await setup()
    await generate()
    clock.advance(24 * 3_600_000)
    await generate()
    await generate({ model: 'broken' })
    expect(requireData(await series()).groups).toEqual([
      sums('2026-03-14', { requests: 1, errors: 0, promptTokens: 2, completionTokens: 2, totalTokens: 4 }),
      sums('2026-03-15', { requests: 2, errors: 1, promptTokens: 2, completionTokens: 2, totalTokens: 4 }),
    ])
  })

  test.each([
    ['hour', ['2026-03-14T09:00:00.000Z']],
    ['model', ['any', null]],
    ['operation', ['generate', 'models']],
  ])('getUsageTimeseries groups by %s', async (groupBy, names) => {
    const { generate, models, series } = await setup()
    await generate()
    await models()
    const groups = requireData(await series({ groupBy })).groups.map(({ group }) => group)
    expect(groups.toSorted()).toEqual(names.toSorted())
  })

  test('getUsageTimeseries returns the usage of another user to an admin', async () => {
    const { generate, series, addCaller } = await setup()
    const { credentials: member, keyId, userId } = await addCaller()
    await generate({}, member)
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    await generate({}, admin)
    expect(requireData(await series({ userId, groupBy: 'key' }, admin)).groups).toMatchObject([
      { group: keyId, requests: 1 },
    ])
  })

  test('getUsageTimeseries returns NOT_FOUND for another user’s usage to a member, and for an unknown user to an admin', async () => {
    const { series, addCaller } = await setup()
    const { credentials: member, userId } = await addCaller()
    const { userId: other } = await addCaller()
    const { credentials: admin } = await addCaller({ user: { role: 'admin' } })
    const notFound = { success: false, error: { code: 'NOT_FOUND' } }
    expect(await series({ userId: other }, member)).toMatchObject(notFound)
    expect(await series({ userId: 'usr_none' }, admin)).toMatchObject(notFound)
    expect(await series({ userId }, member)).toMatchObject({ success: true })
  })

  test('getUsageTimeseries groups by key, with all sessions in one group', async () => {
    const { generate, series, fairlead, keyId, caller, stores } = await setup()
    await generate()
    const ada = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
    const { accessToken, user } = await fairlead.sessions.signup(ada)
    const session: Credentials = { kind: 'bearer', token: accessToken }
    await generate({}, session)
    expect(requireData(await series({ groupBy: 'key' }, caller)).groups.map(({ group }) => group)).toEqual([keyId])
    expect(requireData(await series({ groupBy: 'key' }, session)).groups.map(({ group }) => group)).toEqual([
      'sessions',
    ])
    expect((await stores.read((view) => view.counters.peek(user.id))).used).toBe(1)
  })

  test('getUsageTimeseries splits days by operation', async () => {
    const { generate, models, series, clock } = await setup()
    await generate()
    clock.advance(24 * 3_600_000)
    await generate()
    await models()
    const { groups } = requireData(await series({ splitBy: 'operation' }))
    expect(groups.map(({ group, split, requests }) => [group, split, requests])).toEqual([
      ['2026-03-14', 'generate', 1],
      ['2026-03-15', 'generate', 1],
      ['2026-03-15', 'models', 1],
    ])
  })

  test('getUsageTimeseries returns percentiles of the time to the first token of streams', async () => {
    const { series, stores, addCaller, clock } = await setup()
    const { userId, credentials } = await addCaller()
    const newId = createIds(clock.now)
    for (const firstTokenMs of [null, ...Array<number>(18).fill(100), 900, 900]) {
      const usage = someUsage(newId, { userId, firstTokenMs, durationMs: 2_000, at: clock.now() })
      await stores.transact((tx) => tx.usage.add(usage))
    }
    const slow = { firstTokenP50Ms: 87, firstTokenP95Ms: 850, latencyP50Ms: 1_762 }
    expect(requireData(await series({}, credentials)).groups).toMatchObject([slow])
    expect(requireData(await series({ splitBy: 'model' }, credentials)).groups).toMatchObject([slow])
  })

  test('getUsageTimeseries sums up the models beyond the eight most used', async () => {
    const { series, stores, addCaller, clock } = await setup()
    const { userId, credentials } = await addCaller()
    const newId = createIds(clock.now)
    const requests = Array.from({ length: 10 }, (_, model) =>
      Array.from({ length: 10 - model }, () => `model ${model}`),
    )
    for (const model of requests.flat()) {
      const usage = someUsage(newId, { userId, model, at: clock.now() })
      await stores.transact((tx) => tx.usage.add(usage))
    }
    const { groups } = requireData(await series({ splitBy: 'model' }, credentials))
    expect(groups.map(({ split }) => split)).toHaveLength(9)
    expect(groups.find(({ split }) => split === 'model 7')).toMatchObject({ requests: 3 })
    expect(groups.find(({ split }) => split === 'other')).toMatchObject({ requests: 3, totalTokens: 15, costUsd: 0.75 })
  })

  test('getUsageTimeseries rounds the period to full hours', async () => {
    const { generate, series, clock } = await setup()
    await generate()
    const span = { from: '2026-03-14T09:59:59Z', to: '2026-03-14T09:00:01Z' }
    expect(await series({ from: span.to, to: span.from })).toMatchObject({
      data: { from: '2026-03-14T09:00:00.000Z', to: '2026-03-14T10:00:00.000Z', groups: [{ requests: 1 }] },
    })
    clock.advance(3_600_000)
    expect(requireData(await series({ from: '2026-03-14T10:00:00Z' })).groups).toEqual([])
  })

  test.each([
    ['that ends before it begins', { from: '2026-03-14T12:00:00Z', to: '2026-03-14T09:00:00Z' }],
    ['of more than 31 days by hour', { from: '2026-01-01T00:00:00Z', groupBy: 'hour' }],
    ['of more than 400 days', { from: '2024-01-01T00:00:00Z' }],
    ['that starts at an invalid date', { from: 'yesterday' }],
  ])('getUsageTimeseries rejects a period %s', async (_case, input) => {
    const { series } = await setup()
    expect(await series(input)).toMatchObject({ error: { code: 'INVALID_REQUEST', details: { field: 'from' } } })
  })
})

function sums(group: string, facts: object) {
  return { group, latencyP50Ms: 1, latencyP95Ms: 1, firstTokenP50Ms: null, firstTokenP95Ms: null, costUsd: 0, ...facts }
}
