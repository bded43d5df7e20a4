import type { TestClock } from '../fakes/test-clock.ts'
import type { CounterStore, RuntimeStores } from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for quota counters. */
export function counterSuite(stores: () => RuntimeStores, clock: TestClock): void {
  const reserve = (counter: string, limit: number | null) =>
    stores().transact((tx) => tx.counters.reserve(counter, limit))
  const used = async (counter: string) => (await stores().read((view) => view.counters.peek(counter))).used

  describe('counters', () => {
    test('counters grant exactly the limit to concurrent reservations inside and outside of transactions', async () => {
      const grants = await Promise.all([
        ...Array.from({ length: 30 }, () => stores().reserve('m', 20)),
        ...Array.from({ length: 10 }, () => reserve('m', 20)),
      ])
      const granted = grants.filter((grant) => grant.granted).map((grant) => grant.used)
      expect(granted.sort((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
      expect(await used('m')).toBe(20)
    })

    test('counters grant exactly the limit under concurrency', async () => {
      const grants = await Promise.all(Array.from({ length: 50 }, () => reserve('m', 20)))
      const winners = grants.filter(({ granted }) => granted)
      expect(winners.map((grant) => grant.used).toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 1),
      )
      expect(await used('m')).toBe(20)
    })

    test('counters count without a limit', async () => {
      await Promise.all(Array.from({ length: 5 }, () => reserve('m', null)))
      expect(await used('m')).toBe(5)
    })

    test('counters reject reservations at a limit of 0', async () => {
      expect(await reserve('m', 0)).toMatchObject({ granted: false, used: 0 })
    })

    test('counters reject reservations at a limit that was lowered below the usage', async () => {
      await reserve('m', 10)
      await reserve('m', 10)
      expect(await reserve('m', 1)).toMatchObject({ granted: false, used: 2 })
    })

    test('counters are independent of each other', async () => {
      await reserve('m', 10)
      expect(await reserve('n', 10)).toMatchObject({ granted: true, used: 1 })
    })

    test('counters add units whatever the limit, exactly under concurrency, and not if the transaction fails', async () => {
      const add = () => stores().transact((tx) => tx.counters.add('m', 7_000_000_000))
      const sums = (await Promise.all(Array.from({ length: 20 }, add))).map((reading) => reading.used)
      expect(sums.toSorted((one, other) => one - other)).toEqual(sums.map((_, index) => (index + 1) * 7_000_000_000))
      const failed = stores().transact(async (tx) => {
        await tx.counters.add('m', 1)
        throw new Error('too many')
      })
      await expect(failed).rejects.toThrow('too many')
      expect(await used('m')).toBe(140_000_000_000)
    })

    test('counters accept the refund of a unit', async () => {
      const { period } = await reserve('m', 1)
      await stores().transact((tx) => tx.counters.refund('m', period))
      expect(await reserve('m', 1)).toMatchObject({ granted: true, used: 1 })
    })

    test('counters never go below 0', async () => {
      await stores().transact((tx) => tx.counters.refund('m', '2026-03'))
      expect(await used('m')).toBe(0)
    })

    test('counters reset with each calendar month in UTC', async () => {
      clock.jumpTo('2026-03-31T23:59:59.999Z')
      expect(await reserve('m', 1)).toMatchObject({ granted: true, period: '2026-03' })
      expect(await reserve('m', 1)).toMatchObject({ granted: false, period: '2026-03' })
      clock.jumpTo('2026-04-01T00:00:00.000Z')
      expect(await reserve('m', 1)).toMatchObject({ granted: true, period: '2026-04', used: 1 })
    })

    test('counters refund a unit to the month of its reservation', async () => {
      clock.jumpTo('2026-03-31T23:59:59.999Z')
      const { period } = await reserve('m', 5)
      clock.jumpTo('2026-04-01T00:00:01.000Z')
      await reserve('m', 5)
      await stores().transact((tx) => tx.counters.refund('m', period))
      expect(await used('m')).toBe(1)
    })

    test('counters stay in the new month when the clock goes back by at most the maximum clock skew', async () => {
      clock.jumpTo('2026-04-01T00:00:01.000Z')
      await reserve('m', 1)
      clock.jumpTo('2026-03-31T23:55:01.000Z')
      expect(await reserve('m', 1)).toMatchObject({ granted: false, period: '2026-04' })
      expect(await stores().reserve('m', 1)).toMatchObject({ granted: false, period: '2026-04' })
      expect(await used('m')).toBe(1)
      clock.jumpTo('2026-03-31T23:54:59.999Z')
      expect(await reserve('m', 1)).toMatchObject({ granted: true, period: '2026-03', used: 1 })
    })

    test('counters keep the usage of the month after the clock was 400 days ahead', async () => {
      const now = clock.now()
      for (let unit = 0; unit < 3; unit++) await stores().reserve('m', 5)
      clock.jumpTo(now + 400 * 86_400_000)
      expect(await stores().reserve('m', 5)).toMatchObject({ granted: true, period: '2027-04', used: 1 })
      clock.jumpTo(now)
      expect(await stores().read((view) => view.counters.peek('m'))).toEqual({ period: '2026-03', used: 3 })
      expect(await stores().reserve('m', 5)).toEqual({ granted: true, period: '2026-03', used: 4 })
      expect(await reserve('m', 5)).toEqual({ granted: true, period: '2026-03', used: 5 })
      expect(await stores().reserve('m', 5)).toEqual({ granted: false, period: '2026-03', used: 5 })
    })

    test('counters are marked once for each month and mark, also without units', async () => {
      const mark = (...facts: Parameters<CounterStore['mark']>) => stores().transact((tx) => tx.counters.mark(...facts))
      const marked = await Promise.all(Array.from({ length: 5 }, () => mark('m', '2026-03', 'warning')))
      expect(marked.filter(Boolean)).toHaveLength(1)
      expect(await mark('m', '2026-03', 'exceeded')).toBe(true)
      expect(await mark('m', '2026-04', 'warning')).toBe(true)
      expect(await mark('other', '2026-03', 'warning')).toBe(true)
      expect(await mark('m', '2026-03', 'exceeded')).toBe(false)
      expect((await stores().read((view) => view.counters.peek('m'))).used).toBe(0)
    })

    test('counters are not marked by a transaction that is rolled back', async () => {
      const rolledBack = stores().transact(async (tx) => {
        await tx.counters.mark('m', '2026-03', 'warning')
        throw new Error('rolled back')
      })
      await expect(rolledBack).rejects.toThrow('rolled back')
      expect(await stores().transact((tx) => tx.counters.mark('m', '2026-03', 'warning'))).toBe(true)
    })

    test('counters never grant more than the limit in a month, however often the clock jumps', async () => {
      const now = clock.now()
      const granted = new Map<string, number>()
      for (const days of [0, 400, 0, -40, 400, 0, 17, -1, 17, 0, 400]) {
        clock.jumpTo(now + days * 86_400_000)
        for (let unit = 0; unit < 3; unit++) {
          const reservation = await stores().reserve('m', 2)
          if (reservation.granted) granted.set(reservation.period, (granted.get(reservation.period) ?? 0) + 1)
        }
      }
      expect(Object.fromEntries(granted)).toEqual({ '2026-02': 2, '2026-03': 2, '2027-04': 2 })
    })

    test('counters count 29 February of a leap year in February', async () => {
      clock.jumpTo('2028-02-29T23:59:59.000Z')
      expect(await reserve('m', 1)).toMatchObject({ granted: true, period: '2028-02' })
    })

    test('counters of past months are purged in batches', async () => {
      for (const month of ['2024-11', '2024-12', '2025-01', '2025-02']) {
        clock.jumpTo(`${month}-15T00:00:00.000Z`)
        await reserve('m', null)
        await reserve('n', null)
      }
      const purge = () => stores().transact((tx) => tx.counters.purge('2025-02', 4))
      expect([await purge(), await purge(), await purge()]).toEqual([4, 2, 0])
      expect([await used('m'), await used('n')]).toEqual([1, 1])
    })
  })
}
