import type { UserView } from '../accounts/stores.ts'
import type { Event } from '../runtime/events.ts'
import { purgeOldest, sliceOf, type UndoLog } from '../runtime/memory-stores.ts'
import type { Position } from '../runtime/slice.ts'
import { matchesAny } from './event-pattern.ts'
import type {
  ClaimedDelivery,
  Delivery,
  DeliveryStore,
  EventStore,
  Subscription,
  Webhook,
  WebhookHealth,
  WebhookStore,
} from './webhook-store.ts'

export interface MemoryWebhooks {
  readonly webhooks: WebhookStore
  readonly events: EventStore
  readonly deliveries: DeliveryStore
}

/** @param findUser finds the owner of a webhook */
export function memoryWebhooks(undo: UndoLog, findUser: UserView['find']): MemoryWebhooks {
  const webhooks = new Map<string, Webhook>()
  const streams = new Map<string, { readonly subscription: Subscription; readonly until: number }>()
  const events = new Map<string, Event>()
  /** The number of each event in the order of their commits. */
  const places = new Map<string, number>()
  let lastPlace = 0
  const deliveries = new Map<string, Delivery>()
  /** Delivery ids by event and webhook. */
  const pairs = new Map<string, string>()

  const deliveriesOf = (webhookId: string) => [...deliveries.values()].filter((each) => each.webhookId === webhookId)

  const failedOf = (webhookId: string, since: number) =>
    deliveriesOf(webhookId).filter(({ status, createdAt }) => status === 'failed' && createdAt >= since)

  function change(found: readonly Delivery[], facts: Partial<Delivery>): number {
    for (const delivery of found) undo.set(deliveries, delivery.id, { ...delivery, ...facts })
    return found.length
  }

  async function isAdmin(userId: string | null): Promise<boolean> {
    if (userId === null) return true
    const owner = await findUser(userId)
    return owner?.role === 'admin' && owner.status === 'active'
  }

  async function claimed(delivery: Delivery): Promise<ClaimedDelivery[]> {
    const event = events.get(delivery.eventId)
    const webhook = webhooks.get(delivery.webhookId)
    if (!event || !webhook) return []
    const owner = webhook.userId === null ? undefined : await findUser(webhook.userId)
    return [
      {
        delivery,
        event,
        webhook,
        owner: owner && { role: owner.role, status: owner.status },
      },
    ]
  }

  return {
    webhooks: {
      find: async (id) => webhooks.get(id),
      findMany: async (ids) => foundIn(webhooks, ids),
      list: async ({ userId, enabled }, slice) => {
        const matching = [...webhooks.values()].filter(
          (webhook) =>
            (userId === undefined || webhook.userId === userId) &&
            (enabled === undefined || webhook.enabled === enabled),
        )
        return sliceOf(matching, slice)
      },
      count: async (userId) => [...webhooks.values()].filter((webhook) => webhook.userId === userId).length,
      async subscribed(userIds) {
        const found: Webhook[] = []
        for (const webhook of webhooks.values()) {
          if (!webhook.enabled) continue
          const allUsers = webhook.allUsers && (await isAdmin(webhook.userId))
          if (allUsers || userIds.includes(webhook.userId)) found.push({ ...webhook, allUsers })
        }
        return found
      },
      async subscriptionsTo(types, now) {
        const open = [...streams.values()].filter(({ until }) => until > now)
        const all = [
          ...[...webhooks.values()].filter(({ enabled }) => enabled),
          ...open.map(({ subscription }) => subscription),
        ]
        return all
          .filter(({ events: patterns }) => types.some((type) => matchesAny(type, patterns)))
          .map(({ userId, allUsers, events: patterns }) => ({ userId, allUsers, events: patterns }))
      },
      countDisabled: async () => [...webhooks.values()].filter(({ disabledReason }) => disabledReason !== null).length,
      add: async (webhook) => undo.set(webhooks, webhook.id, webhook),
      take: async (id) => webhooks.get(id),
      async replace(webhook) {
        const before = webhooks.get(webhook.id)
        if (before) undo.set(webhooks, webhook.id, { ...webhook, ...healthOf(before) })
      },
      async setHealth(id, health) {
        const webhook = webhooks.get(id)
        if (webhook) undo.set(webhooks, id, { ...webhook, ...healthOf(health) })
      },
      remove: async (id) => undo.delete(webhooks, id),
      async removeAllOf(userId) {
        const removed = [...webhooks.values()].filter((webhook) => webhook.userId === userId).map(({ id }) => id)
        for (const id of removed) undo.delete(webhooks, id)
        return removed
      },
      keepStream: async (id, subscription, until) => undo.set(streams, id, { subscription, until }),
      removeStream: async (id) => undo.delete(streams, id),
      purgeStreams: async (before, limit) =>
        purgeOldest(undo, streams, { before, limit, timeOf: ({ until }) => until }).length,
    },
    events: {
      find: async (id) => events.get(id),
      findMany: async (ids) => foundIn(events, ids),
      list: async ({ userId, types, resourceId }, slice) => {
        const matching = [...events.values()].filter(
          (event) =>
            (userId === undefined || event.userId === userId) &&
            (types === undefined || types.includes(event.type)) &&
            (resourceId === undefined || event.resourceId === resourceId),
        )
        return sliceOf(matching, slice)
      },
      async follow(after, limit, until) {
        const end = until === undefined ? Infinity : Number(until)
        const found = [...places].filter(([, place]) => place > Number(after) && place <= end).slice(0, limit)
        return {
          events: foundIn(
            events,
            found.map(([id]) => id),
          ),
          place: String(found.at(-1)?.[1] ?? after),
        }
      },
      async placeOf(eventId) {
        const place = places.get(eventId)
        return place === undefined ? undefined : String(place)
      },
      lastPlace: async () => String(lastPlace),
      async add(added) {
        for (const event of added) {
          if (events.has(event.id)) continue
          undo.set(events, event.id, event)
          undo.set(places, event.id, ++lastPlace)
        }
      },
      async purge(before, limit) {
        const purged = purgeOldest(undo, events, { before, limit, timeOf: ({ createdAt }) => createdAt })
        for (const id of purged) undo.delete(places, id)
        return purged.length
      },
      async removeExcess(userId, { max, limit }) {
        const own = [...events.values()].filter((event) => event.userId === userId)
        const excess = newestFirst(own).slice(max, max + limit)
        for (const { id } of excess) {
          undo.delete(events, id)
          undo.delete(places, id)
        }
        return excess.map(({ id }) => id)
      },
    },
    deliveries: {
      find: async (id) => deliveries.get(id),
      findMany: async (ids) => foundIn(deliveries, ids),
      list: async ({ webhookId, status, eventId }, slice) => {
        const matching = [...deliveries.values()].filter(
          (delivery) =>
            (webhookId === undefined || delivery.webhookId === webhookId) &&
            (status === undefined || delivery.status === status) &&
            (eventId === undefined || delivery.eventId === eventId),
        )
        return sliceOf(matching, slice)
      },
      async queue() {
        const due = [...deliveries.values()].flatMap(({ webhookId, nextAttemptAt }) =>
          nextAttemptAt === null || !webhooks.has(webhookId) ? [] : nextAttemptAt,
        )
        return { pending: due.length, dueSince: due.length > 0 ? Math.min(...due) : null }
      },
      async add(added) {
        for (const delivery of added) {
          if (pairs.has(pairOf(delivery))) continue
          undo.set(pairs, pairOf(delivery), delivery.id)
          undo.set(deliveries, delivery.id, delivery)
        }
      },
      async claim({ now, leaseMs, limit, except }) {
        const due = [...deliveries.values()]
          .filter(({ nextAttemptAt, webhookId }) => (nextAttemptAt ?? Infinity) <= now && !except.includes(webhookId))
          .sort((one, other) => (one.nextAttemptAt ?? 0) - (other.nextAttemptAt ?? 0))
          .slice(0, limit)
          .map((delivery) => ({ ...delivery, nextAttemptAt: now + leaseMs }))
        for (const delivery of due) undo.set(deliveries, delivery.id, delivery)
        return (await Promise.all(due.map(claimed))).flat()
      },
      async replace(delivery, leaseUntil) {
        const before = deliveries.get(delivery.id)
        if (!before || (leaseUntil !== undefined && before.nextAttemptAt !== leaseUntil)) return false
        undo.set(deliveries, delivery.id, delivery)
        return true
      },
      async expedite(limit, at) {
        for (const delivery of deliveries.values()) {
          if ((delivery.nextAttemptAt ?? 0) > limit)
            undo.set(deliveries, delivery.id, { ...delivery, nextAttemptAt: at })
        }
      },
      async failPending(webhookId, at, limit) {
        const pending = deliveriesOf(webhookId).filter(({ status }) => status === 'pending')
        return change(pending.slice(0, limit), { status: 'failed', nextAttemptAt: null, updatedAt: at })
      },
      async failExcess(webhookId, { max, limit, at }) {
        const pending = newestFirst(deliveriesOf(webhookId).filter(({ status }) => status === 'pending'))
        return change(pending.slice(max, max + limit), { status: 'failed', nextAttemptAt: null, updatedAt: at })
      },
      async failOfEvents(eventIds, at) {
        const pending = [...deliveries.values()].filter(
          ({ status, eventId }) => status === 'pending' && eventIds.includes(eventId),
        )
        return change(pending, { status: 'failed', nextAttemptAt: null, updatedAt: at })
      },
      countFailed: async (webhookId, since) => failedOf(webhookId, since).length,
      async recover(webhookId, { since, at, limit }) {
        const failed = failedOf(webhookId, since)
        return change(failed.slice(0, limit), { status: 'pending', tries: 0, nextAttemptAt: at, updatedAt: at })
      },
      async removeOf(webhookId, limit) {
        const removed = deliveriesOf(webhookId).slice(0, limit)
        for (const delivery of removed) {
          undo.delete(deliveries, delivery.id)
          undo.delete(pairs, pairOf(delivery))
        }
        return removed.length
      },
      async purge(before, limit) {
        const purged = purgeOldest(undo, deliveries, { before, limit, timeOf: ({ createdAt }) => createdAt })
        for (const [pair, id] of pairs) if (!deliveries.has(id)) undo.delete(pairs, pair)
        return purged.length
      },
    },
  }
}

function newestFirst<Item extends Position>(items: readonly Item[]): readonly Item[] {
  return sliceOf(items, { first: 'newest', limit: Infinity })
}

function pairOf({ eventId, webhookId }: Delivery): string {
  return `${eventId}/${webhookId}`
}

function foundIn<Value>(map: ReadonlyMap<string, Value>, ids: readonly string[]): readonly Value[] {
  return [...new Set(ids)].map((id) => map.get(id)).filter((value) => value !== undefined)
}

function healthOf({ lastDeliveredAt, failures }: WebhookHealth): WebhookHealth {
  return { lastDeliveredAt, failures }
}
