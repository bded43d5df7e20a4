import { storeSuite } from '@fairlead/testing/suites'
import { afterAll, describe } from 'vitest'
import type { Stores } from '../stores.ts'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined

describe.skipIf(!database)('on a server', () => {
  // One for all tests: to open a pool for each, and to check the migrations, would take most of the time.
  let stores: Stores | undefined
  afterAll(async () => {
    await stores?.close()
    await database?.drop()
  })

  storeSuite('PostgreSQL', async (clock) => {
    if (stores) await database!.empty()
    else {
      stores = await postgresStores({ url: database!.url, clock, poolSize: 4 })
      await database!.skipSyncs()
    }
    return { ...stores, close: async () => {} }
  })
})
