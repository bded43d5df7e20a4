import { describe, expect, test } from 'vitest'
import { operations, someDelivery } from '@fairlead/testing/workspace'
import type { Failure, Success } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'
import { someEvent, testCore } from '@fairlead/testing'
import type { DeliveryRow } from '../webhook-store.ts'

const { deliveries, delivery, redeliver, recoverWebhook, testWebhook } = operations

function requireData<Data>(reply: Success<Data> | Failure): Data {
  if (!reply.success) throw new Error(reply.error.message)
  return reply.data
}

/** A caller with a webhook. */
async function setup() {
  const world = await testCore()
  const { core, caller, clock, stores } = world
  const newId = createIds(clock.now)
  const create = async () => {
    const input = { url: 'https://example.com/hooks', events: ['shipment.*'] }
    const reply = await core.run(operations.createWebhook, caller, input)
    return requireData(reply).id
  }
  const webhookId = await create()
  const add = async (facts: Partial<DeliveryRow> = {}) => {
    const event = someEvent(newId)
    const added = someDelivery(newId, { webhookId, eventId: event.id, createdAt: clock.now(), ...facts })
    await stores.transact(async (tx) => {
      await tx.events.add([event])
      await tx.deliveries.add([added])
    })
    return added
  }
  const list = async (filters: object = {}) => {
    const reply = await core.run(deliveries, caller, { webhookId, ...filters })
    return requireData(reply)
  }
  return { ...world, webhookId, create, add, list }
}

const failed = { status: 'failed', nextAttemptAt: null } as const

describe('listDeliveries', () => {
  test('listDeliveries shows the deliveries to one webhook with their attempts, the latest first', async () => {
    const { add, list, clock, create } = await setup()
    const attempts = [
      { at: clock.now(), durationMs: 15_000, status: null, error: 'timeout' },
      { at: clock.now() + 20_000, durationMs: 31, status: 503, error: null },
    ]
    const first = await add({ attempts, tries: 2, nextAttemptAt: clock.now() + 60_000 })
    clock.advance(1_000)
    const second = await add()
    await add({ webhookId: await create() })
    expect((await list()).map(({ id }) => id)).toEqual([second.id, first.id])
    expect((await list())[1]).toEqual({
      id: first.id,
      webhookId: first.webhookId,
      eventId: first.eventId,
      eventType: 'shipment.created',
      status: 'pending',
      attempts: [
        { at: '2026-03-14T09:26:53.589Z', durationMs: 15_000, status: null, error: 'timeout' },
        { at: '2026-03-14T09:27:13.589Z', durationMs: 31, status: 503, error: null },
      ],
      nextAttemptAt: '2026-03-14T09:27:53.589Z',
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T12:00:00.000Z',
    })
  })

  test('listDeliveries filters by status and event, in pages', async () => {
    const { add, list, core, caller, webhookId } = await setup()
    const [one, two] = [await add(failed), await add()]
    expect((await list({ status: 'failed' })).map(({ id }) => id)).toEqual([one.id])
    expect((await list({ eventId: two.eventId })).map(({ id }) => id)).toEqual([two.id])
    const page = await core.run(deliveries, caller, { webhookId, limit: 1 })
    const cursor = page.meta.page?.nextCursor
    expect(await list({ limit: 1, cursor })).toHaveLength(1)
  })
})

describe('getDelivery', () => {
  test('getDelivery returns a delivery only below its own webhook', async () => {
    const { add, core, caller, create } = await setup()
    const { id, webhookId } = await add()
    const get = (below: string) => core.run(delivery, caller, { webhookId: below, deliveryId: id })
    expect(await get(webhookId)).toMatchObject({ data: { id, webhookId, status: 'pending' } })
    expect(await get(await create())).toMatchObject({ error: { code: 'NOT_FOUND', message: 'Delivery not found.' } })
    expect(await get('whk_1')).toMatchObject({ error: { code: 'NOT_FOUND', message: 'Webhook not found.' } })
  })
})

describe('testWebhook', () => {
  test('testWebhook creates an event and its delivery for this webhook alone, due now', async () => {
    const { core, caller, create, stores, webhookId, clock } = await setup()
    const other = await create()
    const reply = await core.run(testWebhook, caller, { id: webhookId })
    const { id, eventId } = requireData(reply)
    expect(reply).toMatchObject({ data: { webhookId, eventType: 'webhook.test', status: 'pending', attempts: [] } })
    const claimed = await stores.transact((tx) =>
      tx.deliveries.claim({ now: clock.now(), leaseMs: 1, limit: 9, except: [] }),
    )
    expect(claimed).toMatchObject([
      {
        delivery: { id },
        webhook: { id: webhookId },
        event: {
          id: eventId,
          type: 'webhook.test',
          resourceId: webhookId,
          data: { id: webhookId, url: 'https://example.com/hooks', enabled: true },
        },
      },
    ])
    expect(await core.run(deliveries, caller, { webhookId: other })).toMatchObject({ data: [] })
  })

  test('testWebhook rejects a disabled webhook', async () => {
    const { core, caller, webhookId } = await setup()
    await core.run(operations.patchWebhook, caller, { id: webhookId, enabled: false })
    expect(await core.run(testWebhook, caller, { id: webhookId })).toMatchObject({
      error: { code: 'CONFLICT', message: 'The webhook is disabled. Enable it first.' },
    })
  })
})

describe('redeliver', () => {
  test.each(['failed', 'delivered', 'pending'] as const)(
    'redeliver makes a delivery due that is %s',
    async (status) => {
      const { add, core, caller, webhookId, clock } = await setup()
      const nextAttemptAt = status === 'pending' ? clock.now() + 60_000 : null
      const attempts = [{ at: clock.now(), durationMs: 5, status: 500, error: null }]
      const { id } = await add({ status, nextAttemptAt, tries: 9, attempts })
      clock.advance(1_000)
      const due = { status: 'pending', nextAttemptAt: '2026-03-14T09:26:54.589Z', attempts: [{ status: 500 }] }
      expect(await core.run(redeliver, caller, { webhookId, deliveryId: id })).toMatchObject({ data: { id, ...due } })
      expect(await core.run(delivery, caller, { webhookId, deliveryId: id })).toMatchObject({ data: due })
    },
  )

  test('redeliver rejects the delivery of another webhook', async () => {
    const { add, core, caller, create } = await setup()
    const { id } = await add(failed)
    expect(await core.run(redeliver, caller, { webhookId: await create(), deliveryId: id })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
  })
})

describe('recoverWebhook', () => {
  test('recoverWebhook makes the deliveries due that failed since a time, and returns how many', async () => {
    const { add, list, core, caller, webhookId, clock, create } = await setup()
    const earlier = await add(failed)
    clock.advance(1_000)
    await add(failed)
    await add({ status: 'delivered', nextAttemptAt: null })
    await add({ ...failed, webhookId: await create() })
    const since = new Date(clock.now()).toISOString()
    expect(await core.run(recoverWebhook, caller, { id: webhookId, since })).toMatchObject({ data: { recovered: 1 } })
    expect((await list({ status: 'failed' })).map(({ id }) => id)).toEqual([earlier.id])
  })
})
