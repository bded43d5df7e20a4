import { accounts } from '@fairlead/accounts'
import { type Clock, createFairlead, systemClock } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { shipments } from '@fairlead/shipments'
import { webhooks } from '@fairlead/webhooks'
import type { Provider } from '@fairlead/core/provider'
import { addTestCaller, fakeOutbound, scripted, shipmentInput, fakeTextModel } from '@fairlead/testing'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

describe.skipIf(!database)('on two nodes with one PostgreSQL, concurrent requests', () => {
  beforeEach(() => database!.empty())

  async function node(providers: readonly Provider[] = [], clock: Clock = systemClock) {
    const stores = await postgresStores({ url: database!.url })
    const features = [accounts(), shipments(), webhooks({ outbound: fakeOutbound() })]
    const { core } = createFairlead({ providers, features, stores, testing: { clock } })
    onTestFinished(() => core.close())
    return { core, stores }
  }

  async function twoNodes() {
    const nodes = await Promise.all([node(), node()])
    const { stores } = nodes[0]
    const { credentials, userId } = await addTestCaller(stores, { now: Date.now })
    // Opens every connection of both pools, so that the requests of the test run side by side.
    const warmUp = nodes.flatMap(({ core }) =>
      Array.from({ length: 10 }, () => core.run(operations.apiKeys, credentials, {})),
    )
    await Promise.all(warmUp)
    const runAll = (operation: Parameters<(typeof nodes)[0]['core']['run']>[0], input: object) =>
      Promise.all(Array.from({ length: 40 }, (_, index) => nodes[index % 2]!.core.run(operation, credentials, input)))
    return { runAll, stores, userId }
  }

  test('on two nodes with one PostgreSQL, concurrent requests create at most as many API keys as the tier allows', async () => {
    const { runAll, stores, userId } = await twoNodes()
    const replies = await runAll(operations.createApiKey, { name: 'key' })
    expect(replies.filter(({ success }) => success)).toHaveLength(2)
    const refusals = replies.flatMap((reply) => (reply.success ? [] : [reply.error.code]))
    expect(new Set(refusals)).toEqual(new Set(['CONFLICT']))
    expect(await stores.read((view) => view.keys.countAliveSince(userId, 0))).toBe(3)
  })

  test('on two nodes with one PostgreSQL, concurrent requests create as many shipments as the quota allows, and charge for each', async () => {
    const nodes = await Promise.all([node(), node()])
    const { stores } = nodes[0]
    const user = { tier: 'enterprise', quotaLimit: 15 } as const
    const { credentials, keyId } = await addTestCaller(stores, { now: Date.now }, { user })
    // Every fourth fails, because its reference is taken.
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        nodes[n % 2]!.core.run(operations.createShipment, credentials, shipmentInput(`order ${n % 4 === 0 ? 0 : n}`)),
      ),
    )
    const created = replies.filter(({ success }) => success).length
    const listed = await stores.read((view) => view.shipments.list({}, { first: 'oldest', limit: 100 }))
    expect([listed.length, (await stores.read((view) => view.counters.peek(keyId))).used]).toEqual([created, created])
    expect(created).toBeLessThanOrEqual(15)
    for (let n = created; n < 15; n++) {
      const later = await nodes[n % 2]!.core.run(operations.createShipment, credentials, shipmentInput(`later ${n}`))
      expect(later).toMatchObject({ success: true })
    }
    expect(await nodes[0].core.run(operations.createShipment, credentials, shipmentInput('last'))).toMatchObject({
      error: { code: 'QUOTA_EXCEEDED' },
    })
  })

  test('on two nodes with one PostgreSQL, concurrent requests of keys that descend from one another share their quotas', async () => {
    const nodes = await Promise.all([node(), node()])
    const { stores } = nodes[0]
    const parent = await addTestCaller(stores, { now: Date.now }, { key: { limits: { quotaLimit: 12 } } })
    const child = (quotaLimit: number, createdBy = parent.keyId) =>
      addTestCaller(stores, { now: Date.now }, { key: { userId: parent.userId, createdBy, limits: { quotaLimit } } })
    const [one, other] = [await child(5), await child(9)]
    const callers = [parent, one, other, await child(3, other.keyId)]
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        nodes[n % 2]!.core.run(operations.createShipment, callers[n % 4]!.credentials, shipmentInput(`order ${n}`)),
      ),
    )
    const created = replies.map(({ success }, n) => (success ? n % 4 : -1))
    const countCreated = (...indexes: number[]) => created.filter((index) => indexes.includes(index)).length
    const used = await stores.read((view) =>
      Promise.all(callers.map(async ({ keyId }) => (await view.counters.peek(keyId)).used)),
    )
    expect(used).toEqual([countCreated(0, 1, 2, 3), countCreated(1), countCreated(2, 3), countCreated(3)])
    expect(used[0]).toBe(12)
  })

  test('on two nodes with one PostgreSQL, concurrent requests create at most 20 webhooks', async () => {
    const { runAll, stores, userId } = await twoNodes()
    const replies = await runAll(operations.createWebhook, { url: 'https://example.com/', events: ['*'] })
    expect(replies.filter(({ success }) => success)).toHaveLength(20)
    expect(await stores.read((view) => view.webhooks.count(userId))).toBe(20)
  })

  test('on two nodes with one PostgreSQL, concurrent requests share the budget of a day, although the clock of a node is a day ahead', async () => {
    const price = { input: 0, output: 10_000 }
    const provider = { ...scripted('calm', 'word'), models: [fakeTextModel({ pricing: price })] }
    const ahead = { ...systemClock, now: () => Date.now() + 86_400_000 }
    const nodes = await Promise.all([node([provider]), node([provider], ahead)])
    await Promise.all(nodes.map(({ core }) => core.start()))
    const limits = { budgetUsd: 0.1, budgetPeriod: 'day' } as const
    const { credentials } = await addTestCaller(nodes[0].stores, { now: Date.now }, { key: { limits } })
    const input = { model: 'any', prompt: 'x', maxTokens: 1 }
    const replies = []
    for (let n = 0; n < 24; n++) replies.push(await nodes[n % 2]!.core.run(operations.generate, credentials, input))
    expect(replies.map(({ success }) => success)).toEqual(Array.from({ length: 24 }, (_, n) => n < 10))
    expect(nodes.map(({ core }) => Math.round(core.clockSkewMs!() / 1_000))).toEqual([0, 86_400])
  })
})
