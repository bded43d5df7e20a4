import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

describe.skipIf(!database)('connections', () => {
  test('the pool counts connections in use, idle ones, and calls that wait for one', async () => {
    const stores = await postgresStores({ url: database!.url, poolSize: 2 })
    onTestFinished(() => stores.close())
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const working = Array.from({ length: 3 }, () => stores.transact(() => held))
    await expect.poll(() => stores.connections!()).toEqual({ inUse: 2, idle: 0, waiting: 1, max: 2 })
    release()
    await Promise.all(working)
    expect(stores.connections!()).toMatchObject({ inUse: 0, waiting: 0 })
    expect(stores.connections!().idle).toBeGreaterThan(0)
  })

  test('connections are used by one transaction of a queue at a time', async () => {
    const stores = await postgresStores({ url: database!.url })
    onTestFinished(() => stores.close())
    const transact = (queue: string) => stores.transact(async () => stores.connections!().inUse, { queue })
    expect(await Promise.all([transact('one'), transact('one'), transact('one')])).toEqual([1, 1, 1])
  })
})
