import { describe, expect, test } from 'vitest'
import { operations, FairleadError } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'
import { someEvent, someWebhook, testClock, testStores } from '@fairlead/testing'
import { storedEvents } from '@fairlead/testing/workspace'
import { removeExcessEvents } from './event-bounds.ts'
import { createEventSink } from './event-sink.ts'
import type { Subscription, WebhookRow } from '../webhook-store.ts'

const generated = operations.generate.events!.completed

function setup() {
  const clock = testClock()
  const newId = createIds(clock.now)
  const stores = testStores({ clock })
  let reads = 0
  const counted = {
    ...stores,
    read: (...work: Parameters<typeof stores.read>) => {
      reads++
      return stores.read(...work)
    },
  } as typeof stores
  const eventTypes = [generated]
  const sink = createEventSink({ stores: counted, clock, newId, eventTypes })
  const addWebhook = async (facts: Partial<WebhookRow>) => {
    const webhook = someWebhook(newId, facts)
    await stores.transact((tx) => tx.webhooks.add(webhook))
    return webhook
  }
  const deliveries = () => stores.read((view) => view.deliveries.list({}, { first: 'oldest', limit: 100 }))
  return { clock, newId, stores, sink, addWebhook, deliveries, readCount: () => reads }
}

describe('the event sink', () => {
  test('the event sink adds a delivery, due now, for each subscribed webhook', async () => {
    const { clock, newId, stores, sink, addWebhook, deliveries } = setup()
    const subscribed = await addWebhook({ userId: 'usr_1', events: ['shipment.*'] })
    const ofAllUsers = await addWebhook({ userId: null, allUsers: true, events: ['*'] })
    await addWebhook({ userId: 'usr_1', events: ['user.*'] })
    await addWebhook({ userId: 'usr_1', enabled: false })
    await addWebhook({ userId: 'usr_3', events: ['*'] })
    const event = someEvent(newId, { userId: 'usr_1', createdAt: clock.now() })
    await stores.transact((tx) => sink.add(tx, [event]))
    expect(await storedEvents(stores)).toEqual([event])
    const added = await deliveries()
    expect(added.map(({ webhookId }) => webhookId).toSorted()).toEqual([subscribed.id, ofAllUsers.id].toSorted())
    expect(added[0]).toMatchObject({ eventId: event.id, status: 'pending', nextAttemptAt: clock.now(), tries: 0 })
  })

  test('the event sink adds nothing if the transaction is rolled back', async () => {
    const { newId, stores, sink, addWebhook, deliveries } = setup()
    await addWebhook({ userId: 'usr_1', events: ['*'] })
    const rolledBack = stores.transact(async (tx) => {
      await sink.add(tx, [someEvent(newId, { userId: 'usr_1' })])
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect([await storedEvents(stores), await deliveries()]).toEqual([[], []])
  })

  test('the event sink tells listeners of this process about events until they stop', () => {
    const { sink } = setup()
    let woken = 0
    const stop = sink.onCommitted(() => woken++)
    sink.committed()
    stop()
    sink.committed()
    expect(woken).toBe(1)
  })
})

describe('the stored events of a user', () => {
  test('the stored events of a user are checked once for each thousand of them, after their commit', async () => {
    const { stores, clock, newId } = setup()
    const checked: string[] = []
    const removeExcess = async (userId: string) => void checked.push(userId)
    const sink = createEventSink({ stores, clock, newId, eventTypes: [], removeExcess })
    const store = (count: number, userId: string | null) =>
      stores.transact((tx) =>
        sink.add(
          tx,
          Array.from({ length: count }, () => someEvent(newId, { userId })),
        ),
      )
    await store(999, 'usr_1')
    await store(1_000, null)
    sink.committed()
    expect(checked).toEqual([])
    await store(1, 'usr_1')
    expect(checked).toEqual([])
    sink.committed()
    sink.committed()
    expect(checked).toEqual(['usr_1'])
  })

  test('the stored events of a user beyond the maximum are removed, the oldest first, with their pending deliveries failed, counted, and logged', async () => {
    const { stores, clock, newId, addWebhook, deliveries } = setup()
    const webhook = await addWebhook({ userId: 'usr_1', events: ['*'] })
    const sink = createEventSink({ stores, clock, newId, eventTypes: [] })
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      clock.advance(1)
      const event = someEvent(newId, { userId: 'usr_1', createdAt: clock.now() })
      ids.push(event.id)
      await stores.transact((tx) => sink.add(tx, [event, someEvent(newId, { userId: 'usr_2' })]))
    }
    const logged: unknown[] = []
    const dropped: unknown[] = []
    const log = { warn: (...line: readonly unknown[]) => void logged.push(line), error: () => {} }
    const observer = { webhookDataDropped: (...facts: readonly unknown[]) => void dropped.push(facts) }
    await removeExcessEvents({ stores, clock, log, observer }, 'usr_1', 3)
    const stored = await storedEvents(stores)
    expect(stored.filter(({ userId }) => userId === 'usr_1').map(({ id }) => id)).toEqual(ids.slice(2))
    expect(stored.filter(({ userId }) => userId === 'usr_2')).toHaveLength(5)
    const failed = (await deliveries()).filter(({ status }) => status === 'failed')
    expect(failed).toMatchObject(ids.slice(0, 2).map((eventId) => ({ eventId, webhookId: webhook.id })))
    expect(dropped).toEqual([['events', 2]])
    expect(logged).toEqual([
      [{ userId: 'usr_1', removed: 2, max: 3 }, 'a user has too many stored events, removed the oldest'],
    ])
  })
})

describe('wants', () => {
  test('wants is true for all events but those of model calls, without a query', () => {
    const { sink, readCount } = setup()
    expect(sink.wants('shipment.created', 'usr_1')).toBe(true)
    expect(readCount()).toBe(0)
  })

  test('wants asks the store at most once per second, and only when it is called', async () => {
    const { clock, sink, readCount } = setup()
    const wants = async () => sink.wants('generation.completed', 'usr_1')
    expect(await Promise.all([wants(), wants(), wants()])).toEqual([false, false, false])
    clock.advance(999)
    expect(sink.wants('generation.completed', 'usr_1')).toBe(false)
    expect(readCount()).toBe(1)
    clock.advance(60_000)
    expect(readCount()).toBe(1)
    await wants()
    expect(readCount()).toBe(2)
  })

  test('wants notices a webhook of another process within a second', async () => {
    const { clock, sink, addWebhook } = setup()
    expect(await sink.wants('generation.completed', 'usr_1')).toBe(false)
    await addWebhook({ userId: 'usr_1', events: ['generation.*'] })
    expect(await sink.wants('generation.completed', 'usr_1')).toBe(false)
    clock.advance(1_000)
    expect(await sink.wants('generation.completed', 'usr_1')).toBe(true)
    expect(await sink.wants('generation.completed', 'usr_2')).toBe(false)
  })

  test('wants notices a webhook of this process at once, also while the store is asked', async () => {
    const { stores, clock, newId } = setup()
    const before = Promise.withResolvers<readonly Subscription[]>()
    const after: Subscription = { userId: 'usr_1', allUsers: false, events: ['*'] }
    const answers = [before.promise, Promise.resolve([after])]
    const slow = { ...stores, read: () => answers.shift() } as typeof stores
    const sink = createEventSink({ stores: slow, clock, newId, eventTypes: [generated] })
    const asking = sink.wants('generation.completed', 'usr_1')
    sink.invalidate()
    before.resolve([])
    expect(await asking).toBe(false)
    expect(await sink.wants('generation.completed', 'usr_1')).toBe(true)
  })

  test('wants asks again after the store failed', async () => {
    const { stores, clock, newId } = setup()
    const outcomes = [Promise.reject(new Error('down')), Promise.resolve([])]
    const failing = { ...stores, read: () => outcomes.shift() } as typeof stores
    const sink = createEventSink({ stores: failing, clock, newId, eventTypes: [generated] })
    await expect(sink.wants('generation.completed', 'usr_1')).rejects.toThrow('down')
    expect(await sink.wants('generation.completed', 'usr_1')).toBe(false)
  })

  /** A sink whose store may be away. */
  function outage() {
    const { stores, clock, newId, addWebhook } = setup()
    const state = { isAway: false }
    const away = () => Promise.reject(new FairleadError('SERVICE_UNAVAILABLE', 'The store is unavailable.'))
    const sometimes = { ...stores, read: (work) => (state.isAway ? away() : stores.read(work)) } as typeof stores
    const sink = createEventSink({ stores: sometimes, clock, newId, eventTypes: [generated] })
    const asked = () => Promise.all(['usr_1', 'usr_2'].map((userId) => sink.wants('generation.completed', userId)))
    return { sink, clock, state, addWebhook, asked }
  }

  test('wants keeps to the last subscriptions while the store is unavailable', async () => {
    const { sink, clock, state, addWebhook, asked } = outage()
    await addWebhook({ userId: 'usr_1', events: ['generation.completed'] })
    expect(await asked()).toEqual([true, false])
    state.isAway = true
    clock.advance(60_000)
    expect(await asked()).toEqual([true, false])
    sink.invalidate()
    await expect(asked()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  test('wants keeps to the subscriptions of the start if the store is unavailable for the first call', async () => {
    const { sink, clock, state, addWebhook, asked } = outage()
    await addWebhook({ userId: 'usr_1', events: ['generation.completed'] })
    await sink.load()
    state.isAway = true
    clock.advance(60_000)
    expect(await asked()).toEqual([true, false])
  })
})
