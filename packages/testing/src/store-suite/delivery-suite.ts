import { createIds } from '@fairlead/core/adapter'
import { someDelivery, someWebhook } from '../fakes/some-webhook.ts'
import { someEvent } from '../fakes/some-event.ts'
import type { ClaimRequest, DeliveryRow, DeliveryFilters, WebhookRow, WebhookStores } from '@fairlead/webhooks/stores'
import type { Transaction } from '../fakes/own-features.ts'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for deliveries. */
export function deliverySuite(stores: () => WebhookStores): void {
  const newId = createIds(Date.now)
  const find = (id: string) => stores().read((view) => view.deliveries.find(id))
  const add = (...deliveries: readonly DeliveryRow[]) => stores().transact((tx) => tx.deliveries.add(deliveries))
  const replace = (delivery: DeliveryRow, leaseUntil?: number) =>
    stores().transact((tx) => tx.deliveries.replace(delivery, leaseUntil))
  const claim = (request: Partial<ClaimRequest> = {}) =>
    stores().transact((tx) => tx.deliveries.claim({ now: 1_000, leaseMs: 50, limit: 9, except: [], ...request }))

  /** Adds deliveries to one webhook, each with an event. */
  async function addDue(...facts: readonly Partial<DeliveryRow>[]) {
    const webhook = someWebhook(newId)
    const events = facts.map(() => someEvent(newId))
    const deliveries = facts.map((each, index) =>
      someDelivery(newId, { webhookId: webhook.id, eventId: events[index]!.id, createdAt: index, ...each }),
    )
    await stores().transact(async (tx) => {
      await tx.webhooks.add(webhook)
      await tx.events.add(events)
      await tx.deliveries.add(deliveries)
    })
    return { webhook, events, deliveries, ids: deliveries.map(({ id }) => id) }
  }

  describe('deliveries', () => {
    test('deliveries are returned as they were added', async () => {
      const plain = someDelivery(newId)
      const attempts = [
        { at: 1, durationMs: 2, status: 500, error: null },
        { at: 3, durationMs: 4, status: null, error: 'timeout' },
      ]
      const failed = someDelivery(newId, { status: 'failed', nextAttemptAt: null, attempts, tries: 2 })
      await add(plain, failed)
      expect(await find(plain.id)).toEqual(plain)
      expect(await stores().read((view) => view.deliveries.findMany([failed.id, 'dlv_1']))).toEqual([failed])
      expect(await stores().read((view) => view.deliveries.findMany([]))).toEqual([])
    })

    test('deliveries are added once for each event and webhook', async () => {
      const delivery = someDelivery(newId)
      await add(delivery)
      await add({ ...delivery, id: newId('dlv') }, someDelivery(newId, { eventId: delivery.eventId }))
      await add()
      const list = (filters: DeliveryFilters) =>
        stores().read((view) => view.deliveries.list(filters, { first: 'oldest', limit: 9 }))
      expect(await list({ webhookId: delivery.webhookId })).toEqual([delivery])
      expect(await list({ eventId: delivery.eventId })).toHaveLength(2)
    })

    test('deliveries are listed by webhook, status, and event', async () => {
      const { webhook, ids, deliveries } = await addDue({ status: 'failed', nextAttemptAt: null }, {}, {})
      await add(someDelivery(newId))
      const list = async (filters: DeliveryFilters) => {
        const found = await stores().read((view) => view.deliveries.list(filters, { first: 'newest', limit: 9 }))
        return found.map(({ id }) => id)
      }
      expect(await list({ webhookId: webhook.id })).toEqual(ids.toReversed())
      expect(await list({ webhookId: webhook.id, status: 'failed' })).toEqual([ids[0]])
      expect(await list({ webhookId: webhook.id, eventId: deliveries[1]!.eventId })).toEqual([ids[1]])
    })

    test('deliveries are counted while they are pending and their webhook exists', async () => {
      const queue = () => stores().read((view) => view.deliveries.queue())
      expect(await queue()).toEqual({ pending: 0, dueSince: null })
      await addDue({ nextAttemptAt: 70 }, { nextAttemptAt: 40 }, { status: 'delivered', nextAttemptAt: null })
      await add(someDelivery(newId, { nextAttemptAt: 1 }))
      expect(await queue()).toEqual({ pending: 2, dueSince: 40 })
    })

    test('deliveries of a webhook can be failed and recovered', async () => {
      const { webhook, ids } = await addDue({ createdAt: 1, tries: 3 }, { createdAt: 2 }, { status: 'delivered' })
      const other = await addDue({})
      const statuses = async () => (await Promise.all(ids.map(find))).map((delivery) => delivery?.status)
      await stores().transact((tx) => tx.deliveries.failPending(webhook.id, 100, 9))
      expect(await statuses()).toEqual(['failed', 'failed', 'delivered'])
      expect(await find(ids[0]!)).toMatchObject({ nextAttemptAt: null, updatedAt: 100 })
      expect(await find(other.ids[0]!)).toEqual(other.deliveries[0])
      const recover = (since: number) =>
        stores().transact((tx) => tx.deliveries.recover(webhook.id, { since, at: 200, limit: 9 }))
      expect([await recover(2), await recover(0)]).toEqual([1, 1])
      expect(await statuses()).toEqual(['pending', 'pending', 'delivered'])
      expect(await find(ids[0]!)).toMatchObject({ nextAttemptAt: 200, updatedAt: 200, tries: 0 })
    })

    test('deliveries of a webhook are failed, recovered, and removed in batches', async () => {
      const { webhook, ids } = await addDue({ createdAt: 1 }, { createdAt: 2 }, { createdAt: 3 })
      const other = await addDue({ status: 'failed', nextAttemptAt: null, updatedAt: 1 })
      const thrice = async (change: (tx: Pick<Transaction, 'deliveries'>) => Promise<number>) => [
        await stores().transact(change),
        await stores().transact(change),
        await stores().transact(change),
      ]
      expect(await thrice((tx) => tx.deliveries.failPending(webhook.id, 100, 2))).toEqual([2, 1, 0])
      const countFailed = (since: number) => stores().transact((tx) => tx.deliveries.countFailed(webhook.id, since))
      expect([await countFailed(0), await countFailed(2), await countFailed(4)]).toEqual([3, 2, 0])
      const recover = (tx: Pick<Transaction, 'deliveries'>) =>
        tx.deliveries.recover(webhook.id, { since: 0, at: 200, limit: 2 })
      expect(await thrice(recover)).toEqual([2, 1, 0])
      expect(await thrice((tx) => tx.deliveries.removeOf(webhook.id, 2))).toEqual([2, 1, 0])
      expect(await stores().read((view) => view.deliveries.findMany([...ids, ...other.ids]))).toHaveLength(1)
    })

    test('deliveries of a webhook fail if they are pending and older than the newest ones', async () => {
      const { webhook, ids } = await addDue(
        { createdAt: 1 },
        { createdAt: 2 },
        { createdAt: 3, status: 'delivered', nextAttemptAt: null },
        { createdAt: 4 },
      )
      const other = await addDue({ createdAt: 1 })
      const failExcess = (max: number, limit: number) =>
        stores().transact((tx) => tx.deliveries.failExcess(webhook.id, { max, limit, at: 100 }))
      const statuses = async () => (await Promise.all(ids.map(find))).map((delivery) => delivery?.status)
      expect([await failExcess(3, 9), await failExcess(1, 1)]).toEqual([0, 1])
      expect(await statuses()).toEqual(['pending', 'failed', 'delivered', 'pending'])
      expect(await find(ids[1]!)).toMatchObject({ nextAttemptAt: null, updatedAt: 100 })
      expect(await failExcess(1, 9)).toBe(1)
      expect(await find(other.ids[0]!)).toEqual(other.deliveries[0])
    })

    test('deliveries of a webhook with a status are removed if they are older than the newest ones', async () => {
      const ended = { status: 'delivered', nextAttemptAt: null } as const
      const { webhook, ids } = await addDue(
        { createdAt: 1, ...ended },
        { createdAt: 2, ...ended },
        { createdAt: 1 },
        { createdAt: 3, ...ended },
        { createdAt: 1, ...ended, status: 'failed' },
      )
      const other = await addDue({ createdAt: 1, ...ended })
      const crowded = (max: number) => stores().read((view) => view.deliveries.crowded('delivered', max))
      expect([await crowded(3), await crowded(2)]).toEqual([[], [webhook.id]])
      expect(await crowded(0)).toHaveLength(2)
      const remove = (max: number, limit: number) =>
        stores().transact((tx) => tx.deliveries.removeExcess(webhook.id, { status: 'delivered', max, limit }))
      expect([await remove(3, 9), await remove(1, 1), await remove(1, 9), await remove(1, 9)]).toEqual([0, 1, 1, 0])
      const left = await stores().read((view) => view.deliveries.findMany([...ids, ...other.ids]))
      expect(new Set(left.map(({ id }) => id))).toEqual(new Set([...ids.slice(2), ...other.ids]))
    })

    test('deliveries of events fail if they are pending', async () => {
      const { ids, deliveries } = await addDue({ createdAt: 1 }, { createdAt: 2 }, { status: 'delivered' })
      const eventIds = deliveries.slice(0, 1).map(({ eventId }) => eventId)
      const delivered = deliveries[2]!.eventId
      const failed = await stores().transact((tx) => tx.deliveries.failOfEvents([...eventIds, delivered], 100))
      expect(failed).toBe(1)
      expect((await Promise.all(ids.map(find))).map((delivery) => delivery?.status)).toEqual([
        'failed',
        'pending',
        'delivered',
      ])
      expect(await stores().transact((tx) => tx.deliveries.failOfEvents([], 100))).toBe(0)
    })

    test('deliveries that are due after a time can be made due now', async () => {
      const { ids } = await addDue(
        { nextAttemptAt: 500 },
        { nextAttemptAt: 501 },
        { status: 'failed', nextAttemptAt: null },
      )
      await stores().transact((tx) => tx.deliveries.expedite(500, 100))
      expect((await Promise.all(ids.map(find))).map((delivery) => delivery?.nextAttemptAt)).toEqual([500, 100, null])
    })

    test('deliveries are replaced, unless another worker has claimed them since', async () => {
      const delivery = someDelivery(newId, { nextAttemptAt: 1_000 })
      await add(delivery)
      const changed = { ...delivery, tries: 1, nextAttemptAt: 2_000 }
      expect(await replace(changed, 999)).toBe(false)
      expect(await find(delivery.id)).toEqual(delivery)
      expect(await replace(changed, 1_000)).toBe(true)
      expect(await replace({ ...changed, status: 'delivered', nextAttemptAt: null })).toBe(true)
      expect(await find(delivery.id)).toMatchObject({ tries: 1, status: 'delivered' })
      expect(await replace(someDelivery(newId))).toBe(false)
    })

    test('deliveries are removed in batches, the oldest first', async () => {
      const old = [2022, 2023, 2024, 2026].map((year) => {
        const createdAt = Date.UTC(year, 0)
        return someDelivery(newId, { id: createIds(() => createdAt)('dlv'), createdAt })
      })
      await add(...old)
      const purge = () => stores().transact((tx) => tx.deliveries.purge(Date.UTC(2025, 0), 2))
      expect([await purge(), await purge(), await purge()]).toEqual([2, 1, 0])
      const left = await stores().read((view) => view.deliveries.findMany(old.map(({ id }) => id)))
      expect(left).toEqual([old[3]])
    })
  })

  describe('claims of deliveries', () => {
    test('claims of deliveries take those that are due, the longest overdue first, with their event and webhook', async () => {
      const { webhook, events, ids, deliveries } = await addDue(
        { nextAttemptAt: 900 },
        { nextAttemptAt: 1_001 },
        { nextAttemptAt: 800 },
        { status: 'failed', nextAttemptAt: null },
        { nextAttemptAt: 1_000 },
      )
      const health = { lastDeliveredAt: 1, failures: { since: 1, count: 2, lastCountedAt: 3 } }
      await stores().transact((tx) => tx.webhooks.setHealth(webhook.id, health))
      const claimed = await claim({ limit: 2 })
      expect(claimed.map(({ delivery }) => delivery.id)).toEqual([ids[2], ids[0]])
      expect(claimed[0]).toEqual({
        delivery: { ...deliveries[2], nextAttemptAt: 1_050 },
        event: events[2],
        webhook: { ...webhook, ...health },
        owner: undefined,
      })
      expect(await find(ids[2]!)).toMatchObject({ nextAttemptAt: 1_050, status: 'pending' })
    })

    test('claims of deliveries take a delivery again only after its lease', async () => {
      await addDue({ nextAttemptAt: 1_000 })
      expect(await claim()).toHaveLength(1)
      expect(await claim({ now: 1_049 })).toEqual([])
      expect(await claim({ now: 1_050 })).toHaveLength(1)
    })

    test('claims of deliveries leave the deliveries of excepted webhooks', async () => {
      const [one, two] = [await addDue({ nextAttemptAt: 1 }), await addDue({ nextAttemptAt: 1 })]
      const except = (...webhooks: readonly WebhookRow[]) => claim({ except: webhooks.map(({ id }) => id) })
      expect(await except(one.webhook, two.webhook)).toEqual([])
      expect((await except(one.webhook)).map(({ delivery }) => delivery.id)).toEqual(two.ids)
    })

    test('claims of deliveries never overlap when they are concurrent', async () => {
      const { ids } = await addDue(...Array.from({ length: 40 }, () => ({ nextAttemptAt: 1 })))
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim({ limit: 10 })))
      const claimed = claims.flatMap((each) => each.map(({ delivery }) => delivery.id))
      expect(new Set(claimed).size).toBe(claimed.length)
      // Claims may skip deliveries that a concurrent claim has locked and not taken.
      const rest = await claim({ limit: 100 })
      expect(new Set([...claimed, ...rest.map(({ delivery }) => delivery.id)])).toEqual(new Set(ids))
    })
  })
}
