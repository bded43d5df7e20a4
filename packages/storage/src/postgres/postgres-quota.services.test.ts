import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

describe.skipIf(!database)('two nodes on one PostgreSQL database', () => {
  beforeEach(() => database!.empty())

  async function node() {
    const stores = await postgresStores({ url: database!.url, poolSize: 4 })
    onTestFinished(() => stores.close())
    return stores
  }

  const times = <Result>(count: number, act: () => Promise<Result>) => Promise.all(Array.from({ length: count }, act))

  test('two nodes on one PostgreSQL database together grant exactly the limit, in and outside of transactions', async () => {
    const [one, other] = await Promise.all([node(), node()])
    const answers = await Promise.all([
      times(60, () => one.reserve('m', 100)),
      times(60, () => other.reserve('m', 100)),
      times(20, () => other.transact((tx) => tx.counters.reserve('m', 100))),
    ])
    const taken = answers.flat().filter(({ granted }) => granted)
    expect(taken).toHaveLength(100)
    expect(new Set(taken.map(({ used }) => used)).size).toBe(100)
    expect((await one.read((view) => view.counters.peek('m'))).used).toBe(100)
  })

  test('two nodes on one PostgreSQL database use the month of the server, not of their own clocks', async () => {
    const stores = await node()
    const [row] = await database!.query<{ month: string }>(
      "select to_char(now() at time zone 'UTC', 'YYYY-MM') as month",
    )
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-05-31T23:59:59.999Z') })
    onTestFinished(() => void vi.useRealTimers())
    expect(await stores.reserve('m', 5)).toEqual({ granted: true, period: row?.month, used: 1 })
  })
})
