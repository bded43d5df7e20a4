import type { Stores } from '../stores.ts'
import { addTestCaller, testClock } from '@fairlead/testing'
import { Client } from 'pg'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { breakableLink } from '../testing/breakable-link.ts'
import { findPostgres } from '../testing/find-postgres.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { type PostgresStoresOptions, postgresStores } from './postgres-stores.ts'

const server = await findPostgres()
const database = server ? await createTestDatabase(server) : undefined
afterAll(() => database?.drop())

const away = { code: 'SERVICE_UNAVAILABLE' }

describe.skipIf(!database)('PostgreSQL stores', () => {
  beforeEach(() => database!.empty())

  async function open(options: Partial<PostgresStoresOptions> = {}): Promise<Stores> {
    const stores = await postgresStores({ url: database!.url, poolSize: 2, ...options })
    onTestFinished(() => stores.close())
    return stores
  }

  async function openOverLink(options: Partial<PostgresStoresOptions> = {}) {
    const link = await breakableLink(database!.url)
    onTestFinished(() => link.close())
    return { link, stores: await open({ url: link.url, ...options }) }
  }

  const endConnections = () =>
    database!.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  const look = (stores: Stores) => stores.read((view) => view.users.count())

  describe('whose idle connections the server closes', () => {
    test('PostgreSQL stores whose idle connections the server closes log the loss and open new connections', async () => {
      const logged: string[] = []
      const stores = await open({ log: { warn: (_facts, message) => void logged.push(message) } })
      await Promise.all([look(stores), look(stores)])
      await endConnections()
      await expect.poll(() => logged).toHaveLength(2)
      expect(logged[0]).toBe('lost an idle connection to PostgreSQL')
      expect(await look(stores)).toBe(0)
    })
  })

  describe('whose connection the server closes during a transaction', () => {
    test('PostgreSQL stores whose connection the server closes during a transaction reject the transaction as unavailable, roll it back, and run its work once', async () => {
      const stores = await open()
      let runs = 0
      const work = stores.transact(async (tx) => {
        runs += 1
        await tx.counters.reserve('m', null)
        await endConnections()
        await tx.counters.reserve('m', null)
      })
      await expect(work).rejects.toMatchObject(away)
      expect(runs).toBe(1)
      expect((await stores.read((view) => view.counters.peek('m'))).used).toBe(0)
    })
  })

  describe('whose server restarts', () => {
    test('PostgreSQL stores whose server restarts are unavailable immediately, and available again with the server', async () => {
      const { link, stores } = await openOverLink()
      await look(stores)
      link.cut()
      await expect(look(stores)).rejects.toMatchObject(away)
      await expect(stores.reserve('m', 5)).rejects.toMatchObject(away)
      link.restore()
      await expect.poll(() => stores.reserve('m', 5).catch(() => undefined)).toMatchObject({ granted: true, used: 1 })
    })
  })

  describe('whose database is read-only for a while', () => {
    const isReadOnly = (setting: 'on' | 'off') => {
      const name = new URL(database!.url).pathname.slice(1)
      const change = `alter database ${name} set default_transaction_read_only = ${setting}`
      // The connection of this statement may be read-only, too.
      return database!.query(`begin read write; ${change}; commit`)
    }

    test('PostgreSQL stores whose database is read-only for a while read meanwhile, and write as soon as new sessions can', async () => {
      const stores = await open()
      await isReadOnly('on')
      onTestFinished(async () => void (await isReadOnly('off')))
      await endConnections()
      await expect.poll(() => Promise.all([look(stores), look(stores)]).catch(() => undefined)).toEqual([0, 0])
      await expect(stores.reserve('m', 5)).rejects.toMatchObject(away)
      // Both sessions begin while the database is read-only, and would stay so.
      expect(await Promise.all([look(stores), look(stores)])).toEqual([0, 0])
      await isReadOnly('off')
      const writes = []
      for (let n = 0; n < 3; n++) {
        const write = stores.reserve('m', null)
        writes.push(await write.then(({ granted }) => granted).catch(() => false))
      }
      // Each read-only session is closed by the write that it refused.
      expect(writes.at(-1)).toBe(true)
    })
  })

  describe('whose server freezes', () => {
    test('PostgreSQL stores whose server freezes time out, and close the frozen connections', async () => {
      const { link, stores } = await openOverLink({ statementTimeoutMs: 500, connectionTimeoutMs: 1_000 })
      await Promise.all([look(stores), look(stores)])
      // A rollback would wait for the same server.
      const asked = vi.spyOn(Client.prototype, 'query')
      const work = stores.transact(async (tx) => {
        await tx.counters.reserve('m', null)
        link.freeze()
        await tx.counters.reserve('m', null)
      })
      await expect(work).rejects.toMatchObject(away)
      const texts = asked.mock.calls.map(([statement]) => (statement as { readonly text?: string }).text)
      expect(texts.filter((text) => text === 'begin' || text === 'rollback')).toEqual(['begin'])
      await expect(Promise.all([look(stores), look(stores)])).rejects.toMatchObject(away)
      link.restore()
      await expect.poll(() => look(stores).catch(() => undefined)).toBe(0)
    })
  })

  describe('whose server is frozen for a while', () => {
    test('PostgreSQL stores whose server is frozen for a while reject immediately after a few timeouts, log two lines, and recover by themselves', async () => {
      const logged: string[] = []
      const { link, stores } = await openOverLink({
        statementTimeoutMs: 500,
        connectionTimeoutMs: 1_000,
        probeIntervalMs: 50,
        log: { warn: (_facts, message) => void logged.push(message) },
      })
      await Promise.all([look(stores), look(stores)])
      link.freeze()
      await Promise.allSettled(Array.from({ length: 100 }, () => look(stores)))
      let turns = 0
      const turn = setImmediate(() => turns++)
      const later = await Promise.allSettled(Array.from({ length: 1_000 }, () => look(stores)))
      expect(later.every((each) => each.status === 'rejected' && each.reason.retryAfterMs === 50)).toBe(true)
      expect(turns).toBe(0)
      clearImmediate(turn)
      const circuit = () => logged.filter((message) => message.includes('circuit'))
      expect(circuit()).toEqual([expect.stringContaining('circuit breaker opened')])
      link.restore()
      // No request arrives meanwhile: the stores probe the server themselves.
      await expect.poll(() => logged.at(-1)).toContain('circuit breaker closed')
      expect(await look(stores)).toBe(0)
      expect(circuit()).toHaveLength(2)
    })

    test('PostgreSQL stores whose server is frozen for a while count a lost connection once, however many calls shared its statement', async () => {
      const logged: string[] = []
      const { link, stores } = await openOverLink({ log: { warn: (_facts, message) => void logged.push(message) } })
      await look(stores)
      link.cut()
      const shared = await Promise.allSettled(Array.from({ length: 50 }, () => stores.reserve('m', null)))
      expect(shared.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(3)
      expect(logged.filter((message) => message.includes('circuit breaker'))).toEqual([])
    })
  })

  describe('whose server wakes after requests timed out', () => {
    test('PostgreSQL stores whose server wakes after requests timed out take no unit for them', async () => {
      const { link, stores } = await openOverLink({ poolSize: 1, statementTimeoutMs: 500, connectionTimeoutMs: 1_000 })
      const counters = ['m', 'n']
      await Promise.all(counters.map((counter) => stores.reserve(counter, null)))
      const connected = () =>
        database!.query<{ pid: number }>(
          "select pid from pg_stat_activity where datname = current_database() and application_name = 'fairlead'",
        )
      const frozen = new Set((await connected()).map(({ pid }) => pid))
      link.freeze()
      const refused = await Promise.allSettled(counters.map((counter) => stores.reserve(counter, null)))
      expect(refused).toMatchObject(counters.map(() => ({ status: 'rejected', reason: away })))
      link.thaw()
      // It ends once the server has done all that it was sent.
      await expect.poll(async () => (await connected()).filter(({ pid }) => frozen.has(pid))).toEqual([])
      const rows = await database!.query('select counter, used from counters order by counter')
      expect(rows).toEqual(counters.map((counter) => ({ counter, used: '1' })))
      await expect.poll(() => stores.reserve('m', null).catch(() => undefined)).toMatchObject({ used: 2 })
    })
  })

  describe('whose connections are all taken', () => {
    async function takeAll(stores: Stores): Promise<() => Promise<unknown>> {
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      let taken = 0
      const holders = Array.from({ length: 2 }, () =>
        stores.transact(async (tx) => {
          await tx.users.count()
          taken += 1
          await held
        }),
      )
      await expect.poll(() => taken).toBe(2)
      return () => (release(), Promise.all(holders))
    }

    test('PostgreSQL stores whose connections are all taken let no call wait for their release', async () => {
      const stores = await open({ connectionTimeoutMs: 2_000 })
      const release = await takeAll(stores)
      await expect(look(stores)).rejects.toMatchObject(away)
      await release()
      expect(await look(stores)).toBe(0)
    })

    test('PostgreSQL stores whose connections are all taken reject calls beyond the maximum that may wait', async () => {
      const stores = await open({ maxWaiting: 1 })
      const release = await takeAll(stores)
      const waiting = look(stores)
      await expect(look(stores)).rejects.toMatchObject({ ...away, message: 'The database is too busy right now.' })
      await release()
      expect(await waiting).toBe(0)
    })
  })

  describe('with a statement that takes too long', () => {
    test('PostgreSQL stores with a statement that takes too long reject it as unavailable', async () => {
      const stores = await open({ statementTimeoutMs: 100 })
      const other = await open()
      await other.transact(async (tx) => {
        await tx.lock('m')
        await expect(stores.transact((late) => late.lock('m'))).rejects.toMatchObject(away)
      })
      expect(await stores.transact(async (tx) => tx.lock('m').then(() => 'mine'))).toBe('mine')
    })
  })

  describe('with transactions that wait for each other', () => {
    test('PostgreSQL stores with transactions that wait for each other reject one as unavailable, and commit the other', async () => {
      const stores = await open()
      let both = () => {}
      const bothHold = new Promise<void>((resolve) => (both = resolve))
      let holding = 0
      const cross = (first: string, second: string) =>
        stores.transact(async (tx) => {
          await tx.lock(first)
          holding += 1
          if (holding === 2) both()
          await bothHold
          await tx.lock(second)
        })
      const outcomes = await Promise.allSettled([cross('a', 'b'), cross('b', 'a')])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: away })
    })
  })

  describe('asked to add a record that exists', () => {
    test('PostgreSQL stores asked to add a record that exists throw the error of the database without the values', async () => {
      const stores = await open()
      const clock = testClock()
      const { keyId } = await addTestCaller(stores, clock)
      const again = addTestCaller(stores, clock, { key: { id: keyId } })
      await expect(again).rejects.toMatchObject({ code: '23505', constraint: 'api_keys_pkey' })
      expect(JSON.stringify(await again.catch((error: unknown) => error))).not.toContain(keyId)
    })
  })

  describe('that cannot be opened', () => {
    test('PostgreSQL stores that cannot be opened name the server and the reason, not the password', async () => {
      const opening = postgresStores({ url: 'postgres://ada:hush@127.0.0.1:1/fairlead' })
      await expect(opening).rejects.toThrow('PostgreSQL at 127.0.0.1:1/fairlead cannot be used: connect ECONNREFUSED')
      await expect(opening).rejects.not.toThrow('hush')
    })

    test('PostgreSQL stores that cannot be opened reject a server whose synchronous_commit is off', async () => {
      const careless = `${database!.url}?options=-c%20synchronous_commit%3Doff`
      await expect(postgresStores({ url: careless })).rejects.toThrow('set synchronous_commit = on')
    })
  })
})
