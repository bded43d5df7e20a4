import { accounts } from '@fairlead/accounts'
import { createFairlead } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { shipments } from '@fairlead/shipments'
import { addTestCaller, shipmentInput } from '@fairlead/testing'
import { Client } from 'pg'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

describe.skipIf(!database)('a node that froze while it wrote', () => {
  test('a node that froze while it wrote keeps no other node from writing, and itself only for a short time', async () => {
    await database!.empty()
    const logged: string[] = []
    const log = { warn: (_facts: object, message: string) => void logged.push(message), error: () => {} }
    const open = async () => {
      const stores = await postgresStores({ url: database!.url, poolSize: 2, log })
      const { core } = createFairlead({ providers: [], stores, log })
      onTestFinished(() => core.close())
      return core
    }
    const [frozen, other] = [await open(), await open()]
    await frozen.checkWrites()
    const holder = new Client({ connectionString: database!.url })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('begin; select from settings for update; select from write_checks for update')
    await other.checkWrites()
    await other.checkWrites()
    // The limit for a lock is shorter than the limit for a statement, whose error would have another code.
    const lockTimeout = { code: '55P03' }
    await expect(frozen.checkWrites()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: lockTimeout })
    expect(logged).toEqual(['records or images cannot be written'])
    await holder.query('rollback')
    await frozen.checkWrites()
  })
})

describe.skipIf(!database)('an account whose requests hang in the database', () => {
  beforeEach(() => database!.empty())

  async function setUp() {
    const logged: string[] = []
    const log = { warn: (_facts: object, message: string) => void logged.push(message) }
    const stores = await postgresStores({ url: database!.url, poolSize: 4, connectionTimeoutMs: 2_000, log })
    const { core } = createFairlead({ providers: [], features: [accounts(), shipments()], stores })
    onTestFinished(() => core.close())
    const [hostile, other] = await Promise.all([
      addTestCaller(stores, { now: Date.now }),
      addTestCaller(stores, { now: Date.now }),
    ])
    return { core, stores, keyId: hostile.keyId, hostile: hostile.credentials, other: other.credentials, logged }
  }

  /** Makes every write of a shipment wait, until the returned function is called. */
  async function holdWrites(): Promise<() => Promise<unknown>> {
    const holder = new Client({ connectionString: database!.url })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('begin; lock table shipments in exclusive mode')
    return () => holder.query('rollback')
  }

  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

  test('an account whose requests hang in the database leaves connections to others, and does not open the circuit', async () => {
    const { core, stores, keyId, hostile, other, logged } = await setUp()
    const releaseWrites = await holdWrites()
    const flood = Array.from({ length: 40 }, (_, n) =>
      core.run(operations.createShipment, hostile, shipmentInput(`order ${n}`)),
    )
    await expect.poll(() => database!.query(waiting)).toHaveLength(2)
    for (let n = 0; n < 5; n++) {
      expect(await core.run(operations.shipments, other, {})).toMatchObject({ success: true, data: [] })
      await core.check()
    }
    // Those without a connection are rejected; that says nothing about the server.
    const rejected = await Promise.any(flood)
    expect(rejected).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' }, retryAfterMs: 1_000 })
    expect(await core.run(operations.shipments, other, {})).toMatchObject({ success: true })
    expect(logged.filter((message) => message.includes('circuit'))).toEqual([])
    await releaseWrites()
    const created = (await Promise.all(flood)).filter(({ success }) => success)
    expect(created).toHaveLength(2)
    // Those that failed cost nothing, once their refunds could be written.
    await expect.poll(async () => (await stores.read((view) => view.counters.peek(keyId))).used).toBe(2)
  })
})
