import { describe, expect, test } from 'vitest'
import { postgresStores } from './postgres/postgres-stores.ts'
import { sqliteStores } from './sqlite/sqlite-stores.ts'

describe('sqliteStores', () => {
  test.each<[string, unknown]>([
    ["The options must be an object: sqliteStores({ path: 'fairlead.db' })", 'fairlead.db'],
    ["path: is required: sqliteStores({ path: 'fairlead.db' })", {}],
    ['file: is not a known option; the options are path, clock, log, tables, migrate', { file: 'fairlead.db' }],
  ])('sqliteStores says: %s', async (message, options) => {
    await expect(sqliteStores(options as never)).rejects.toThrow(new TypeError(message))
  })
})

describe('postgresStores', () => {
  test.each<[string, unknown]>([
    [
      "The options must be an object: postgresStores({ url: 'postgres://localhost/fairlead' })",
      'postgres://localhost/fairlead',
    ],
    ["url: is required: postgresStores({ url: 'postgres://localhost/fairlead' })", {}],
  ])('postgresStores says: %s', async (message, options) => {
    await expect(postgresStores(options as never)).rejects.toThrow(new TypeError(message))
  })
})
