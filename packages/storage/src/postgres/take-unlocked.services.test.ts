import type { Reservation } from '@fairlead/core/stores'
import type { Stores } from '../stores.ts'
import { testClock } from '@fairlead/testing'
import { Client } from 'pg'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { type PostgresStoresOptions, postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

describe.skipIf(!database)('concurrent reservations on PostgreSQL', () => {
  beforeEach(() => database!.empty())

  async function open(options: Partial<PostgresStoresOptions> = {}): Promise<Stores> {
    const stores = await postgresStores({ url: database!.url, ...options })
    onTestFinished(() => stores.close())
    return stores
  }

  const reserveAll = (stores: Stores, counters: readonly string[], limit: number | null = null) =>
    Promise.all(counters.map((counter) => stores.reserve(counter, limit)))

  /** Takes a unit of each of these counters in a transaction, which ends when the returned function is called. */
  async function hold(...counters: readonly string[]): Promise<(end: 'commit' | 'rollback') => Promise<unknown>> {
    const holder = new Client({ connectionString: database!.url })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('begin')
    await holder.query('update counters set used = used + 1 where counter = any($1)', [counters])
    return (end) => holder.query(end)
  }

  const waiting = () =>
    database!.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")

  /** The number of counters that each later update changed. */
  async function watchUpdates() {
    await database!.query(`
      create table updates (counters int);
      create or replace function note_update() returns trigger language plpgsql as $$
      begin
        insert into updates select count(*) from changed;
        return null;
      end $$;
      create trigger note_update after update on counters referencing new table as changed
      for each statement execute function note_update();
    `)
    onTestFinished(async () => void (await database!.query('drop trigger note_update on counters; drop table updates')))
    return async () => (await database!.query<{ counters: number }>('select * from updates')).map((row) => row.counters)
  }

  test('concurrent reservations on PostgreSQL change the counters of many keys in one statement', async () => {
    const stores = await open()
    const counters = Array.from({ length: 64 }, (_, n) => `key_${n}`)
    await reserveAll(stores, counters)
    const updates = await watchUpdates()
    const reservations = await reserveAll(stores, counters)
    expect(reservations.filter(({ granted, used }) => granted && used === 2)).toHaveLength(64)
    expect(await updates()).toEqual([64])
  })

  test('concurrent reservations on PostgreSQL are granted while another transaction has locked the counter of one of them', async () => {
    const stores = await open()
    await reserveAll(stores, ['m', 'n', 'o'])
    const finish = await hold('m')
    const locked = reserveAll(stores, ['m', 'm'])
    expect(await reserveAll(stores, ['n', 'o'])).toMatchObject([{ used: 2 }, { used: 2 }])
    await expect.poll(waiting).toHaveLength(1)
    expect(await reserveAll(stores, ['n', 'o'])).toMatchObject([{ used: 3 }, { used: 3 }])
    await finish('rollback')
    expect(await locked).toMatchObject([{ used: 2 }, { used: 3 }])
  })

  test('concurrent reservations on PostgreSQL see what a transaction took that had locked their counter', async () => {
    const stores = await open()
    await reserveAll(stores, ['m', 'm', 'm'], 5)
    const finish = await hold('m')
    const locked = reserveAll(stores, ['m', 'm'], 5)
    await expect.poll(waiting).toHaveLength(1)
    await finish('commit')
    expect(await locked).toMatchObject([
      { granted: true, used: 5 },
      { granted: false, used: 5 },
    ])
  })

  test('concurrent reservations on PostgreSQL of locked counters hold no more connections than the share of their account', async () => {
    const stores = await open({ poolSize: 4 })
    const [one, other] = ['usr_1', 'usr_2'].map((account) => stores.forAccount!(account) as Stores)
    const counters = ['a', 'b', 'c', 'd']
    await reserveAll(stores, [...counters, 'm', 'n'])
    const finish = await hold(...counters)
    const locked = reserveAll(one!, counters)
    await expect.poll(waiting).toHaveLength(2)
    // The first call opens the batch that both share.
    expect(await Promise.all([one!.reserve('m', null), other!.reserve('n', null)])).toMatchObject([
      { used: 2 },
      { used: 2 },
    ])
    expect(await waiting()).toHaveLength(2)
    await finish('rollback')
    expect(await locked).toMatchObject(counters.map(() => ({ used: 2 })))
  })

  test('concurrent reservations on PostgreSQL take what a limit leaves, and nothing of a counter that is used up', async () => {
    const stores = await open()
    await reserveAll(stores, ['m', 'm', 'm', 'n', 'o', 'o', 'o', 'o', 'o'], 5)
    const updates = await watchUpdates()
    const reservations = await reserveAll(stores, ['n', 'm', 'o', 'm', 'n', 'm', 'm'], 5)
    expect(reservations.map(({ granted, used }) => (granted ? used : `rejected at ${used}`))).toEqual([
      2,
      4,
      'rejected at 5',
      5,
      3,
      'rejected at 5',
      'rejected at 5',
    ])
    expect(await updates()).toEqual([2])
    expect(await stores.read((view) => view.counters.used(['m', 'n', 'o']))).toEqual(
      new Map([['m', 5], ['n', 3], ['o', 5]]), // prettier-ignore
    )
  })

  test('concurrent reservations on PostgreSQL continue in the next month where a counter entered it, if the month begins soon', async () => {
    const clock = testClock('2026-03-31T23:59:59.000Z')
    const [stores, ahead] = [await open({ clock }), await open({ clock: testClock('2026-04-01T00:00:00.000Z') })]
    await reserveAll(stores, ['m', 'n'], 3)
    await reserveAll(ahead, ['m', 'm'], 3)
    const reservations = await reserveAll(stores, ['n', 'm', 'n', 'm'], 3)
    expect(reservations).toEqual([
      { granted: true, period: '2026-03', used: 2 },
      { granted: true, period: '2026-04', used: 3 },
      { granted: true, period: '2026-03', used: 3 },
      { granted: false, period: '2026-04', used: 3 },
    ])
  })

  test('concurrent reservations on PostgreSQL count in the month in which their statement runs', async () => {
    const clock = testClock('2026-03-31T23:59:59.999Z')
    const stores = await open({ clock })
    await reserveAll(stores, ['m', 'n'], 2)
    const reservations = reserveAll(stores, ['m', 'm', 'n', 'm', 'm'], 2)
    clock.advance(1)
    expect(await reservations).toEqual([
      { granted: true, period: '2026-04', used: 1 },
      { granted: true, period: '2026-04', used: 2 },
      { granted: true, period: '2026-04', used: 1 },
      { granted: false, period: '2026-04', used: 2 },
      { granted: false, period: '2026-04', used: 2 },
    ])
  })

  test('concurrent reservations on PostgreSQL of two nodes for the same counters grant exactly each limit, without a deadlock', async () => {
    const nodes = await Promise.all([open({ poolSize: 4 }), open({ poolSize: 4 })])
    const counters = Array.from({ length: 12 }, (_, n) => `key_${n}`)
    const orders = [counters, counters.toReversed()]
    const granted: Reservation[] = []
    const rounds = orders.map(async (order, n) => {
      for (let round = 0; round < 20; round++) {
        const reservations = await reserveAll(nodes[n]!, [...order, ...order], 50)
        granted.push(...reservations.filter((reservation) => reservation.granted))
      }
    })
    await Promise.all(rounds)
    expect(granted).toHaveLength(12 * 50)
    expect(await nodes[0]!.read((view) => view.counters.used(counters))).toEqual(
      new Map(counters.map((counter) => [counter, 50])),
    )
  })
})
