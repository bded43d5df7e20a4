import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

describe.skipIf(!database)('a connection from before a migration', () => {
  test('a connection from before a migration finds the webhooks of events after a newer version has added a column', async () => {
    const stores = await postgresStores({ url: database!.url, poolSize: 1 })
    onTestFinished(() => stores.close())
    const subscribed = () => stores.read(({ webhooks }) => webhooks.subscribed([null]))
    await subscribed()
    await database!.query('alter table webhooks add column added text')
    expect(await subscribed()).toEqual([])
  })
})
