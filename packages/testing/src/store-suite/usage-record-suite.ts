import { createIds } from '@fairlead/core/adapter'
import { someUsage } from '../fakes/some-usage.ts'
import type { RuntimeStores, StoredUsage, UsageRecord } from '@fairlead/core/stores'
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

    test('usage records are read in the order in which they were stored, each once', async () => {
      const { storedUsage } = stores()
      if (!storedUsage) return
      await storedUsage.prepare()
      // The ids are in another order.
      const usages = [3, 1, 2].map((hour) =>
        someUsage(newId, { runId: createIds(() => Date.now() + hour * 3_600_000)('run') }),
      )
      for (const usage of usages) await stores().transact((tx) => tx.usage.add(usage))
      const [first, second, third] = usages
      await positionBefore(storedUsage, third!)
      const start = await positionBefore(storedUsage, first!)
      const page = await storedUsage.after(start, 2)
      expect(page.records).toEqual([first, second])
      expect((await storedUsage.after(page.position, 1)).records).toEqual([third])
      expect((await storedUsage.after(start, 9, page.position)).records).toEqual([first, second])
    })

    test('usage records of rejected runs are read as stored, too', async () => {
      const { storedUsage } = stores()
      if (!storedUsage) return
      const rejected = someUsage(newId, { outcome: 'INVALID_REQUEST', charged: false })
      await stores().transact((tx) => tx.usage.addRejected([rejected]))
      const start = await positionBefore(storedUsage, rejected)
      expect((await storedUsage.after(start, 1)).records).toEqual([rejected])
    })

    test('usage records are read anew after a position of another database', async () => {
      const { storedUsage } = stores()
      if (!storedUsage) return
      await stores().addUsage(someUsage(newId))
      await expect.poll(() => storedUsage.after(undefined, 1).then(({ records }) => records)).toHaveLength(1)
      const [first] = (await storedUsage.after(undefined, 1)).records
      expect((await storedUsage.after('other:1:2', 1)).records).toEqual([first])
    })
  })
}

/** Waits until the record is returned: transactions that are open in other databases of a server delay it. */
async function positionBefore(storedUsage: StoredUsage, { runId }: UsageRecord): Promise<string | undefined> {
  let before: string | undefined
  const isNext = async () => {
    const { records, position } = await storedUsage.after(before, 1)
    if (records[0]?.runId === runId) return true
    before = position ?? before
    return false
  }
  await expect.poll(isNext, { interval: 1 }).toBe(true)
  return before
}
