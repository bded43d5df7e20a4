import { describe, expect, onTestFinished, test } from 'vitest'
import { createFairlead } from './create-fairlead.ts'
import { memoryBlobs } from '../gateway/images/images.ts'
import { someEvent, testClock, withOutages, testStores } from '@fairlead/testing'
import { storedEvents, someDelivery, ownFeatures } from '@fairlead/testing/workspace'
import { createIds } from '../runtime/id.ts'
import type { Feature } from '../runtime/feature.ts'
import { advanceRetentionTime, type RetentionPeriods } from '../runtime/retention.ts'
import { webhooks } from '@fairlead/webhooks'

const minute = 60_000
const day = 86_400_000

/** A core with images and a test clock. */
function setup(features: readonly Feature[] = [], retention: RetentionPeriods = {}) {
  const clock = testClock('2026-03-14T12:00:00.000Z')
  const stores = withOutages(testStores({ clock }))
  const blobs = memoryBlobs()
  const warnings: string[] = []
  const log = { error: () => {}, warn: (_facts: unknown, message: string) => void warnings.push(message) }
  const { core } = createFairlead({ providers: [], features, retention, stores, blobs, testing: { clock }, log })
  onTestFinished(() => core.close())

  async function addImage({ daysAgo = 0, row = true } = {}): Promise<string> {
    const createdAt = clock.now() - daysAgo * day
    const id = createIds(() => createdAt)('img')
    await blobs.put(id, new Uint8Array([1]))
    if (row)
      await stores.transact((tx) =>
        tx.images.add({ id, userId: null, payer: null, bytes: 1, model: 'vista', createdAt }),
      )
    return id
  }

  async function isKept(id: string) {
    const row = (await stores.read((view) => view.images.find(id))) !== undefined
    const bytes = (await blobs.get(id)) !== undefined
    return { row, bytes }
  }

  async function useIn(month: string): Promise<void> {
    clock.jumpTo(`${month}-20T00:00:00.000Z`)
    await stores.reserve(month, null)
  }

  async function usedIn(month: string): Promise<number> {
    const now = clock.now()
    clock.jumpTo(`${month}-20T00:00:00.000Z`)
    const { used } = await stores.read((view) => view.counters.peek(month))
    clock.jumpTo(now)
    return used
  }

  /** Advances the clock between polls, because batches have pauses between them. */
  const eventually = (read: () => Promise<unknown>, stepMs = 100) =>
    expect.poll(async () => {
      clock.advance(stepMs)
      return read()
    })

  return { clock, stores, core, warnings, addImage, isKept, useIn, usedIn, eventually }
}

const present = { row: true, bytes: true }
const removed = { row: false, bytes: false }

describe('retention', () => {
  test('retention removes images and their blobs after 90 days', async () => {
    const { core, clock, addImage, isKept, eventually } = setup()
    const old = await addImage({ daysAgo: 90.01 })
    const young = await addImage({ daysAgo: 89.9 })
    core.startJobs()
    clock.advance(minute)
    await eventually(() => isKept(old)).toEqual(removed)
    expect(await isKept(young)).toEqual(present)
  })

  test('retention keeps images, events and monthly counters as long as the options say', async () => {
    const features = ownFeatures({ eventDays: 5 })
    const { core, clock, stores, addImage, isKept, useIn, usedIn, eventually } = setup(features, {
      imageDays: 2,
      totalMonths: 2,
    })
    const newId = createIds(clock.now)
    const now = clock.now()
    for (const month of ['2025-12', '2026-01']) await useIn(month)
    clock.jumpTo(now)
    const [old, young] = [await addImage({ daysAgo: 2.1 }), await addImage({ daysAgo: 1.9 })]
    for (const days of [5.1, 4.9])
      await stores.transact((tx) => tx.events.add([someEvent(newId, { createdAt: now - days * day })]))
    core.startJobs()
    clock.advance(minute)
    await eventually(() => isKept(old)).toEqual(removed)
    expect(await isKept(young)).toEqual(present)
    await eventually(() => usedIn('2025-12')).toBe(0)
    expect(await usedIn('2026-01')).toBe(1)
    await eventually(async () => (await storedEvents(stores)).length).toBe(1)
  })

  test.each([
    ['imageDays', 0],
    ['usageDays', 1.5],
    ['totalMonths', 1],
  ])('retention rejects %s %d', (name, value) => {
    expect(() => setup([], { [name]: value })).toThrow(`retention.${name}`)
  })

  test('retention rejects events that end before their deliveries are retried', () => {
    expect(() => webhooks({ eventDays: 4 })).toThrow('eventDays must be an integer of at least 5')
  })

  test('retention removes ended streams, events and deliveries after 30 days, and monthly counters after 13 months', async () => {
    const { core, clock, stores, useIn, usedIn, eventually } = setup(ownFeatures())
    const newId = createIds(clock.now)
    for (const month of ['2025-01', '2025-02']) await useIn(month)
    clock.jumpTo('2026-02-11T00:00:00.000Z')
    const delivery = someDelivery(newId, { createdAt: clock.now() })
    await stores.transact(async (tx) => {
      await tx.events.add([someEvent(newId, { createdAt: clock.now() })])
      await tx.deliveries.add([delivery])
      await tx.webhooks.keepStream('one', { userId: null, allUsers: true, events: ['*'] }, clock.now())
    })
    clock.jumpTo('2026-03-14T12:00:00.000Z')
    core.startJobs()
    clock.advance(minute)
    await eventually(() => storedEvents(stores)).toEqual([])
    expect(await stores.read((view) => view.deliveries.find(delivery.id))).toBeUndefined()
    await eventually(() => stores.read((view) => view.webhooks.subscriptionsTo(['user.created'], 0))).toEqual([])
    await eventually(() => usedIn('2025-01')).toBe(0)
    expect(await usedIn('2025-02')).toBe(1)
  })

  test('retention keeps of the deliveries of a webhook the newest that succeeded, and the newest that failed', async () => {
    const { core, clock, stores, eventually } = setup(ownFeatures({ limits: { maxDelivered: 2, maxPending: 1 } }))
    const newId = createIds(clock.now)
    const ended = (status: 'delivered' | 'failed') => {
      clock.advance(1)
      const facts = { webhookId: 'whk_1', status, nextAttemptAt: null, createdAt: clock.now() }
      return someDelivery(newId, facts)
    }
    const added = [ended('delivered'), ended('failed'), ended('delivered'), ended('failed'), ended('delivered')]
    await stores.transact((tx) => tx.deliveries.add(added))
    core.startJobs()
    clock.advance(minute)
    const kept = () => stores.read((view) => view.deliveries.findMany(added.map(({ id }) => id)))
    await eventually(async () => (await kept()).length).toBe(3)
    expect(new Set(await kept())).toEqual(new Set(added.slice(2)))
  })

  test('retention removes throttle buckets after their window has ended', async () => {
    const { core, clock, stores, addImage, isKept, eventually } = setup(ownFeatures())
    const read = () =>
      stores.read((view) => view.throttles.read('bucket', { at: begun, windowMs: 2 * minute, max: 10 }))
    const begun = clock.now()
    await stores.transact((tx) => tx.throttles.hit('bucket', { at: begun, windowMs: 2 * minute, max: 10 }))
    core.startJobs()
    // The first round: the window has not ended.
    const expired = await addImage({ daysAgo: 90.01 })
    clock.advance(minute)
    await eventually(() => isKept(expired)).toEqual(removed)
    expect((await read()).hits).toEqual([begun])
    await eventually(async () => (await read()).hits, 10 * minute).toEqual([])
  })

  test('retention runs every hour', async () => {
    const { core, clock, addImage, isKept, eventually } = setup()
    const image = await addImage({ daysAgo: 89.99 })
    core.startJobs()
    clock.advance(minute)
    await core.check()
    expect(await isKept(image)).toEqual(present)
    await eventually(() => isKept(image), 10 * minute).toEqual(removed)
  })

  test('retention keeps recent records while the clock is 400 days ahead and after it is correct again', async () => {
    const { core, clock, stores, addImage, isKept, eventually } = setup()
    const image = await addImage({ daysAgo: 80 })
    await stores.transact((tx) =>
      tx.claims.take({ id: 'c', fingerprint: 'f', owner: 'run_1' }, { leaseMs: 60_000, keptForMs: day }),
    )
    await stores.reserve('m', null)
    const now = clock.now()
    const retentionTime = () => stores.read(async (view) => Number(await view.settings.get('retention_time')))
    core.startJobs()
    clock.advance(minute)
    await eventually(retentionTime).toBeGreaterThanOrEqual(now)
    clock.jumpTo(now + 400 * day)
    const first = await retentionTime()
    // Two rounds, which advance the retention time by six hours each.
    await eventually(retentionTime, 10 * minute).toBe(first + day / 2)
    expect(await isKept(image)).toEqual(present)
    clock.jumpTo(now)
    expect((await stores.read((view) => view.counters.peek('m'))).used).toBe(1)
    expect(await stores.read((view) => view.claims.find('c', day))).toBeDefined()
    await eventually(retentionTime, 10 * minute).toBeLessThan(now + day / 2)
    expect(await isKept(image)).toEqual(present)
  })

  test('retention catches up with the clock within a week after a month of downtime', async () => {
    const clock = testClock()
    const stores = testStores({ clock })
    await advanceRetentionTime(stores, clock.now())
    clock.advance(30 * day)
    let rounds = 0
    while ((await advanceRetentionTime(stores, clock.now())) < clock.now()) {
      clock.advance(day / 24)
      rounds += 1
    }
    expect(rounds).toBeLessThan(7 * 24)
  })

  test('retention pauses between batches of 500', async () => {
    const { core, clock, stores, addImage, eventually } = setup()
    const ids = await Promise.all(Array.from({ length: 1_200 }, () => addImage({ daysAgo: 100 })))
    const left = async () => ids.length - (await stores.read((view) => view.images.missing(ids))).length
    core.startJobs()
    clock.advance(minute)
    await expect.poll(left).toBe(700)
    expect(await left()).toBe(700)
    await eventually(left).toBe(0)
  })

  test('retention does not start before startJobs is called', async () => {
    const { core, clock, addImage, isKept } = setup()
    const old = await addImage({ daysAgo: 100 })
    await core.start()
    clock.advance(day)
    await core.check()
    expect(await isKept(old)).toEqual(present)
  })

  test('retention continues after a store outage', async () => {
    const { core, clock, stores, warnings, addImage, isKept, eventually } = setup()
    const old = await addImage({ daysAgo: 100 })
    stores.failNext(1)
    core.startJobs()
    clock.advance(minute)
    await expect.poll(() => warnings).toEqual(['background job failed, retrying in the next round'])
    await eventually(() => isKept(old), 10 * minute).toEqual(removed)
  })

  test('retention stops when the core is closed', async () => {
    const { core, clock, addImage, isKept } = setup()
    const old = await addImage({ daysAgo: 100 })
    core.startJobs()
    await core.close()
    clock.advance(day)
    await core.check()
    expect(await isKept(old)).toEqual(present)
  })
})

describe('the sweep for orphaned images', () => {
  test('the sweep for orphaned images removes blobs that have had no row for a day', async () => {
    const { core, clock, addImage, isKept, eventually } = setup()
    await addImage({ daysAgo: 2 })
    const orphan = await addImage({ daysAgo: 1.1, row: false })
    const young = await addImage({ row: false })
    core.startJobs()
    clock.advance(minute)
    await eventually(() => isKept(orphan)).toEqual(removed)
    expect(await isKept(young)).toEqual({ row: false, bytes: true })
  })

  test('the sweep for orphaned images removes nothing and logs a warning if no blob has a row', async () => {
    const { core, clock, warnings, addImage, isKept } = setup()
    const image = await addImage({ daysAgo: 2, row: false })
    core.startJobs()
    clock.advance(minute)
    await expect.poll(() => warnings).toEqual(['no stored image has a record, keeping all images'])
    expect(await isKept(image)).toEqual({ row: false, bytes: true })
  })
})
