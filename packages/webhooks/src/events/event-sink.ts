import { isFuture, type EventRow } from '@fairlead/core/stores'
import { type EventSink, lruCache, isUnavailable } from '@fairlead/core/feature'
import type { FeatureContext } from '@fairlead/core'
import type { NewId } from '@fairlead/core/adapter'
import { matchesAny } from './event-pattern.ts'
import type { DeliveryRow, Subscription, WebhookRow, WebhookStores, WebhooksTransaction } from '../webhook-store.ts'

/** Stores events with their deliveries, and tells this process about them. */
export interface WebhookEventSink extends EventSink {
  add(tx: WebhooksTransaction, events: readonly EventRow[]): Promise<number>
  /** Calls back when events were stored in this process. Returns how to stop. */
  onCommitted(listener: () => void): () => void
  /** Counts events that were stored without `add`. */
  noteStored(events: readonly EventRow[]): void
  /** Reads the subscriptions, which hold while the store is unavailable. */
  load(): Promise<void>
  /** Reads the subscriptions again before they are next needed. Call it after a change of a webhook or a stream. */
  invalidate(): void
}

export interface EventSinkOptions extends Pick<FeatureContext<WebhookStores>, 'stores' | 'clock' | 'eventTypes'> {
  readonly newId: NewId
  /** Called after a user’s events were committed, once for each `removeExcessEvery` of them. Default: never. */
  readonly removeExcess?: ((userId: string) => Promise<void>) | undefined
}

/** How many events of a user are stored before their number is checked again. */
const removeExcessEvery = 1_000
/** Users whose events are counted. The count of the least recent one is lost. */
const maxCounted = 10_000

/** How long a subscription of another process may go unnoticed, in milliseconds. */
const maxAgeMs = 1_000

export function createEventSink({
  stores,
  clock,
  newId,
  eventTypes,
  removeExcess,
}: EventSinkOptions): WebhookEventSink {
  const onDemand = new Set(eventTypes.filter((event) => event.onDemand).map(({ type }) => type))
  const listeners = new Set<() => void>()
  const stored = lruCache<number>(maxCounted)
  const full = new Set<string>()
  const removing = new Set<string>()

  function noteStored(events: readonly EventRow[]): void {
    for (const { userId } of events) {
      if (userId === null) continue
      const count = (stored.get(userId) ?? 0) + 1
      stored.set(userId, count % removeExcessEvery)
      if (count === removeExcessEvery) full.add(userId)
    }
  }

  function removeFrom(userId: string): void {
    full.delete(userId)
    if (!removeExcess || removing.has(userId)) return
    removing.add(userId)
    void removeExcess(userId).finally(() => removing.delete(userId))
  }

  let cached: { readonly subscriptions: readonly Subscription[]; readonly at: number } | undefined
  let reading: Promise<readonly Subscription[]> | undefined

  /** The subscriptions to model calls. Read only when they are needed, so that an idle service does not poll. */
  function subscriptions(): readonly Subscription[] | Promise<readonly Subscription[]> {
    const now = clock.now()
    if (cached && now < cached.at + maxAgeMs && !isFuture(cached.at, now)) return cached.subscriptions
    return (reading ??= read())
  }

  function read(): Promise<readonly Subscription[]> {
    const at = clock.now()
    const current = stores
      .read((view) => view.webhooks.subscriptionsTo([...onDemand], at))
      .then((found) => {
        // Otherwise it was invalidated meanwhile.
        if (reading === current) cached = { subscriptions: found, at }
        return found
      })
      .catch((error: unknown) => {
        // While the store is unavailable, the last ones hold.
        if (cached && isUnavailable(error)) return cached.subscriptions
        throw error
      })
      .finally(() => {
        if (reading === current) reading = undefined
      })
    return current
  }

  return {
    wants(type, userId) {
      if (!onDemand.has(type)) return true
      const isSubscribed = (found: readonly Subscription[]) =>
        found.some((subscription) => receives(subscription, { type, userId }))
      const found = subscriptions()
      return 'then' in found ? found.then(isSubscribed) : isSubscribed(found)
    },
    async add(tx, events) {
      await tx.events.add(events)
      noteStored(events)
      const webhooks = await tx.webhooks.subscribed([...new Set(events.map(({ userId }) => userId))])
      const deliveries = events.flatMap((event) =>
        webhooks
          .filter((webhook) => receives(webhook, event))
          .map(({ id }) => pendingDelivery(newId('dlv'), id, event)),
      )
      if (deliveries.length > 0) await tx.deliveries.add(deliveries)
      return deliveries.length
    },
    noteStored,
    async load() {
      await subscriptions()
    },
    committed() {
      for (const userId of full) removeFrom(userId)
      for (const listener of listeners) listener()
    },
    onCommitted(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    invalidate() {
      cached = undefined
      reading = undefined
    },
  }
}

function receives({ userId, allUsers, events }: Subscription, event: Pick<EventRow, 'type' | 'userId'>): boolean {
  return (allUsers || userId === event.userId) && matchesAny(event.type, events)
}

/** A delivery of an event to a webhook, due now. */
export function pendingDelivery(id: string, webhookId: WebhookRow['id'], event: EventRow): DeliveryRow {
  return {
    id,
    webhookId,
    eventId: event.id,
    eventType: event.type,
    status: 'pending',
    attempts: [],
    tries: 0,
    nextAttemptAt: event.createdAt,
    createdAt: event.createdAt,
    updatedAt: event.createdAt,
  }
}
