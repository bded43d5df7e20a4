import { createIds } from '@fairlead/core/adapter'
import { someUsage } from '../fakes/some-usage.ts'
import type { RuntimeStores } from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for transactions, locks, settings, and write checks. */
export function transactionSuite(stores: () => RuntimeStores): void {
  const newId = createIds(Date.now)
  const reserve = (counter: string, limit: number | null) =>
    stores().transact((tx) => tx.counters.reserve(counter, limit))
  const used = async (counter: string) => (await stores().read((view) => view.counters.peek(counter))).used

  describe('transactions', () => {
    test('transactions commit all of their changes', async () => {
      const usage = someUsage(newId)
      await stores().transact(async (tx) => {
        await tx.counters.reserve('m', 10)
        await tx.usage.add(usage)
      })
      expect(await used('m')).toBe(1)
      expect(await stores().addUsage(usage)).toBe(false)
    })

    test('transactions roll back all of their changes if the work throws', async () => {
      const usage = someUsage(newId)
      const work = stores().transact(async (tx) => {
        await tx.counters.reserve('m', 10)
        await tx.usage.add(usage)
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await used('m')).toBe(0)
      expect(await stores().addUsage(usage)).toBe(true)
    })

    test('transactions are not affected by a failing transaction in the same queue', async () => {
      const outcomes = await Promise.allSettled([
        reserve('m', null),
        stores().transact(async (tx) => {
          await tx.counters.reserve('m', null)
          throw new Error('no')
        }),
        reserve('m', null),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await used('m')).toBe(2)
    })

    test('transactions are invisible to reads until they commit', async () => {
      const counts: number[] = []
      const writing = stores().transact(async (tx) => {
        await tx.counters.reserve('m', null)
        await tx.counters.reserve('m', null)
      })
      const reading = used('m').then((count) => counts.push(count))
      await Promise.all([writing, reading])
      expect(counts[0] === 0 || counts[0] === 2).toBe(true)
    })
  })

  describe('locks', () => {
    test('locks serialize transactions that read before they write', async () => {
      const addUpToThree = () =>
        stores().transact(async (tx) => {
          await tx.lock('m')
          const { used: taken } = await tx.counters.peek('m')
          if (taken < 3) await tx.counters.reserve('m', null)
        })
      await Promise.all(Array.from({ length: 8 }, addUpToThree))
      expect(await used('m')).toBe(3)
    })
  })

  describe('settings', () => {
    test('settings have the value that was set last', async () => {
      const get = () => stores().transact((tx) => tx.settings.get('color'))
      expect(await get()).toBeUndefined()
      await stores().transact((tx) => tx.settings.set('color', 'red'))
      await stores().transact((tx) => tx.settings.set('color', 'blue'))
      expect(await get()).toBe('blue')
    })
  })

  describe('write checks', () => {
    test('write checks are kept for each node until they are old', async () => {
      const purge = (before: number) => stores().transact((tx) => tx.writeChecks.purge(before, 9))
      await stores().transact((tx) => tx.writeChecks.set('node_1', 100))
      await stores().transact((tx) => tx.writeChecks.set('node_2', 100))
      await stores().transact((tx) => tx.writeChecks.set('node_1', 200))
      expect(await purge(200)).toBe(1)
      expect(await purge(201)).toBe(1)
    })
  })
}
