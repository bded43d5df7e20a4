import type { RuntimeStores } from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

const key = { budget: 'usr_1', period: '2026-03' }

/** The part of the store suite for what budgets have spent and reserved. */
export function spendSuite(stores: () => RuntimeStores): void {
  const reserve = (runId: string, amount: number, limit: number, facts: object = {}) =>
    stores().transact((tx) => tx.spend.reserve({ ...key, runId, amount, expiresAt: 1_000, ...facts }, limit))
  const settle = (runId: string, cost: number, keys = [key], reserved = 0) =>
    stores().transact((tx) => tx.spend.settle(runId, keys, cost, reserved))
  const find = async (...keys: readonly (typeof key)[]) => stores().read((view) => view.spend.find(keys))
  const spend = async () => (await find(key))[0]

  describe('spends', () => {
    test('spends grant exactly the limit to concurrent reservations', async () => {
      const granted = await Promise.all(Array.from({ length: 25 }, (_, n) => reserve(`run_${n}`, 3, 30)))
      expect(granted.filter(Boolean)).toHaveLength(10)
      expect(await spend()).toMatchObject({ spent: 0, reserved: 30 })
    })

    test('spends reject what is more than the limit by itself', async () => {
      expect(await reserve('run_1', 11, 10)).toBe(false)
      expect(await spend()).toBeUndefined()
    })

    test('spends count what is spent and what is reserved', async () => {
      await reserve('run_1', 5, 10)
      await settle('run_1', 4)
      await reserve('run_2', 3, 10)
      expect(await reserve('run_3', 4, 10)).toBe(false)
      expect(await reserve('run_3', 3, 10)).toBe(true)
    })

    test('spends are exact beyond 32 bits', async () => {
      const limit = 1_000_000_000_000_000
      expect(await reserve('run_1', limit, limit)).toBe(true)
      expect(await reserve('run_2', 1, limit)).toBe(false)
      expect(await settle('run_1', limit)).toMatchObject([{ spent: limit, reserved: 0 }])
    })

    test('spends replace the reservation of a run by its cost', async () => {
      await reserve('run_1', 5, 10)
      await reserve('run_2', 2, 10)
      expect(await settle('run_1', 7)).toEqual([{ ...key, spent: 7, reserved: 2, marked: 0 }])
      expect(await settle('run_2', 0)).toEqual([{ ...key, spent: 7, reserved: 0, marked: 0 }])
    })

    test('spends settle several budgets of a run', async () => {
      const other = { budget: 'key_1', period: '2026-W11' }
      await reserve('run_1', 5, 10, other)
      await reserve('run_1', 5, 10)
      expect(await settle('run_1', 3, [other, key])).toMatchObject([
        { ...other, spent: 3, reserved: 0 },
        { ...key, spent: 3, reserved: 0 },
      ])
      expect(await find(other, key, { budget: 'usr_2', period: 'total' })).toHaveLength(2)
    })

    test('spends spend the cost of a run without a reservation', async () => {
      expect(await settle('run_1', 3)).toMatchObject([{ spent: 3, reserved: 0 }])
    })

    test('spends are separate for each period', async () => {
      await reserve('run_1', 10, 10)
      expect(await reserve('run_2', 10, 10, { period: '2026-04' })).toBe(true)
    })

    test('spends roll a reservation back with its transaction', async () => {
      const work = stores().transact(async (tx) => {
        await tx.spend.reserve({ ...key, runId: 'run_1', amount: 10, expiresAt: 1_000 }, 10)
        throw new Error('rolled back')
      })
      await expect(work).rejects.toThrow('rolled back')
      expect(await reserve('run_2', 10, 10)).toBe(true)
    })

    test('spends count expired reservations as spent, and correct them when the run is settled later', async () => {
      await reserve('run_1', 6, 10)
      await reserve('run_2', 4, 10, { expiresAt: 1_001 })
      const expire = (now: number) => stores().transact((tx) => tx.spend.spendExpired(now, 100))
      expect(await expire(999)).toBe(0)
      expect(await expire(1_000)).toBe(1)
      expect(await spend()).toMatchObject({ spent: 6, reserved: 4 })
      expect(await settle('run_1', 5, [key], 6)).toMatchObject([{ spent: 5, reserved: 4 }])
      expect(await expire(2_000)).toBe(1)
      expect(await spend()).toMatchObject({ spent: 9, reserved: 0 })
    })

    test('spends expire at most as many reservations as asked for', async () => {
      for (let n = 0; n < 5; n++) await reserve(`run_${n}`, 1, 10)
      expect(await stores().transact((tx) => tx.spend.spendExpired(1_000, 3))).toBe(3)
      expect(await spend()).toMatchObject({ spent: 3, reserved: 2 })
    })

    test('spends settle and expire concurrently without counting twice', async () => {
      for (let n = 0; n < 20; n++) await reserve(`run_${n}`, 1, 100)
      await Promise.all([
        ...Array.from({ length: 20 }, (_, n) => settle(`run_${n}`, 2, [key], 1)),
        ...Array.from({ length: 5 }, () => stores().transact((tx) => tx.spend.spendExpired(1_000, 3))),
        ...Array.from({ length: 5 }, (_, n) => reserve(`late_${n}`, 1, 0)),
      ])
      expect(await spend()).toMatchObject({ spent: 40, reserved: 0 })
    })

    test('spends are marked once for each share, also under concurrency', async () => {
      const mark = (percent: number) => stores().transact((tx) => tx.spend.mark(key, percent))
      expect((await Promise.all([mark(50), mark(50), mark(50)])).filter(Boolean)).toHaveLength(1)
      expect(await mark(80)).toBe(true)
      expect(await mark(50)).toBe(false)
      expect(await spend()).toMatchObject({ spent: 0, marked: 80 })
    })

    test('spends are purged by month, except for totals', async () => {
      const periods = ['2025-01', '2025-01-31', '2025-W05', '2026-03', '2026-03-14', '2026-W11', 'total']
      for (const period of periods) await settle('run_1', 1, [{ budget: 'usr_1', period }])
      expect(await stores().transact((tx) => tx.spend.purge('2026-02', 100))).toBe(3)
      const left = await find(...periods.map((period) => ({ budget: 'usr_1', period })))
      expect(left.map(({ period }) => period).toSorted()).toEqual(periods.slice(3))
    })
  })
}
