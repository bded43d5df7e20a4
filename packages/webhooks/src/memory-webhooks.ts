import type { OwnerView } from '@fairlead/accounts/stores'
import {
  type EventRow,
  MemoryTable,
  type UndoLog,
  type Position,
  hasAll,
  recordView,
  takeSlice,
} from '@fairlead/core/stores'
import { matchesAny } from './events/event-pattern.ts'
import type {
  ClaimedDelivery,
  DeliveryRow,
  EventFilters,
  Subscription,
  WebhookRow,
  WebhookHealth,
  WebhooksTransaction,
} from './webhook-store.ts'

/** @param findOwner finds the owner of a webhook */
export function memoryWebhooks(
  undo: UndoLog,
  findOwner: OwnerView['find'],
): Pick<WebhooksTransaction, 'webhooks' | 'events' | 'deliveries'> {
  const webhooks = new MemoryTable<WebhookRow>(undo)
  const streams = new MemoryTable<{ readonly subscription: Subscription; readonly until: number }>(undo)
  const events = new MemoryTable<EventRow>(undo)
  /** The number of each event in the order of their commits. */
  const positions = new MemoryTable<number>(undo)
  let lastPosition = 0
  const deliveries = new MemoryTable<DeliveryRow>(undo)
  /** Delivery ids by event and webhook. */
  const pairs = new MemoryTable<string>(undo)

  const eventsById = recordView<EventRow, EventFilters>(
    events,
    (event, { types = [event.type], ...filters }) => types.includes(event.type) && hasAll(event, filters),
  )

  const findDeliveries = (webhookId: string) => deliveries.filter((each) => each.webhookId === webhookId)

  const findFailed = (webhookId: string, since: number) =>
    findDeliveries(webhookId).filter(({ status, createdAt }) => status === 'failed' && createdAt >= since)

  const isPending = ({ status }: DeliveryRow) => status === 'pending'

  function change(found: readonly DeliveryRow[], facts: Partial<DeliveryRow>): number {
    for (const delivery of found) deliveries.set(delivery.id, { ...delivery, ...facts })
    return found.length
  }

  const fail = (found: readonly DeliveryRow[], at: number) =>
    change(found, { status: 'failed', nextAttemptAt: null, updatedAt: at })

  function remove(found: readonly DeliveryRow[]): number {
    for (const delivery of found) {
      deliveries.delete(delivery.id)
      pairs.delete(pairKey(delivery))
    }
    return found.length
  }

  async function isAdmin(userId: string | null): Promise<boolean> {
    if (userId === null) return true
    const owner = await findOwner(userId)
    return owner?.role === 'admin' && owner.status === 'active'
  }

  async function claimed(delivery: DeliveryRow): Promise<ClaimedDelivery[]> {
    const event = events.get(delivery.eventId)
    const webhook = webhooks.get(delivery.webhookId)
    if (!event || !webhook) return []
    const owner = webhook.userId === null ? undefined : await findOwner(webhook.userId)
    return [{ delivery, event, webhook, owner: owner && { role: owner.role, status: owner.status } }]
  }

  return {
    webhooks: {
      ...recordView(webhooks),
      count: async (userId) => webhooks.filter((webhook) => webhook.userId === userId).length,
      async subscribed(userIds) {
        const found: WebhookRow[] = []
        for (const webhook of webhooks.values()) {
          if (!webhook.enabled) continue
          const allUsers = webhook.allUsers && (await isAdmin(webhook.userId))
          if (allUsers || userIds.includes(webhook.userId)) found.push({ ...webhook, allUsers })
        }
        return found
      },
      async subscriptionsTo(types, now) {
        const open = streams.filter(({ until }) => until > now)
        const all = [...webhooks.filter(({ enabled }) => enabled), ...open.map(({ subscription }) => subscription)]
        return all
          .filter(({ events: patterns }) => types.some((type) => matchesAny(type, patterns)))
          .map(({ userId, allUsers, events: patterns }) => ({ userId, allUsers, events: patterns }))
      },
      countDisabled: async () => webhooks.filter(({ disabledReason }) => disabledReason !== null).length,
      add: async (webhook) => void webhooks.set(webhook.id, webhook),
      take: async (id) => webhooks.get(id),
      async replace(webhook) {
        const before = webhooks.get(webhook.id)
        if (before) webhooks.set(webhook.id, { ...webhook, ...toHealth(before) })
      },
      async setHealth(id, health) {
        const webhook = webhooks.get(id)
        if (webhook) webhooks.set(id, { ...webhook, ...toHealth(health) })
      },
      remove: async (id) => void webhooks.delete(id),
      async removeAllOf(userId) {
        const removed = webhooks.filter((webhook) => webhook.userId === userId).map(({ id }) => id)
        for (const id of removed) webhooks.delete(id)
        return removed
      },
      keepStream: async (id, subscription, until) => void streams.set(id, { subscription, until }),
      removeStream: async (id) => void streams.delete(id),
      purgeStreams: async (before, limit) => streams.purge(before, limit, ({ until }) => until).length,
    },
    events: {
      ...eventsById,
      async follow(after, limit, until) {
        const end = until === undefined ? Infinity : Number(until)
        const found = [...positions]
          .filter(([, position]) => position > Number(after) && position <= end)
          .slice(0, limit)
        const ids = found.map(([id]) => id)
        return { events: await eventsById.findMany(ids), position: String(found.at(-1)?.[1] ?? after) }
      },
      async positionOf(eventId) {
        const position = positions.get(eventId)
        return position === undefined ? undefined : String(position)
      },
      lastPosition: async () => String(lastPosition),
      async add(added) {
        for (const event of added) {
          if (events.has(event.id)) continue
          events.set(event.id, event)
          positions.set(event.id, ++lastPosition)
        }
      },
      async purge(before, limit) {
        const purged = events.purge(before, limit, ({ createdAt }) => createdAt)
        for (const id of purged) positions.delete(id)
        return purged.length
      },
      async removeExcess(userId, { max, limit }) {
        const own = events.filter((event) => event.userId === userId)
        const excess = newestFirst(own).slice(max, max + limit)
        for (const { id } of excess) {
          events.delete(id)
          positions.delete(id)
        }
        return excess.map(({ id }) => id)
      },
    },
    deliveries: {
      ...recordView(deliveries),
      async queue() {
        const due = [...deliveries.values()].flatMap(({ webhookId, nextAttemptAt }) =>
          nextAttemptAt === null || !webhooks.has(webhookId) ? [] : nextAttemptAt,
        )
        return { pending: due.length, dueSince: due.length > 0 ? Math.min(...due) : null }
      },
      async crowded(status, max) {
        const ids = new Set(
          deliveries.filter((delivery) => delivery.status === status).map(({ webhookId }) => webhookId),
        )
        return [...ids].filter((id) => findDeliveries(id).filter((delivery) => delivery.status === status).length > max)
      },
      async add(added) {
        for (const delivery of added) {
          if (pairs.has(pairKey(delivery))) continue
          pairs.set(pairKey(delivery), delivery.id)
          deliveries.set(delivery.id, delivery)
        }
      },
      async claim({ now, leaseMs, limit, except }) {
        const due = deliveries
          .filter(({ nextAttemptAt, webhookId }) => (nextAttemptAt ?? Infinity) <= now && !except.includes(webhookId))
          .sort((one, other) => (one.nextAttemptAt ?? 0) - (other.nextAttemptAt ?? 0))
          .slice(0, limit)
          .map((delivery) => ({ ...delivery, nextAttemptAt: now + leaseMs }))
        for (const delivery of due) deliveries.set(delivery.id, delivery)
        return (await Promise.all(due.map(claimed))).flat()
      },
      async replace(delivery, leaseUntil) {
        const before = deliveries.get(delivery.id)
        if (!before || (leaseUntil !== undefined && before.nextAttemptAt !== leaseUntil)) return false
        deliveries.set(delivery.id, delivery)
        return true
      },
      async expedite(limit, at) {
        const late = deliveries.filter(({ nextAttemptAt }) => (nextAttemptAt ?? 0) > limit)
        change(late, { nextAttemptAt: at })
      },
      failPending: async (webhookId, at, limit) =>
        fail(findDeliveries(webhookId).filter(isPending).slice(0, limit), at),
      failExcess: async (webhookId, { max, limit, at }) =>
        fail(newestFirst(findDeliveries(webhookId).filter(isPending)).slice(max, max + limit), at),
      failOfEvents: async (eventIds, at) =>
        fail(
          deliveries.filter((delivery) => isPending(delivery) && eventIds.includes(delivery.eventId)),
          at,
        ),
      countFailed: async (webhookId, since) => findFailed(webhookId, since).length,
      async recover(webhookId, { since, at, limit }) {
        const failed = findFailed(webhookId, since)
        return change(failed.slice(0, limit), { status: 'pending', tries: 0, nextAttemptAt: at, updatedAt: at })
      },
      removeOf: async (webhookId, limit) => remove(findDeliveries(webhookId).slice(0, limit)),
      removeExcess: async (webhookId, { status, max, limit }) =>
        remove(
          newestFirst(findDeliveries(webhookId).filter((delivery) => delivery.status === status)).slice(
            max,
            max + limit,
          ),
        ),
      async purge(before, limit) {
        const purged = deliveries.purge(before, limit, ({ createdAt }) => createdAt)
        for (const [pair, id] of pairs) if (!deliveries.has(id)) pairs.delete(pair)
        return purged.length
      },
    },
  }
}

function newestFirst<Item extends Position>(items: readonly Item[]): readonly Item[] {
  return takeSlice(items, { first: 'newest', limit: Infinity })
}

function pairKey({ eventId, webhookId }: DeliveryRow): string {
  return `${eventId}/${webhookId}`
}

function toHealth({ lastDeliveredAt, failures }: WebhookHealth): WebhookHealth {
  return { lastDeliveredAt, failures }
}
