import { createIds } from '@fairlead/core/adapter'
import type { TestClock } from '../fakes/test-clock.ts'
import type { GatewayStores, ImageRow } from '@fairlead/core/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for images. */
export function imageSuite(stores: () => GatewayStores, clock: TestClock): void {
  const newId = createIds(clock.now)
  const image = (facts: Partial<ImageRow> = {}): ImageRow => {
    const createdAt = facts.createdAt ?? clock.now()
    return {
      id: createIds(() => createdAt)('img'),
      userId: null,
      payer: null,
      bytes: 70,
      model: 'vista',
      createdAt,
      ...facts,
    }
  }
  const add = (...images: readonly ImageRow[]) =>
    stores().transact(async (tx) => {
      for (const each of images) await tx.images.add(each)
    })
  const find = ({ id }: ImageRow) => stores().read((view) => view.images.find(id))

  describe('images', () => {
    test('images are returned as they were added, with or without a user', async () => {
      const [owned, ownerless] = [image({ userId: newId('usr') }), image()]
      await add(owned, ownerless)
      expect([await find(owned), await find(ownerless)]).toEqual([owned, ownerless])
    })

    test('images are empty until the first is added, and after the last is removed', async () => {
      const isEmpty = () => stores().read((view) => view.images.isEmpty())
      expect(await isEmpty()).toBe(true)
      await add(image({ userId: 'usr_1' }))
      expect(await isEmpty()).toBe(false)
      await stores().transact((tx) => tx.images.removeOfUser('usr_1'))
      expect(await isEmpty()).toBe(true)
    })

    test('images of a user are removed together', async () => {
      const mine = ['usr_1', 'usr_1', 'usr_2'].map((userId) => image({ userId }))
      await add(...mine)
      const removed = await stores().transact((tx) => tx.images.removeOfUser('usr_1'))
      expect(removed.toSorted()).toEqual([mine[0]!.id, mine[1]!.id].toSorted())
      expect(await find(mine[0]!)).toBeUndefined()
      expect(await find(mine[2]!)).toEqual(mine[2])
    })

    test('images count toward the bytes of who pays for them, or else of their owner, until they are removed', async () => {
      const large = 3_000_000_000
      const own = image({ userId: 'usr_1', bytes: large })
      const old = image({ userId: 'usr_1', bytes: large, createdAt: Date.UTC(2020, 0) })
      const [paid, funded] = ['usr_1', null].map((payer) => image({ userId: 'prj_1', payer, bytes: 5 }))
      await add(own, old, paid!, funded!, image())
      await add(own)
      const countBytes = (account: string) => stores().read((view) => view.images.bytesOf(account))
      expect([await countBytes('usr_1'), await countBytes('prj_1'), await countBytes('usr_2')]).toEqual([
        2 * large + 5,
        5,
        0,
      ])
      await stores().transact((tx) => tx.images.purge(Date.UTC(2021, 0), 10))
      expect(await countBytes('usr_1')).toBe(large + 5)
      await stores().transact((tx) => tx.images.removeOfUser('prj_1'))
      expect([await countBytes('usr_1'), await countBytes('prj_1')]).toEqual([large, 0])
    })

    test('images can be added again, so that an uncertain write can be repeated', async () => {
      const twice = image()
      await add(twice)
      await add(twice)
      expect(await find(twice)).toEqual(twice)
    })

    test('images are purged in batches, the oldest first', async () => {
      const images = [2024, 2022, 2023, 2026].map((created) => image({ createdAt: Date.UTC(created, 0) }))
      const [of2024, of2022, of2023, of2026] = images.map(({ id }) => id)
      await add(...images)
      const purge = () => stores().transact((tx) => tx.images.purge(Date.UTC(2025, 0), 2))
      expect([...(await purge())].sort()).toEqual([of2022, of2023])
      expect([await purge(), await purge()]).toEqual([[of2024], []])
      const all = images.map(({ id }) => id)
      expect(await stores().read((view) => view.images.missing(all))).toEqual([of2024, of2022, of2023])
      expect(await stores().read((view) => view.images.missing([of2026!]))).toEqual([])
      expect(await stores().read((view) => view.images.missing([]))).toEqual([])
    })
  })
}
