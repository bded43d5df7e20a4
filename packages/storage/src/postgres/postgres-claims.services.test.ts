import { accounts } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { addTestCaller, held, testClock } from '@fairlead/testing'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

const greeting = { model: 'any', prompt: 'greet me' }
const keyed = { idempotencyKey: 'k-1' }

describe.skipIf(!database)('an Idempotency-Key on two nodes whose clocks differ', () => {
  beforeEach(() => database!.empty())

  /** A node of the service whose clock shows that time, beside the database's. */
  async function node(instant: string) {
    const clock = testClock(instant)
    const stores = await postgresStores({ url: database!.url, poolSize: 4 })
    onTestFinished(() => stores.close())
    const provider = held('slow')
    const secretKeys = { current: 'shared' }
    const { core } = createFairlead({
      providers: [provider],
      stores,
      testing: { clock },
      secretKeys,
      features: [accounts()],
    })
    return { core, clock, stores, provider }
  }

  test.each([
    ['ahead', '2026-03-14T12:05:00Z'],
    ['behind', '2026-03-14T11:55:00Z'],
  ])(
    'an Idempotency-Key on two nodes whose clocks differ is held, with its outcome, for a node whose clock is five minutes %s',
    async (_, instant) => {
      const [first, other] = await Promise.all([node('2026-03-14T12:00:00Z'), node(instant)])
      const { credentials } = await addTestCaller(first.stores, first.clock)
      const running = first.core.run(operations.generate, credentials, greeting, keyed)
      await expect.poll(() => first.provider.calls.length).toBe(1)

      expect(await other.core.run(operations.generate, credentials, greeting, keyed)).toMatchObject({
        error: { code: 'CONFLICT' },
      })
      first.provider.release('hello')
      const answer = await running
      expect(answer).toMatchObject({ success: true, data: { content: 'hello' } })
      const { requestId, ...meta } = answer.meta
      expect(await other.core.run(operations.generate, credentials, greeting, keyed)).toEqual({
        ...answer,
        meta: { ...meta, requestId: expect.not.stringMatching(requestId), originalRequestId: requestId },
        replayed: true,
      })
      expect(other.provider.calls).toEqual([])
    },
  )

  test('an Idempotency-Key on two nodes whose clocks differ ends with its lease by the clock of the server, not of its node', async () => {
    const { stores } = await node('2031-01-01T00:00:00Z')
    const take = (owner: string, leaseMs: number) =>
      stores.transact((tx) => tx.claims.take({ id: 'c', fingerprint: 'f', owner }, { leaseMs, keptForMs: 60_000 }))
    await take('run-1', 1)
    await expect.poll(() => take('run-2', 60_000)).toBeUndefined()
    expect(await take('run-3', 60_000)).toMatchObject({ owner: 'run-2' })
  })
})
