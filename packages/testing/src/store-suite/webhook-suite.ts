import { createIds } from '@fairlead/core/adapter'
import { someWebhook } from '../fakes/some-webhook.ts'
import type { Subscription, WebhookRow, WebhookFilters, WebhookStores } from '@fairlead/webhooks/stores'
import { describe, expect, test } from 'vitest'

/** The part of the store suite for webhooks and subscriptions. */
export function webhookSuite(stores: () => WebhookStores): void {
  const newId = createIds(Date.now)
  const find = (id: string) => stores().read((view) => view.webhooks.find(id))
  const readIds = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id)

  async function added(...facts: readonly Partial<WebhookRow>[]): Promise<readonly WebhookRow[]> {
    const webhooks = facts.map((each) => someWebhook(newId, each))
    await stores().transact(async (tx) => {
      for (const webhook of webhooks) await tx.webhooks.add(webhook)
    })
    return webhooks
  }

  describe('webhooks', () => {
    test.each<[string, Partial<WebhookRow>]>([
      ['with only the required fields', {}],
      ['of an embedding program', { userId: null }],
      [
        'with everything',
        {
          events: ['*', 'api_key.created'],
          allUsers: true,
          description: 'é😀',
          enabled: false,
          disabledReason: 'failing',
          previousSecret: 'older',
          previousSecretUntil: 1_900_000_000_000,
          updatedAt: 1_900_000_000_001,
          version: 12,
        },
      ],
    ])('%s are returned as they were added', async (_case, facts) => {
      const [webhook] = await added(facts)
      expect(await find(webhook!.id)).toEqual(webhook)
      expect(await stores().transact((tx) => tx.webhooks.take(webhook!.id))).toEqual(webhook)
    })

    test('webhooks are found in batches, without duplicates', async () => {
      const [one, other] = await added({}, {})
      const findMany = (ids: readonly string[]) => stores().read((view) => view.webhooks.findMany(ids))
      const found = await findMany([one!.id, 'whk_1', other!.id, one!.id])
      expect(new Set(readIds(found))).toEqual(new Set([one!.id, other!.id]))
      expect(found).toHaveLength(2)
      expect(await findMany([])).toEqual([])
    })

    test('webhooks are listed and counted by owner', async () => {
      const userId = newId('usr')
      const [one, other, ownerless] = await added(
        { userId, createdAt: 1 },
        { userId, createdAt: 2, enabled: false },
        { userId: null, createdAt: 3 },
      )
      const list = async (filters: WebhookFilters) =>
        readIds(await stores().read((view) => view.webhooks.list(filters, { first: 'newest', limit: 9 })))
      expect(await list({})).toEqual([ownerless!.id, other!.id, one!.id])
      expect(await list({ userId })).toEqual([other!.id, one!.id])
      expect(await list({ userId, enabled: true })).toEqual([one!.id])
      expect(await list({ userId: null })).toEqual([ownerless!.id])
      const count = (owner: string | null) => stores().read((view) => view.webhooks.count(owner))
      expect([await count(userId), await count(null), await count('usr_1')]).toEqual([2, 1, 0])
    })

    test('webhooks are subscribed if they are enabled, and belong to one of the owners or receive the events of all users', async () => {
      const [one, ownerless, all] = await added(
        {},
        { userId: null },
        { allUsers: true, userId: null },
        { enabled: false },
      )
      const subscribed = async (owners: readonly (string | null)[]) =>
        new Set(readIds(await stores().read((view) => view.webhooks.subscribed(owners))))
      expect(await subscribed([one!.userId, null])).toEqual(new Set([one!.id, ownerless!.id, all!.id]))
      expect(await subscribed([one!.userId])).toEqual(new Set([one!.id, all!.id]))
      expect(await subscribed([])).toEqual(new Set([all!.id]))
    })

    test('webhooks are replaced without their health', async () => {
      const [webhook] = await added({})
      const health = { lastDeliveredAt: 7, failures: { since: 1, count: 2, lastCountedAt: 3 } }
      const changed = { ...webhook!, url: 'https://example.org/', enabled: false, version: 2 }
      await stores().transact(async (tx) => {
        await tx.webhooks.setHealth(webhook!.id, health)
        await tx.webhooks.replace(changed)
        await tx.webhooks.replace(someWebhook(newId))
      })
      expect(await find(webhook!.id)).toEqual({ ...changed, ...health })
      expect(await stores().read((view) => view.webhooks.count(webhook!.userId))).toBe(1)
    })

    test('webhooks have no failures after they are cleared', async () => {
      const [webhook] = await added({ failures: { since: 1, count: 1, lastCountedAt: 1 } })
      expect(await find(webhook!.id)).toMatchObject({ failures: { since: 1, count: 1, lastCountedAt: 1 } })
      await stores().transact((tx) => tx.webhooks.setHealth(webhook!.id, { lastDeliveredAt: 9, failures: null }))
      expect(await find(webhook!.id)).toMatchObject({ lastDeliveredAt: 9, failures: null })
    })

    test('webhooks are counted if the service disabled them', async () => {
      await added({ enabled: false }, { enabled: false, disabledReason: 'gone' }, {})
      expect(await stores().read((view) => view.webhooks.countDisabled())).toBe(1)
    })

    test('webhooks are removed, one or all of a user', async () => {
      const userId = newId('usr')
      const [one, two, other] = await added({ userId }, { userId }, {})
      const left = async () =>
        readIds(await stores().read((view) => view.webhooks.findMany(readIds([one!, two!, other!]))))
      await stores().transact((tx) => tx.webhooks.remove(one!.id))
      expect((await left()).toSorted()).toEqual(readIds([two!, other!]).toSorted())
      expect(await stores().transact((tx) => tx.webhooks.removeAllOf(userId))).toEqual([two!.id])
      expect(await left()).toEqual([other!.id])
    })
  })

  describe('subscriptions', () => {
    const subscriptionsTo = (types: readonly string[], now = 0) =>
      stores().read((view) => view.webhooks.subscriptionsTo(types, now))
    const make = (events: readonly string[]): Subscription => ({ userId: newId('usr'), allUsers: false, events })

    test('subscriptions are those of enabled webhooks that match one of the types', async () => {
      const exact = { ...make(['api_key.created', 'user.deleted']), allUsers: true }
      const group = make(['api_key.*'])
      const every = { ...make(['*']), userId: null }
      await added(exact, group, every, { ...make(['*']), enabled: false }, make(['api.*']), make(['apiXkey.created']))
      expect(new Set(await subscriptionsTo(['image.failed', 'api_key.created']))).toEqual(
        new Set([exact, group, every]),
      )
      expect(new Set(await subscriptionsTo(['api_key.revoked']))).toEqual(new Set([group, every]))
      expect(await subscriptionsTo(['image.failed'])).toEqual([every])
      expect(await subscriptionsTo([])).toEqual([])
    })

    test('subscriptions are those of streams until they end, are removed, or are purged', async () => {
      const [stream, renewed] = [make(['generation.*']), make(['*'])]
      await stores().transact(async (tx) => {
        await tx.webhooks.keepStream('one', stream, 100)
        await tx.webhooks.keepStream('two', make(['image.failed']), 100)
        await tx.webhooks.keepStream('two', renewed, 200)
      })
      expect(new Set(await subscriptionsTo(['generation.failed'], 99))).toEqual(new Set([stream, renewed]))
      expect(await subscriptionsTo(['generation.failed'], 100)).toEqual([renewed])
      const purge = (before: number) => stores().transact((tx) => tx.webhooks.purgeStreams(before, 1))
      expect([await purge(100), await purge(101), await purge(101)]).toEqual([0, 1, 0])
      await stores().transact((tx) => tx.webhooks.removeStream('two'))
      expect(await subscriptionsTo(['generation.failed'])).toEqual([])
    })
  })
}
