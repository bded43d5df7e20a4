import { createIds } from '@fairlead/core/adapter'
import { addTestCaller } from '../fakes/test-core.ts'
import { someDelivery, someWebhook } from '../fakes/some-webhook.ts'
import { someEvent } from '../fakes/some-event.ts'
import type { TestClock } from '../fakes/test-clock.ts'
import type { Stores } from '../fakes/own-features.ts'
import type { WebhookRow } from '@fairlead/webhooks/stores'
import { describe, expect, test } from 'vitest'
import { addTestProject } from './project-suite.ts'

/** The part of the store suite for webhooks of users, whose role and status decide what they receive. */
export function webhookOwnerSuite(stores: () => Stores, clock: TestClock): void {
  const newId = createIds(clock.now)

  async function addWebhook(facts: Partial<WebhookRow>): Promise<WebhookRow> {
    const webhook = someWebhook(newId, facts)
    await stores().transact((tx) => tx.webhooks.add(webhook))
    return webhook
  }

  describe('webhooks of users', () => {
    test('webhooks of users receive the events of all users only while their owner is an active admin', async () => {
      const callers = [
        await addTestCaller(stores(), clock, { user: { role: 'admin' } }),
        await addTestCaller(stores(), clock),
        await addTestCaller(stores(), clock, { user: { role: 'admin', status: 'suspended' } }),
      ]
      const [ofAdmin, ofMember] = [
        await addWebhook({ allUsers: true, userId: callers[0]!.userId }),
        await addWebhook({ allUsers: true, userId: callers[1]!.userId }),
        await addWebhook({ allUsers: true, userId: callers[2]!.userId }),
      ]
      const subscribed = async (owners: readonly string[]) => {
        const found = await stores().read((view) => view.webhooks.subscribed(owners))
        return new Map(found.map(({ id, allUsers }) => [id, allUsers]))
      }
      expect(await subscribed([])).toEqual(new Map([[ofAdmin!.id, true]]))
      expect(await subscribed([callers[1]!.userId])).toEqual(
        new Map([
          [ofAdmin!.id, true],
          [ofMember!.id, false],
        ]),
      )
    })

    test('webhooks of users are claimed with the role and the status of their owner', async () => {
      const { userId } = await addTestCaller(stores(), clock, { user: { role: 'admin' } })
      const { id: webhookId } = await addWebhook({ userId })
      const event = someEvent(newId)
      const claimed = await stores().transact(async (tx) => {
        await tx.events.add([event])
        await tx.deliveries.add([someDelivery(newId, { webhookId, eventId: event.id, nextAttemptAt: 1 })])
        return tx.deliveries.claim({ now: 1_000, leaseMs: 50, limit: 9, except: [] })
      })
      expect(claimed).toMatchObject([{ owner: { role: 'admin', status: 'active' } }])
    })

    test('deliveries of a project without an active owner are claimed as those of a suspended owner', async () => {
      const project = await addTestProject(stores(), clock)
      const { id: webhookId } = await addWebhook({ userId: project.id })
      const claim = async () => {
        const event = someEvent(newId)
        const claimed = await stores().transact(async (tx) => {
          await tx.events.add([event])
          await tx.deliveries.add([someDelivery(newId, { webhookId, eventId: event.id, nextAttemptAt: 1 })])
          return tx.deliveries.claim({ now: 1_000, leaseMs: 5_000, limit: 9, except: [] })
        })
        return claimed.map(({ owner }) => owner?.status)
      }
      expect(await claim()).toEqual(['suspended'])
      const { userId } = await addTestCaller(stores(), clock)
      const membership = { projectId: project.id, userId, role: 'owner', createdAt: clock.now() } as const
      await stores().transact((tx) => tx.members.set(membership))
      expect(await claim()).toEqual(['active'])
    })
  })
}
