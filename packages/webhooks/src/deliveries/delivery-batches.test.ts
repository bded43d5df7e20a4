import { describe, expect, test } from 'vitest'
import { operations, someDelivery } from '@fairlead/testing/workspace'
import { createIds } from '@fairlead/core/adapter'
import { testCore } from '@fairlead/testing'
import { batchSize, changeInBatches, failPending } from './delivery-batches.ts'
import type { DeliveryRow } from '../webhook-store.ts'

const count = 2 * batchSize + 1

/** A webhook with many deliveries, and the number of them with a status. */
async function setup(facts: Partial<DeliveryRow>) {
  const world = await testCore()
  const { core, caller, clock, stores } = world
  const created = await core.run(operations.createWebhook, caller, { url: 'https://example.com', events: ['*'] })
  if (!created.success || !('data' in created)) throw new Error(created.error.message)
  const { id } = created.data
  const newId = createIds(clock.now)
  const added = Array.from({ length: count }, () => someDelivery(newId, { webhookId: id, ...facts }))
  await stores.transact((tx) => tx.deliveries.add(added))
  const counted = async (status?: DeliveryRow['status']) => {
    const slice = { first: 'oldest', limit: 2 * count } as const
    return (await stores.read((view) => view.deliveries.list({ webhookId: id, status }, slice))).length
  }
  return { ...world, id, counted }
}

describe('more deliveries than one transaction changes', () => {
  test('more deliveries than one transaction changes are failed when their webhook is disabled', async () => {
    const { core, caller, id, counted } = await setup({})
    await core.run(operations.patchWebhook, caller, { id, enabled: false })
    expect(await counted('failed')).toBe(count)
  })

  test('more deliveries than one transaction changes are not failed after their webhook was enabled again', async () => {
    const { stores, id, counted } = await setup({})
    await changeInBatches(stores, failPending(id, 0))
    expect(await counted('failed')).toBe(0)
  })

  test('more deliveries than one transaction changes are recovered', async () => {
    const { core, caller, id, counted } = await setup({ status: 'failed', nextAttemptAt: null })
    const reply = await core.run(operations.recoverWebhook, caller, { id, since: '2026-01-01T00:00:00Z' })
    expect(reply).toMatchObject({ data: { recovered: count } })
    expect(await counted('pending')).toBe(count)
  })

  test('more deliveries than one transaction changes are removed with their webhook', async () => {
    const { core, caller, id, counted } = await setup({})
    await core.run(operations.deleteWebhook, caller, { id })
    expect(await counted()).toBe(0)
  })

  test('more deliveries than one transaction changes are removed with their user', async () => {
    const { fairlead, stores, counted, id } = await setup({})
    const webhook = await stores.read((view) => view.webhooks.find(id))
    await fairlead.users.delete({ id: webhook?.userId ?? '' })
    expect(await counted()).toBe(0)
  })
})
