import { createIds } from '@fairlead/core/adapter'
import { someEvent, storedEvents } from '../fakes/some-event.ts'
import type { EventRow } from '@fairlead/core/stores'
import type { EventFilters, WebhookStores } from '@fairlead/webhooks/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for events. */
export function eventSuite(stores: () => WebhookStores): void {
  const newId = createIds(Date.now)
  const readIds = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id)

  describe('events', () => {
    const list = async (filters: EventFilters) =>
      readIds(await stores().read((view) => view.events.list(filters, { first: 'oldest', limit: 9 })))
    const add = (...events: readonly EventRow[]) => stores().transact((tx) => tx.events.add(events))

    test('events of a user are removed if they are older than the newest ones', async () => {
      const userId = newId('usr')
      const events = [1, 2, 3, 4].map((createdAt) => someEvent(newId, { userId, createdAt }))
      const other = someEvent(newId, { userId: newId('usr'), createdAt: 1 })
      await add(...events, other)
      const removeExcess = (max: number, limit: number) =>
        stores().transact((tx) => tx.events.removeExcess(userId, { max, limit }))
      expect(await removeExcess(4, 9)).toEqual([])
      expect(await removeExcess(2, 1)).toEqual([events[1]!.id])
      expect(await removeExcess(2, 9)).toEqual([events[0]!.id])
      expect(await list({ userId })).toEqual([events[2]!.id, events[3]!.id])
      expect(await stores().read((view) => view.events.find(other.id))).toEqual(other)
    })

    test('events are returned as they were added, with or without a user', async () => {
      const owned = someEvent(newId, { data: { id: 'shp_1', parcels: [{ weight_kg: 0.1 }], notes: 'é😀' } })
      const ownerless = someEvent(newId, { userId: null })
      await add(owned, ownerless)
      expect(await stores().read((view) => view.events.find(owned.id))).toEqual(owned)
      expect(await stores().read((view) => view.events.findMany([ownerless.id, 'evt_1']))).toEqual([ownerless])
      expect(await stores().read((view) => view.events.findMany([]))).toEqual([])
    })

    test('events are listed by user, type, pattern, and resource', async () => {
      const made = [
        someEvent(newId, { type: 'api_key.created', createdAt: 1 }),
        someEvent(newId, { type: 'api_key.revoked', createdAt: 2 }),
        someEvent(newId, { type: 'api.created', createdAt: 3, resourceId: 'r' }),
      ]
      await add(...made)
      const [created, revoked, other] = readIds(made)
      expect(await list({})).toEqual([created, revoked, other])
      expect(await list({})).toEqual([created, revoked, other])
      expect(await list({ types: ['api_key.revoked', 'api_key.created'] })).toEqual([created, revoked])
      expect(await list({ types: ['api_key.revoked'] })).toEqual([revoked])
      expect(await list({ types: [] })).toEqual([])
      expect(await list({ userId: made[1]!.userId! })).toEqual([revoked])
      expect(await list({ resourceId: 'r', types: ['api.created', 'api.deleted'] })).toEqual([other])
    })

    test('events are stored once if they are added twice', async () => {
      const event = someEvent(newId)
      await add(event)
      await add({ ...event, type: 'user.deleted' })
      await add()
      expect(await storedEvents(stores())).toEqual([event])
    })

    test('events are followed from any of them, page by page, in the order of their commits', async () => {
      const [first, second, third] = [someEvent(newId), someEvent(newId), someEvent(newId)]
      await add(third)
      await add(first, second)
      const follow = (after: string, limit: number, until?: string) =>
        stores().read((view) => view.events.follow(after, limit, until))
      const start = (await stores().read((view) => view.events.positionOf(third.id)))!

      // Any open transaction of the database server delays later events.
      await expect.poll(async () => readIds((await follow(start, 9)).events)).toEqual([first.id, second.id])

      const page = await follow(start, 1)
      const rest = await follow(page.position, 9)
      expect([readIds(page.events), readIds(rest.events)]).toEqual([[first.id], [second.id]])
      expect(await follow(rest.position, 9)).toEqual({ events: [], position: rest.position })
      expect(readIds((await follow(start, 9, page.position)).events)).toEqual([first.id])
    })

    test('events are followed from the end', async () => {
      await add(someEvent(newId))
      const end = await stores().read((view) => view.events.lastPosition())
      const next = someEvent(newId)
      await add(next)
      const following = async () => readIds((await stores().read((view) => view.events.follow(end, 9))).events)
      await expect.poll(async () => (await following()).at(-1)).toBe(next.id)
      expect(await stores().read((view) => view.events.positionOf('evt_1'))).toBeUndefined()
    })

    test('events are purged in batches, the oldest first', async () => {
      const events = [2022, 2023, 2024, 2026].map((year) => {
        const createdAt = Date.UTC(year, 0)
        return someEvent(newId, { id: createIds(() => createdAt)('evt'), createdAt })
      })
      await add(...events)
      const purge = () => stores().transact((tx) => tx.events.purge(Date.UTC(2025, 0), 2))
      expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0])
      expect(await storedEvents(stores())).toEqual([events[3]])
    })

    test('events are not stored by a transaction that is rolled back', async () => {
      const work = stores().transact(async (tx) => {
        await tx.events.add([someEvent(newId)])
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await storedEvents(stores())).toEqual([])
    })
  })
}
