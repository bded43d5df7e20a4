import type { Clock } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'
import { addTestCaller, someEvent, someUsage, storedEvents, testClock } from '@fairlead/core/fakes'
import { type CounterStore, type Stores, type UsageRecord, hashToken } from '@fairlead/core/stores'
import { beforeEach, describe, expect, test } from 'vitest'
import { claimSuite } from './store-suite/claim-suite.ts'
import { accountSuite } from './store-suite/account-suite.ts'
import { shipmentSuite } from './store-suite/shipment-suite.ts'
import { usageSuite } from './store-suite/usage-suite.ts'
import { webhookSuite } from './store-suite/webhook-suite.ts'

/** Opens empty stores that use the given clock. They are closed after each test. */
export type OpenStores = (clock: Clock) => Promise<Stores>

/** The tests that every implementation of `Stores` must pass. */
export function storeSuite(name: string, open: OpenStores): void {
  describe(`${name} stores`, () => {
    const clock = testClock('2026-03-14T12:00:00.000Z')
    const newId = createIds(clock.now)
    let stores: Stores

    beforeEach(async () => {
      clock.jumpTo('2026-03-14T12:00:00.000Z')
      stores = await open(clock)
      return () => stores.close()
    })

    const reserve = (counter: string, limit: number | null) =>
      stores.transact((tx) => tx.counters.reserve(counter, limit))
    const used = async (counter: string) => (await stores.read((view) => view.counters.peek(counter))).used

    const record = (facts: Partial<UsageRecord> = {}) =>
      someUsage(newId, { userId: newId('usr'), counter: newId('key'), at: clock.now(), ...facts })

    describe('transactions', () => {
      test('commit all of their changes', async () => {
        const usage = record()
        await stores.transact(async (tx) => {
          await tx.counters.reserve('m', 10)
          await tx.usage.add(usage)
        })
        expect(await used('m')).toBe(1)
        expect(await stores.read((view) => view.usage.ofRequest(usage.requestId))).toEqual([usage])
      })

      test('roll back all of their changes if the work throws', async () => {
        const usage = record()
        const work = stores.transact(async (tx) => {
          await tx.counters.reserve('m', 10)
          await tx.usage.add(usage)
          await tx.events.add([someEvent(newId)])
          throw new Error('no')
        })
        await expect(work).rejects.toThrow('no')
        expect(await used('m')).toBe(0)
        expect(await stores.read((view) => view.usage.ofRequest(usage.requestId))).toEqual([])
        expect(await storedEvents(stores)).toEqual([])
      })

      test('are not affected by a failing transaction in the same queue', async () => {
        const outcomes = await Promise.allSettled([
          reserve('m', null),
          stores.transact(async (tx) => {
            await tx.counters.reserve('m', null)
            throw new Error('no')
          }),
          reserve('m', null),
        ])
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
        expect(await used('m')).toBe(2)
      })

      test('are invisible to reads until they commit', async () => {
        const counts: number[] = []
        const writing = stores.transact(async (tx) => {
          await tx.counters.reserve('m', null)
          await tx.counters.reserve('m', null)
        })
        const reading = used('m').then((count) => counts.push(count))
        await Promise.all([writing, reading])
        expect(counts[0] === 0 || counts[0] === 2).toBe(true)
      })
    })

    describe('locks', () => {
      test('serialize transactions that read before they write', async () => {
        const addUpToThree = () =>
          stores.transact(async (tx) => {
            await tx.lock('m')
            const { used: taken } = await tx.counters.peek('m')
            if (taken < 3) await tx.counters.reserve('m', null)
          })
        await Promise.all(Array.from({ length: 8 }, addUpToThree))
        expect(await used('m')).toBe(3)
      })
    })

    describe('purging', () => {
      const year = (number: number) => Date.UTC(number, 0)
      const idAt = (prefix: 'img' | 'run' | 'evt', at: number) => createIds(() => at)(prefix)

      test('removes images in batches, the oldest first', async () => {
        const images = [2024, 2022, 2023, 2026].map((created) => ({
          id: idAt('img', year(created)),
          userId: null,
          model: 'vista',
          createdAt: year(created),
        }))
        const [of2024, of2022, of2023, of2026] = images.map(({ id }) => id)
        await stores.transact(async (tx) => {
          for (const image of images) await tx.images.add(image)
        })
        const purge = () => stores.transact((tx) => tx.images.purge(year(2025), 2))
        expect([...(await purge())].sort()).toEqual([of2022, of2023])
        expect([await purge(), await purge()]).toEqual([[of2024], []])
        const all = images.map(({ id }) => id)
        expect(await stores.read((view) => view.images.missing(all))).toEqual([of2024, of2022, of2023])
        expect(await stores.read((view) => view.images.missing([of2026!]))).toEqual([])
        expect(await stores.read((view) => view.images.missing([]))).toEqual([])
      })

      test('removes usage records in batches, the oldest first', async () => {
        const records = [2024, 2022, 2023, 2026].map((at) =>
          record({ runId: idAt('run', year(at)), requestId: `req_${at}`, at: year(at) }),
        )
        await stores.transact(async (tx) => {
          for (const usage of records) await tx.usage.add(usage)
        })
        const purge = () => stores.transact((tx) => tx.usage.purge(year(2025), 2))
        const left = async (at: number) => (await stores.read((view) => view.usage.ofRequest(`req_${at}`))).length
        expect(await purge()).toBe(2)
        expect([await left(2022), await left(2023), await left(2024)]).toEqual([0, 0, 1])
        expect([await purge(), await purge()]).toEqual([1, 0])
        expect([await left(2024), await left(2026)]).toEqual([0, 1])
      })

      test('removes usage totals in batches, the oldest first, independently of the records', async () => {
        const userId = newId('usr')
        await stores.transact(async (tx) => {
          for (const at of [2024, 2022, 2023, 2026].map(year)) await tx.usage.add(record({ userId, at }))
          await tx.usage.purge(year(2027), 10)
        })
        const total = async () => {
          const query = { userId, from: year(2020), to: year(2030), by: [] }
          return (await stores.read((view) => view.usage.totals(query)))[0]?.requests
        }
        const purge = () => stores.transact((tx) => tx.usage.purgeTotals(year(2025), 2))
        expect(await total()).toBe(4)
        const batches = [await purge()]
        while (batches.at(-1) !== 0) batches.push(await purge())
        expect(Math.max(...batches)).toBe(2)
        expect(await total()).toBe(1)
      })

      test('removes expired sessions in batches', async () => {
        const { userId } = await addTestCaller(stores, clock)
        const sessions = [1, 2, 3, 4].map((hours) => ({
          id: newId('ses'),
          userId,
          generation: 1,
          createdAt: clock.now(),
          refreshedAt: clock.now(),
          expiresAt: clock.now() + hours * 3_600_000,
        }))
        await stores.transact(async (tx) => {
          for (const session of sessions) {
            await tx.sessions.add(session)
            await tx.sessions.addAccess(hashToken(session.id), session.id, { from: 0, until: session.expiresAt })
          }
        })
        const purge = () => stores.transact((tx) => tx.sessions.purge(sessions[3]!.expiresAt, 2))
        expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0])
        expect(await stores.read((view) => view.sessions.ofUser(userId))).toEqual([sessions[3]])
      })

      test('removes events in batches, the oldest first', async () => {
        const events = [2022, 2023, 2024, 2026].map((at) =>
          someEvent(newId, { id: idAt('evt', year(at)), createdAt: year(at) }),
        )
        await stores.transact((tx) => tx.events.add(events))
        const purge = () => stores.transact((tx) => tx.events.purge(year(2025), 2))
        expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0])
        expect(await storedEvents(stores)).toEqual([events[3]])
      })

      test('removes the counters of past months in batches', async () => {
        for (const month of ['2024-11', '2024-12', '2025-01', '2025-02']) {
          clock.jumpTo(`${month}-15T00:00:00.000Z`)
          await reserve('m', null)
          await reserve('n', null)
        }
        const purge = () => stores.transact((tx) => tx.counters.purge('2025-02', 4))
        expect([await purge(), await purge(), await purge()]).toEqual([4, 2, 0])
        expect([await used('m'), await used('n')]).toEqual([1, 1])
      })
    })

    describe('counters', () => {
      test('grant exactly the limit to concurrent reservations inside and outside of transactions', async () => {
        const grants = await Promise.all([
          ...Array.from({ length: 30 }, () => stores.reserve('m', 20)),
          ...Array.from({ length: 10 }, () => reserve('m', 20)),
        ])
        const granted = grants.filter((grant) => grant.granted).map((grant) => grant.used)
        expect(granted.sort((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
        expect(await used('m')).toBe(20)
      })

      test('grant exactly the limit under concurrency', async () => {
        const grants = await Promise.all(Array.from({ length: 50 }, () => reserve('m', 20)))
        expect(grants.filter(({ granted }) => granted)).toHaveLength(20)
        expect(await used('m')).toBe(20)
      })

      test('count without a limit', async () => {
        await Promise.all(Array.from({ length: 5 }, () => reserve('m', null)))
        expect(await used('m')).toBe(5)
      })

      test('reject reservations at a limit of 0', async () => {
        expect(await reserve('m', 0)).toMatchObject({ granted: false, used: 0 })
      })

      test('reject reservations at a limit that was lowered below the usage', async () => {
        await reserve('m', 10)
        await reserve('m', 10)
        expect(await reserve('m', 1)).toMatchObject({ granted: false, used: 2 })
      })

      test('are independent of each other', async () => {
        await reserve('m', 10)
        expect(await reserve('n', 10)).toMatchObject({ granted: true, used: 1 })
      })

      test('accept the refund of a unit', async () => {
        const { period } = await reserve('m', 1)
        await stores.transact((tx) => tx.counters.refund('m', period))
        expect(await reserve('m', 1)).toMatchObject({ granted: true, used: 1 })
      })

      test('never go below 0', async () => {
        await stores.transact((tx) => tx.counters.refund('m', '2026-03'))
        expect(await used('m')).toBe(0)
      })

      test('reset with each calendar month in UTC', async () => {
        clock.jumpTo('2026-03-31T23:59:59.999Z')
        expect(await reserve('m', 1)).toMatchObject({ granted: true, period: '2026-03' })
        expect(await reserve('m', 1)).toMatchObject({ granted: false, period: '2026-03' })
        clock.jumpTo('2026-04-01T00:00:00.000Z')
        expect(await reserve('m', 1)).toMatchObject({ granted: true, period: '2026-04', used: 1 })
      })

      test('refund a unit to the month of its reservation', async () => {
        clock.jumpTo('2026-03-31T23:59:59.999Z')
        const { period } = await reserve('m', 5)
        clock.jumpTo('2026-04-01T00:00:01.000Z')
        await reserve('m', 5)
        await stores.transact((tx) => tx.counters.refund('m', period))
        expect(await used('m')).toBe(1)
      })

      test('stay in the new month when the clock goes back by at most the maximum clock skew', async () => {
        clock.jumpTo('2026-04-01T00:00:01.000Z')
        await reserve('m', 1)
        clock.jumpTo('2026-03-31T23:55:01.000Z')
        expect(await reserve('m', 1)).toMatchObject({ granted: false, period: '2026-04' })
        expect(await stores.reserve('m', 1)).toMatchObject({ granted: false, period: '2026-04' })
        expect(await used('m')).toBe(1)
        clock.jumpTo('2026-03-31T23:54:59.999Z')
        expect(await reserve('m', 1)).toMatchObject({ granted: true, period: '2026-03', used: 1 })
      })

      test('keep the usage of the month after the clock was 400 days ahead', async () => {
        const now = clock.now()
        for (let unit = 0; unit < 3; unit++) await stores.reserve('m', 5)
        clock.jumpTo(now + 400 * 86_400_000)
        expect(await stores.reserve('m', 5)).toMatchObject({ granted: true, period: '2027-04', used: 1 })
        clock.jumpTo(now)
        expect(await stores.read((view) => view.counters.peek('m'))).toEqual({ period: '2026-03', used: 3 })
        expect(await stores.reserve('m', 5)).toEqual({ granted: true, period: '2026-03', used: 4 })
        expect(await reserve('m', 5)).toEqual({ granted: true, period: '2026-03', used: 5 })
        expect(await stores.reserve('m', 5)).toEqual({ granted: false, period: '2026-03', used: 5 })
      })

      test('are marked once for each month and mark, also without units', async () => {
        const mark = (...facts: Parameters<CounterStore['mark']>) => stores.transact((tx) => tx.counters.mark(...facts))
        const marked = await Promise.all(Array.from({ length: 5 }, () => mark('m', '2026-03', 'warning')))
        expect(marked.filter(Boolean)).toHaveLength(1)
        expect(await mark('m', '2026-03', 'exceeded')).toBe(true)
        expect(await mark('m', '2026-04', 'warning')).toBe(true)
        expect(await mark('other', '2026-03', 'warning')).toBe(true)
        expect(await mark('m', '2026-03', 'exceeded')).toBe(false)
        expect((await stores.read((view) => view.counters.peek('m'))).used).toBe(0)
      })

      test('are not marked by a transaction that is rolled back', async () => {
        const rolledBack = stores.transact(async (tx) => {
          await tx.counters.mark('m', '2026-03', 'warning')
          throw new Error('rolled back')
        })
        await expect(rolledBack).rejects.toThrow('rolled back')
        expect(await stores.transact((tx) => tx.counters.mark('m', '2026-03', 'warning'))).toBe(true)
      })

      test('return the usage of many counters in one read', async () => {
        await reserve('m', null)
        await reserve('n', null)
        await reserve('n', null)
        clock.jumpTo('2026-04-01T00:00:00.000Z')
        await reserve('n', null)
        await reserve('o', null)
        const read = (counters: readonly string[]) => stores.read((view) => view.counters.used(counters))
        expect(await read(['m', 'n', 'o', 'p'])).toEqual(
          new Map([
            ['n', 1],
            ['o', 1],
          ]),
        )
        expect(await read([])).toEqual(new Map())
        clock.jumpTo('2026-03-31T23:59:59.000Z')
        expect(await read(['m', 'n'])).toEqual(
          new Map([
            ['m', 1],
            ['n', 1],
          ]),
        )
      })

      test('never grant more than the limit in a month, however often the clock jumps', async () => {
        const now = clock.now()
        const granted = new Map<string, number>()
        for (const days of [0, 400, 0, -40, 400, 0, 17, -1, 17, 0, 400]) {
          clock.jumpTo(now + days * 86_400_000)
          for (let unit = 0; unit < 3; unit++) {
            const reservation = await stores.reserve('m', 2)
            if (reservation.granted) granted.set(reservation.period, (granted.get(reservation.period) ?? 0) + 1)
          }
        }
        expect(Object.fromEntries(granted)).toEqual({ '2026-02': 2, '2026-03': 2, '2027-04': 2 })
      })

      test('count 29 February of a leap year in February', async () => {
        clock.jumpTo('2028-02-29T23:59:59.000Z')
        expect(await reserve('m', 1)).toMatchObject({ granted: true, period: '2028-02' })
      })
    })

    describe('usage records', () => {
      test('are stored once for each run', async () => {
        const usage = record()
        const add = () => stores.transact((tx) => tx.usage.add(usage))
        expect([await add(), await add()]).toEqual([true, false])
      })

      test('are stored and counted once for each run when added concurrently', async () => {
        const userId = newId('usr')
        const models = ['any', 'other', null]
        const usages = Array.from({ length: 30 }, (_, index) =>
          record({ userId, model: models[index % 3]!, durationMs: index * 10 }),
        )
        const added = await Promise.all([...usages, ...usages].map((usage) => stores.addUsage(usage)))
        expect(added.filter(Boolean)).toHaveLength(30)
        const hour = Math.floor(clock.now() / 3_600_000) * 3_600_000
        const query = { userId, from: hour, to: hour + 3_600_000, by: ['model'] } as const
        const totals = await stores.read((view) => view.usage.totals(query))
        expect(totals.map(({ requests }) => requests)).toEqual([10, 10, 10])
        expect(totals.map(({ promptTokens }) => promptTokens)).toEqual([20, 20, 20])
        const latencies = totals.flatMap((total) => total.latencies)
        expect(latencies.reduce((sum, count) => sum + count)).toBe(30)
      })

      test('are stored separately for several runs of one request', async () => {
        const runs = [record({ requestId: 'req_1' }), record({ requestId: 'req_1' })]
        await stores.transact(async (tx) => {
          for (const run of runs) await tx.usage.add(run)
        })
        expect(await stores.read((view) => view.usage.ofRequest('req_1'))).toHaveLength(2)
      })

      test('can have no model', async () => {
        const usage = record({ model: null, provider: null, outcome: 'NOT_FOUND', charged: false })
        await stores.transact((tx) => tx.usage.add(usage))
        expect(await stores.read((view) => view.usage.ofRequest(usage.requestId))).toEqual([usage])
      })
    })

    describe('keys', () => {
      test('are found by the hash of their secret, with their user', async () => {
        const { keyId, userId } = await addTestCaller(stores, clock, { key: { scopes: ['models', 'generate'] } })
        const { credentials } = await addTestCaller(stores, clock, { key: { expiresAt: clock.now() + 5 } })
        const found = await stores.read((view) => view.keys.findBySecretHash(hashToken(credentials.token)))
        expect(found).toMatchObject({ key: { expiresAt: clock.now() + 5, revokedAt: null }, user: { name: 'Ada' } })
        expect(found?.key.id).not.toBe(keyId)
        expect(found?.user.id).not.toBe(userId)
      })

      test('are not found by another hash', async () => {
        expect(await stores.read((view) => view.keys.findBySecretHash('0'.repeat(64)))).toBeUndefined()
      })
    })

    describe('users', () => {
      test('are returned as they were added', async () => {
        const { userId } = await addTestCaller(stores, clock, { user: { tier: 'enterprise', quotaLimit: 12 } })
        expect(await stores.read((view) => view.users.find(userId))).toMatchObject({
          id: userId,
          tier: 'enterprise',
          quotaLimit: 12,
          status: 'active',
          createdAt: clock.now(),
        })
        expect(await stores.read((view) => view.users.count())).toBe(1)
      })
    })

    describe('images', () => {
      test('are returned as they were added, with or without a user', async () => {
        const owned = { id: newId('img'), userId: newId('usr'), model: 'vista', createdAt: clock.now() }
        const ownerless = { ...owned, id: newId('img'), userId: null }
        await stores.transact(async (tx) => {
          await tx.images.add(owned)
          await tx.images.add(ownerless)
        })
        expect(await stores.read((view) => view.images.find(owned.id))).toEqual(owned)
        expect(await stores.read((view) => view.images.find(ownerless.id))).toEqual(ownerless)
      })
    })

    describe('adding a record twice', () => {
      test('changes nothing, so that an uncertain write can be repeated', async () => {
        const image = { id: newId('img'), userId: null, model: 'vista', createdAt: clock.now() }
        const event = someEvent(newId)
        for (let time = 0; time < 2; time++) {
          await stores.transact(async (tx) => {
            await tx.images.add(image)
            await tx.events.add([event])
          })
        }
        expect(await storedEvents(stores)).toEqual([event])
      })
    })

    shipmentSuite(() => stores)
    claimSuite(() => stores, clock)
    accountSuite(clock, () => stores)
    usageSuite(clock, () => stores)
    webhookSuite(() => stores)
  })
}
