import { describe, expect, test } from 'vitest'
import type { Credentials } from '@fairlead/core'
import { createIds } from '@fairlead/core/adapter'
import { operations, someDelivery, storedEvents } from '@fairlead/testing/workspace'
import { testCore } from '@fairlead/testing'
import { findDeliveries, findEvents, findWebhooks } from './loaders.ts'

describe('the loaders', () => {
  test('the loaders find nothing of another user, also for an admin, except events', async () => {
    const { core, caller, clock, stores, addCaller } = await testCore()
    const created = await core.run(operations.createWebhook, caller, { url: 'https://example.com', events: ['*'] })
    if (!created.success || !('data' in created)) throw new Error('the webhook was not created')
    const webhookId = created.data.id
    const delivery = someDelivery(createIds(clock.now), { webhookId })
    await stores.transact((tx) => tx.deliveries.add([delivery]))
    await core.run(operations.testWebhook, caller, { id: webhookId })
    const [event] = await storedEvents(stores)
    const member = (await addCaller()).credentials
    const admin = (await addCaller({ user: { role: 'admin' } })).credentials
    const found = async (credentials: Credentials) => {
      const replies = [
        await core.load(findWebhooks, credentials, [webhookId]),
        await core.load(findDeliveries, credentials, [delivery.id]),
        await core.load(findEvents, credentials, [event?.id ?? '']),
      ]
      return replies.map((reply) => reply.success && reply.found[0] !== undefined)
    }
    expect(await found(caller)).toEqual([true, true, true])
    expect(await found(member)).toEqual([false, false, false])
    expect(await found(admin)).toEqual([false, false, true])
  })
})
