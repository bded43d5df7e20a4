import { storeSuite } from '@fairlead/testing/suites'
import { afterAll, describe } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

describe.skipIf(!database)('on a server', () => {
  storeSuite('PostgreSQL', async (clock) => {
    const stores = await postgresStores({ url: database!.url, clock, poolSize: 4 })
    await database!.empty()
    return stores
  })
})
