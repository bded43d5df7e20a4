import { accounts, createFairlead, operations } from '@fairlead/core'
import { addTestCaller } from '@fairlead/core/testing'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

describe.skipIf(!database)('the limit of API keys on PostgreSQL', () => {
  beforeEach(() => database!.empty())

  async function node() {
    const stores = await postgresStores({ url: database!.url })
    const core = createFairlead({ providers: [], features: [accounts()], stores })
    onTestFinished(() => core.close())
    return { core, stores }
  }

  test('holds when a free user creates keys on two nodes at once', async () => {
    const nodes = await Promise.all([node(), node()])
    const { credentials, userId } = await addTestCaller(nodes[0].stores, { now: Date.now })
    // Opens every connection of both pools, so that the requests below run side by side.
    const warmUp = nodes.flatMap(({ core }) =>
      Array.from({ length: 10 }, () => core.run(operations.apiKeys, credentials, {})),
    )
    await Promise.all(warmUp)
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        nodes[index % 2]!.core.run(operations.createApiKey, credentials, { name: `key ${index}` }),
      ),
    )
    expect(replies.filter(({ success }) => success)).toHaveLength(2)
    const refusals = replies.flatMap((reply) => (reply.success ? [] : [reply.error.code]))
    expect(new Set(refusals)).toEqual(new Set(['CONFLICT']))
    expect(await nodes[0].stores.read((view) => view.keys.countAliveSince(userId, 0))).toBe(3)
  })
})
