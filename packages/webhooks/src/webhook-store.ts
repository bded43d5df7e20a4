import type { Owner } from '@fairlead/accounts/stores'
import type { EventRow, RuntimeStores, RuntimeTransaction, RuntimeView, RecordView } from '@fairlead/core/stores'

/** An endpoint that receives events. */
export interface WebhookRow extends WebhookHealth {
  readonly id: string
  /** The owner; null if the embedding program created it. */
  readonly userId: string | null
  readonly url: string
  /** Event types, or patterns such as `shipment.*` and `*`. */
  readonly events: readonly string[]
  /** Whether it receives the events of all users. Only admins may set it. */
  readonly allUsers: boolean
  readonly description: string | null
  readonly enabled: boolean
  /** Why the service disabled it; null while it is enabled or if its owner disabled it. */
  readonly disabledReason: DisabledReason | null
  /** Encrypted. */
  readonly secret: string
  /** The secret before the last rotation, which also signs until `previousSecretUntil`. Encrypted. */
  readonly previousSecret: string | null
  readonly previousSecretUntil: number | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Starts at 1; incremented by each change of its owner. */
  readonly version: number
}

/** How the deliveries of a webhook went. */
export interface WebhookHealth {
  /** When a delivery last succeeded, to the minute, in milliseconds since the epoch; null if none did. */
  readonly lastDeliveredAt: number | null
  /** The failures since the last success; null if there are none. */
  readonly failures: Failures | null
}

/** `gone`: the endpoint responded 410. `failing`: it failed for five days. */
export type DisabledReason = 'gone' | 'failing'

/** The failures of a webhook since its last success. */
export interface Failures {
  /** When the first one happened, in milliseconds since the epoch. */
  readonly since: number
  /** How many happened at least 12 hours after the one counted before. */
  readonly count: number
  /** When the last counted one happened. */
  readonly lastCountedAt: number
}

/** A user's subscription to events. */
export interface Subscription extends Pick<WebhookRow, 'userId' | 'allUsers' | 'events'> {}

export interface WebhookFilters {
  readonly userId?: string | null | undefined
  readonly enabled?: boolean | undefined
}

export interface WebhookView extends RecordView<WebhookRow, WebhookFilters> {
  /** Counts the webhooks of an owner. */
  count(userId: string | null): Promise<number>
  /**
   * The enabled webhooks of these owners, and those that receive the events of all users. `allUsers` is false unless the
   * owner is an active admin, or the embedding program: an admin may have become a member since.
   */
  subscribed(userIds: readonly (string | null)[]): Promise<readonly WebhookRow[]>
  /** The subscriptions of enabled webhooks and open streams that match at least one of these event types. */
  subscriptionsTo(types: readonly string[], now: number): Promise<readonly Subscription[]>
  /** Counts the webhooks that the service disabled. */
  countDisabled(): Promise<number>
}

export interface WebhookStore extends WebhookView {
  add(webhook: WebhookRow): Promise<void>
  /** Finds a webhook and locks it against changes by other transactions until this one ends. */
  take(id: string): Promise<WebhookRow | undefined>
  /** Replaces a webhook, except for its health. */
  replace(webhook: WebhookRow): Promise<void>
  /** Sets the health, without a new version. */
  setHealth(id: string, health: WebhookHealth): Promise<void>
  /** Removes a webhook, but not its deliveries. */
  remove(id: string): Promise<void>
  /** Removes all webhooks of a user, but not their deliveries. Returns their ids. */
  removeAllOf(userId: string): Promise<readonly string[]>
  /** Adds or renews the subscription of an open stream, until that time. */
  keepStream(id: string, subscription: Subscription, until: number): Promise<void>
  removeStream(id: string): Promise<void>
  /** Removes at most `limit` subscriptions of streams that ended before that time. Returns how many. */
  purgeStreams(before: number, limit: number): Promise<number>
}

export interface EventFilters {
  /** Default: the events of all users. */
  readonly userId?: string | undefined
  /** Default: the events of all types. */
  readonly types?: readonly string[] | undefined
  readonly resourceId?: string | undefined
}

export interface EventView extends RecordView<EventRow, EventFilters> {
  /**
   * Returns at most `limit` events after a place, in the order of their commits. Never passes a transaction that is still
   * open, so that no event is skipped.
   *
   * @param until the place of the last event to return. Default: no end
   */
  follow(after: EventPosition, limit: number, until?: EventPosition | undefined): Promise<FollowedEvents>
  /** The place of an event; undefined if it is unknown. */
  positionOf(eventId: string): Promise<EventPosition | undefined>
  /** The place after all committed events. */
  lastPosition(): Promise<EventPosition>
}

/** A place in the order of commits, as the store encodes it. */
export type EventPosition = string

export interface FollowedEvents {
  readonly events: readonly EventRow[]
  /** The place of the last of them, or the requested place if there are none. */
  readonly position: EventPosition
}

export interface EventStore extends EventView {
  /** Adds events. Adding the same event again changes nothing. */
  add(events: readonly EventRow[]): Promise<void>
  /** Removes at most `limit` events older than that time, the oldest first. Returns how many. */
  purge(before: number, limit: number): Promise<number>
  /** Removes at most `limit` events of a user of those that are older than the newest `max`. Returns their ids. */
  removeExcess(userId: string, bounds: { readonly max: number; readonly limit: number }): Promise<readonly string[]>
}

/** The delivery of one event to one webhook. */
export interface DeliveryRow {
  readonly id: string
  readonly webhookId: string
  readonly eventId: string
  readonly eventType: string
  readonly status: DeliveryStatus
  /** The last 20 attempts, oldest first. */
  readonly attempts: readonly DeliveryAttemptRow[]
  /** The number of attempts since the delivery was created or requested again: its place in the schedule. */
  readonly tries: number
  /** When the next attempt is due, in milliseconds since the epoch; null unless it is pending. */
  readonly nextAttemptAt: number | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

export interface DeliveryAttemptRow {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  readonly durationMs: number
  /** The HTTP status; null without a response. */
  readonly status: number | null
  /** Why there was no response, such as `timeout`; null if there was one. */
  readonly error: string | null
}

export interface DeliveryFilters {
  readonly webhookId?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly eventId?: string | undefined
}

/** A delivery that is due, with what it needs. */
export interface ClaimedDelivery {
  /** Its `nextAttemptAt` is the end of the lease. */
  readonly delivery: DeliveryRow
  readonly event: EventRow
  readonly webhook: WebhookRow
  /** The owner of the webhook; suspended also if it is a project without an active owner. Undefined for webhooks of the embedding program. */
  readonly owner: Pick<Owner, 'role' | 'status'> | undefined
}

export interface ClaimRequest {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** How long no other worker claims the same deliveries, in milliseconds. */
  readonly leaseMs: number
  /** Maximum number of deliveries. */
  readonly limit: number
  /** Webhooks whose deliveries are left for later. */
  readonly except: readonly string[]
}

export interface DeliveryView extends RecordView<DeliveryRow, DeliveryFilters> {
  /**
   * How many deliveries are pending, and when the first of them is or was due. For metrics. Leaves out deliveries that were
   * added while their webhook was removed.
   */
  queue(): Promise<{ readonly pending: number; readonly dueSince: number | null }>
  /** The ids of the webhooks that have more than `max` deliveries with this status. */
  crowded(status: DeliveryStatus, max: number): Promise<readonly string[]>
}

export interface DeliveryStore extends DeliveryView {
  /** Adds deliveries. Adding another one of the same event to the same webhook changes nothing. */
  add(deliveries: readonly DeliveryRow[]): Promise<void>
  /**
   * Claims deliveries that are due, the longest overdue first, by moving their next attempt to the end of the lease. Two
   * concurrent calls never claim the same delivery.
   */
  claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]>
  /**
   * Replaces a delivery. Returns false and changes nothing unless its next attempt is still due at `leaseUntil`: another
   * worker has claimed it since, or its webhook was disabled.
   *
   * @param leaseUntil undefined replaces it in any case
   */
  replace(delivery: DeliveryRow, leaseUntil?: number | undefined): Promise<boolean>
  /** Makes pending deliveries due at `at` that are due after `limit`: a wrong clock set that time. */
  expedite(limit: number, at: number): Promise<void>
  /** Fails at most `limit` pending deliveries of a webhook. Returns how many. */
  failPending(webhookId: string, at: number, limit: number): Promise<number>
  /** Fails at most `limit` pending deliveries of a webhook of those that are older than the newest `max`. Returns how many. */
  failExcess(
    webhookId: string,
    bounds: { readonly max: number; readonly limit: number; readonly at: number },
  ): Promise<number>
  /** Fails the pending deliveries of these events. Returns how many. */
  failOfEvents(eventIds: readonly string[], at: number): Promise<number>
  /** Counts the failed deliveries of a webhook that were created at `since` or later. */
  countFailed(webhookId: string, since: number): Promise<number>
  /** Makes at most `limit` failed deliveries of a webhook due that were created at `since` or later. Returns how many. */
  recover(
    webhookId: string,
    request: { readonly since: number; readonly at: number; readonly limit: number },
  ): Promise<number>
  /** Removes at most `limit` deliveries of a webhook. Returns how many. */
  removeOf(webhookId: string, limit: number): Promise<number>
  /**
   * Removes at most `limit` deliveries of a webhook with this status of those that are older than the newest `max`. Returns
   * how many.
   */
  removeExcess(
    webhookId: string,
    bounds: { readonly status: DeliveryStatus; readonly max: number; readonly limit: number },
  ): Promise<number>
  /** Removes at most `limit` deliveries created before that time. Returns how many. */
  purge(before: number, limit: number): Promise<number>
}

/** Read access to webhooks, events, and deliveries. */
export interface WebhooksView extends RuntimeView {
  readonly webhooks: WebhookView
  readonly events: EventView
  readonly deliveries: DeliveryView
}

/** Read and write access to webhooks, events, and deliveries. */
export interface WebhooksTransaction extends RuntimeTransaction {
  readonly webhooks: WebhookStore
  readonly events: EventStore
  readonly deliveries: DeliveryStore
}

export type WebhookStores = RuntimeStores<WebhooksView, WebhooksTransaction>
