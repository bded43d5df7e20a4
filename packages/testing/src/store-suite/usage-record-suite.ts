import { createIds } from '@fairlead/core/adapter'
import { someUsage } from '@fairlead/core/fakes'
import type { RuntimeStores } from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for usage records, as far as every core needs them: they are added and purged. */
export function usageRecordSuite(stores: () => RuntimeStores): void {
  const newId = createIds(Date.now)

  describe('usage records', () => {
    test('usage records are stored once for each run', async () => {
      const usage = someUsage(newId)
      const add = () => stores().transact((tx) => tx.usage.add(usage))
      expect([await add(), await add(), await stores().addUsage(usage)]).toEqual([true, false, false])
    })

    test('usage records are stored once for each run when added concurrently', async () => {
      const usages = Array.from({ length: 30 }, () => someUsage(newId))
      const added = await Promise.all([...usages, ...usages].map((usage) => stores().addUsage(usage)))
      expect(added.filter(Boolean)).toHaveLength(30)
    })

    test('usage records of rejected runs are stored once, and can be purged', async () => {
      const at = Date.UTC(2021, 0)
      const rejected = { runId: createIds(() => at)('run'), at, outcome: 'INVALID_REQUEST', charged: false } as const
      const usage = someUsage(newId, rejected)
      await stores().transact(async (tx) => {
        await tx.usage.addRejected([usage, usage])
        await tx.usage.addRejected([usage])
      })
      expect(await stores().addUsage(usage)).toBe(false)
      expect(await stores().transact((tx) => tx.usage.purge(Date.UTC(2022, 0), 2))).toBe(1)
    })

    test('usage records are purged in batches, the oldest first', async () => {
      const [of2024, of2022, of2023, of2026] = [2024, 2022, 2023, 2026].map((year) => {
        const at = Date.UTC(year, 0)
        return someUsage(newId, { runId: createIds(() => at)('run'), at })
      })
      for (const usage of [of2024, of2022, of2023, of2026]) await stores().addUsage(usage!)
      const purge = () => stores().transact((tx) => tx.usage.purge(Date.UTC(2025, 0), 2))
      expect(await purge()).toBe(2)
      // A record can be added again only if it was removed.
      expect(await stores().addUsage(of2024!)).toBe(false)
      expect([await purge(), await purge()]).toEqual([1, 0])
      expect(await stores().addUsage(of2026!)).toBe(false)
    })
  })
}
