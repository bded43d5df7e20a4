import { createIds } from '@fairlead/core/adapter'
import { latencyBoundsMs, type UsageRecord } from '@fairlead/core/stores'
import type { Stores } from '../stores.ts'
import { someUsage, testStores } from '@fairlead/testing'
import { Client } from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

const newId = createIds(Date.now)
const hour = 3_600_000
const noon = Date.parse('2026-03-14T12:00:00.000Z')

async function opened() {
  await database!.empty()
  const stores = await postgresStores({ url: database!.url })
  onTestFinished(() => stores.close())
  return stores
}

async function totalsIn(stores: Stores) {
  const query = { userId: 'usr_1', from: 0, to: noon + 48 * hour } as const
  const [byHour, byDay] = await stores.read((view) =>
    Promise.all([
      view.usage.totals({ ...query, by: ['hour', 'operation', 'counter', 'model'] }),
      view.usage.totals({ ...query, by: ['day', 'operation', 'counter', 'model'] }),
    ]),
  )
  const names = (totals: readonly object[]) =>
    totals.map((total) => JSON.stringify(total, Object.keys(total).toSorted()))
  return { byHour: names(byHour).toSorted(), byDay: names(byDay).toSorted() }
}

describe.skipIf(!database)('usage records of one statement', () => {
  test('usage records of one statement are summed as the in-memory stores sum them', async () => {
    const durations = [0, ...latencyBoundsMs.flatMap((bound) => [bound, bound + 1])]
    const records = durations.map((durationMs, n): UsageRecord =>
      someUsage(newId, {
        durationMs,
        at: noon + n * hour,
        counter: `key_${n % 3}`,
        ...(n % 2 === 0 && { firstTokenMs: durationMs }),
        ...(n % 4 === 0 && { outcome: 'PROVIDER_ERROR', charged: false }),
        ...(n % 5 === 0 && { operation: 'models', model: null, provider: null }),
        ...(n % 7 === 0 && { userId: 'usr_2', model: 'say "hi" \\ {a,b}' }),
      }),
    )
    const [stores, reference] = [await opened(), testStores()]
    for (const each of [stores, reference]) await Promise.all(records.map((record) => each.addUsage(record)))
    expect(await totalsIn(stores)).toEqual(await totalsIn(reference))
    const [stored] = await stores.read((view) => view.usage.ofRequest(records[7]!.requestId))
    expect(stored).toEqual(records[7])
    const [streamed] = await stores.read((view) => view.usage.ofRequest(records[8]!.requestId))
    expect(streamed).toEqual(records[8])
  })

  test('usage records of one statement lock the sums of hours before the sums of days, as a single record does', async () => {
    const stores = await opened()
    await stores.addUsage(someUsage(newId))
    const other = new Client({ connectionString: database!.url })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('begin')
    await other.query('select from usage_hours for update')
    const added = stores.addUsage(someUsage(newId))
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await expect.poll(() => database!.query(waiting)).toHaveLength(1)
    const { rows } = await other.query('select from usage_days for update nowait')
    expect(rows).toHaveLength(1)
    await other.query('commit')
    expect(await added).toBe(true)
  })
})
