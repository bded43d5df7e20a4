import { createIds } from '@fairlead/core/adapter'
import { testClock, someEvent, someUsage } from '@fairlead/testing'
import type { Stores } from '../stores.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { migrateNext } from '../migrations/migrations.ts'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { openDatabase, openPool } from './pool.ts'
import { postgresStores, type PostgresStoresOptions } from './postgres-stores.ts'

const server = await findPostgres()

/** The time of the service, in the middle of a month. */
const now = Date.UTC(2033, 4, 15)
const dayMs = 86_400_000
const tables = ['usage_records', 'events'] as const

describe.skipIf(!server)('partitions by month', () => {
  // A copy takes less time than the migrations.
  let template: TestDatabase
  let database: TestDatabase
  beforeAll(async () => {
    template = await createTestDatabase(server!)
    await (await postgresStores({ url: template.url })).close()
  })
  afterAll(() => template.drop())
  beforeEach(() => copy(template))

  async function copy(of: TestDatabase): Promise<void> {
    const created = await createTestDatabase(server!, of)
    onTestFinished(() => created.drop())
    database = created
  }

  async function open(options?: Partial<PostgresStoresOptions>): Promise<Stores> {
    const stores = await postgresStores({ url: database.url, clock: testClock(now), ...options })
    onTestFinished(() => stores.close())
    return stores
  }

  const usageAt = (at: number) =>
    someUsage(
      createIds(() => at),
      { at },
    )
  const eventAt = (at: number) =>
    someEvent(
      createIds(() => at),
      { createdAt: at },
    )

  async function addAt(stores: Stores, ...times: readonly number[]): Promise<void> {
    for (const at of times) {
      await stores.addUsage(usageAt(at))
      await stores.transact((tx) => tx.events.add([eventAt(at)]))
    }
  }

  /** Removes usage records and events from before that time, at most two rows of each. */
  async function purge(stores: Stores, before = now - 30 * dayMs): Promise<readonly number[]> {
    return [
      await stores.transact((tx) => tx.usage.purge(before, 2)),
      await stores.transact((tx) => tx.events.purge(before, 2)),
    ]
  }

  const rowsByPartition = (table: string) =>
    database.query<{ partition: string; rows: number }>(
      `select cast(tableoid::regclass as text) as partition, count(*)::int as rows from ${table} group by 1 order by 1`,
    )

  const listPartitions = async (table: string) => {
    const rows = await database.query<{ name: string }>(
      `select cast(inhrelid::regclass as text) as name from pg_inherits where inhparent = '${table}'::regclass order by 1`,
    )
    return rows.map(({ name }) => name.slice(table.length + 1))
  }

  test('partitions by month exist for this month and the next one after a start', async () => {
    await open()
    const [row] = await database.query<{ months: string[] }>(
      `select array(select to_char(date_trunc('month', now() at time zone 'UTC') + ahead * interval '1 month', 'YYYY_MM')
        from generate_series(0, 1) as ahead) as months`,
    )
    for (const table of tables) {
      expect(await listPartitions(table)).toEqual([...row!.months, 'others'])
    }
  })

  test('partitions by month take the rows of their month, and the last one all others', async () => {
    const stores = await open()
    await purge(stores)
    await addAt(stores, now, now, Date.UTC(2033, 5), Date.UTC(2033, 6) - 1, Date.UTC(2033, 8), Date.UTC(2005, 0))
    for (const table of tables) {
      expect(await rowsByPartition(table)).toEqual([
        { partition: `${table}_2033_05`, rows: 2 },
        { partition: `${table}_2033_06`, rows: 2 },
        { partition: `${table}_others`, rows: 2 },
      ])
    }
  })

  test('partitions by month are dropped by retention once their whole month has expired, without deleting rows', async () => {
    const stores = await open()
    await purge(stores)
    await addAt(stores, now, now, now, Date.UTC(2033, 5), Date.UTC(2033, 5))
    expect(await purge(stores, Date.UTC(2033, 6) - 1)).toEqual([0, 0])
    for (const table of tables) {
      expect(await rowsByPartition(table)).toEqual([{ partition: `${table}_2033_06`, rows: 2 }])
    }
  })

  test('partitions by month are created for one month after another by the purge of a service that runs', async () => {
    const clock = testClock(now)
    const stores = await open({ clock })
    await purge(stores)
    clock.advance(31 * dayMs)
    await purge(stores)
    expect(await listPartitions('events')).toEqual(expect.arrayContaining(['2033_05', '2033_06', '2033_07']))
  })

  test('partitions by month leave a month whose rows are elsewhere to the deletion of rows', async () => {
    const stores = await open()
    await addAt(stores, now)
    await purge(stores)
    await addAt(stores, now)
    expect(await rowsByPartition('events')).toEqual([{ partition: 'events_others', rows: 2 }])
    expect(await purge(stores, Date.UTC(2033, 5))).toEqual([2, 2])
  })

  test('partitions by month are changed by several nodes at once', async () => {
    const nodes = await Promise.all([open(), open(), open()])
    await addAt(nodes[0]!, Date.UTC(2005, 0))
    const purged = await Promise.all(nodes.map((stores) => purge(stores)))
    expect(purged.flat().reduce((sum, rows) => sum + rows)).toBe(2)
    expect(await listPartitions('events')).toEqual(expect.arrayContaining(['2033_05', '2033_06']))
  })

  test('partitions by month stay until the next round while another transaction reads them', async () => {
    const stores = await open()
    await purge(stores)
    await addAt(stores, now)
    const reading = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const reader = stores.transact(async (tx) => {
      await tx.usage.ofRequest('req_1')
      await tx.events.find('evt_1')
      reading.resolve()
      await end.promise
    })
    await reading.promise
    expect(await purge(stores, Date.UTC(2033, 5))).toEqual([0, 0])
    expect(await rowsByPartition('events')).toHaveLength(1)
    end.resolve()
    await reader
    await purge(stores, Date.UTC(2033, 5))
    expect(await rowsByPartition('events')).toEqual([])
  })

  test('partitions by month are left as they are by a role that does not own the tables, which deletes rows and says so once', async () => {
    await addAt(await open(), Date.UTC(2005, 0), now)
    const role = new URL(database.url).pathname.slice(1)
    await database.query(`
      create role ${role} login password 'x';
      grant select, insert, update, delete on all tables in schema public to ${role};
      grant usage on all sequences in schema public to ${role};
    `)
    onTestFinished(async () => void (await database.query(`drop owned by ${role}; drop role ${role}`)))
    const url = Object.assign(new URL(database.url), { username: role, password: 'x' }).href
    const warnings: string[] = []
    const log = { warn: (_fields: object, message: string) => warnings.push(message) }
    const stores = await open({ url, migrate: false, log })
    const before = await listPartitions('events')
    expect([await purge(stores), await purge(stores)]).toEqual([
      [1, 1],
      [0, 0],
    ])
    expect(await listPartitions('events')).toEqual(before)
    expect(warnings).toEqual([
      'not the owner of the tables: expired rows are deleted, and no partitions created or dropped',
    ])
  })

  describe('of a database of an earlier version', () => {
    /** Has two usage records and events of the past, and one of each that is dated a year ahead. */
    let earlier: TestDatabase
    beforeAll(async () => {
      database = earlier = await createTestDatabase(server!)
      const pool = openPool({ url: earlier.url, size: 1, connectionTimeoutMs: 2_000, onLost: () => {} })
      const db = openDatabase(pool)
      for (let migration = 1; migration <= 13; migration++) await migrateNext(db, [])
      for (const at of [Date.UTC(2024, 0), Date.UTC(2025, 0), Date.now() + 366 * dayMs]) await addRows(at)
      await pool.end()
    })
    afterAll(() => earlier.drop())
    beforeEach(() => copy(earlier))

    /** As that version adds them. */
    async function addRows(at: number): Promise<void> {
      const newId = createIds(() => at)
      await database.query(
        `insert into usage_records (run_id, request_id, user_id, counter, operation, at, duration_ms, outcome, charged,
          prompt_tokens, completion_tokens, cost_usd)
        values ($1, 'req_1', 'usr_1', 'key_1', 'generate', $2, 1, 'ok', 1, 2, 3, 0.25) on conflict (run_id) do nothing`,
        [newId('run'), at],
      )
      await database.query(
        `insert into events (id, type, user_id, resource_id, created_at, data) values ($1, 'user.updated', 'usr_1', 'usr_1', $2, '{}')
        on conflict (id) do nothing`,
        [newId('evt'), at],
      )
    }

    test('the partitions of a database of an earlier version begin with one that has all earlier rows', async () => {
      const month = new Date().toISOString().slice(0, 7).replace('-', '_')
      const stores = await open()
      for (const table of tables) {
        expect(await rowsByPartition(table)).toEqual([
          { partition: `${table}_${month}`, rows: 2 },
          { partition: `${table}_others`, rows: 1 },
        ])
      }
      expect(await stores.read((view) => view.usage.ofRequest('req_1'))).toHaveLength(3)
      const { events } = await stores.read((view) => view.events.follow('0:0', 9))
      expect(events.map(({ createdAt }) => createdAt)).toEqual(
        [...events].map(({ createdAt }) => createdAt).toSorted((one, other) => one - other),
      )
    })

    test('the partitions of a database of an earlier version have the same indexes as others', async () => {
      await open()
      for (const table of tables) {
        const counts = await database.query(
          `select distinct count(*) from pg_indexes where tablename like '${table}%' group by tablename`,
        )
        expect(counts).toHaveLength(1)
      }
    })

    test('the partitions of a database of an earlier version take the rows of that version, while both run', async () => {
      const stores = await open()
      await addRows(Date.now())
      expect(await stores.read((view) => view.usage.ofRequest('req_1'))).toHaveLength(4)
      expect(
        await stores.read((view) => view.events.list({ userId: 'usr_1' }, { first: 'newest', limit: 9 })),
      ).toHaveLength(4)
    })

    test('the partitions of a database of an earlier version are emptied row by row until they can be dropped', async () => {
      const stores = await open()
      expect([await purge(stores, Date.UTC(2025, 5)), await purge(stores, Date.UTC(2025, 5))]).toEqual([
        [2, 2],
        [0, 0],
      ])
    })
  })
})
