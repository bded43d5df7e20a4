// Generated from the operations: npm run generate
import type { Deletion, PageInput } from '@fairlead/accounts/types'
import type { Method, SubscriptionMethod } from '@fairlead/core'

export interface WebhooksMethods {
  readonly webhooks: {
    /** Lists the caller’s webhooks. */
    readonly list: Method<WebhooksInput, Webhook[]>
    /** Creates a webhook. Its signing secret is shown only once. */
    readonly create: Method<CreateWebhookInput, WebhookWithSecret>
    /** Returns a webhook. */
    readonly get: Method<WebhookInput, Webhook>
    /** Replaces the writable fields of a webhook. Fields that are left out are cleared, except `enabled`. */
    readonly update: Method<UpdateWebhookInput, Webhook>
    /** Updates fields of a webhook. Fields that are left out keep their value, null clears the description. */
    readonly patch: Method<PatchWebhookInput, Webhook>
    /** Deletes a webhook and its deliveries. */
    readonly delete: Method<DeleteWebhookInput, Deletion>
    /** Rotates the signing secret of a webhook. For 24 hours, deliveries are signed with both secrets. */
    readonly rotateSecret: Method<RotateWebhookSecretInput, WebhookWithSecret>
    /** Sends an event `webhook.test` to a webhook, whatever its event types are. Returns the delivery. */
    readonly test: Method<TestWebhookInput, Delivery>
    /** Delivers all events again whose deliveries to a webhook failed since a time. */
    readonly recover: Method<RecoverWebhookInput, WebhookRecovery>
  }
  readonly deliveries: {
    /** Lists the deliveries to a webhook, with their attempts. */
    readonly list: Method<DeliveriesInput, Delivery[]>
    /** Returns a delivery, with its attempts. */
    readonly get: Method<DeliveryInput, Delivery>
    /** Delivers an event to a webhook again, now, whatever the status of the delivery is. */
    readonly redeliver: Method<RedeliverInput, Delivery>
  }
  readonly events: {
    /** Lists events: the caller’s own, or all of them for an admin. */
    readonly list: Method<EventsInput, Event[]>
    /** Returns an event. */
    readonly get: Method<EventInput, Event>
    /** Streams events as they happen: the caller’s own, or all of them for an admin. */
    readonly subscribe: SubscriptionMethod<EventStreamInput, Event>
  }
}

export interface WebhooksInput extends PageInput {
  /** Only webhooks that are enabled, or only those that are not. */
  readonly enabled?: boolean | undefined
}

/** An endpoint that receives events, without its secret. */
export interface Webhook {
  /** Webhook id: `whk_` and digits. */
  id: string
  /** URL that receives the events: https, at a public address. Admins may also use `mailto:`, with or without addresses. */
  url: string
  /** Event types, groups such as `shipment.*`, or `*` for all. */
  events: string[]
  description: string | null
  /** Whether it receives events. */
  enabled: boolean
  /** Why the service disabled it. Null if it is enabled, or was disabled by its owner. */
  disabledReason: 'gone' | 'failing' | null
  /** Whether it receives the events of all users. Only admins may set it. */
  allUsers: boolean
  /** When a delivery last succeeded, to the minute. Null if none did. */
  lastDeliveredAt: string | null
  /** When the first attempt failed since the last success. Null if none did. */
  failingSince: string | null
  /** Until when the previous secret signs too. Null if the secret was never rotated. */
  previousSecretExpiresAt: string | null
  /** When the webhook was created. */
  createdAt: string
  /** When the webhook was last changed. */
  updatedAt: string
}

export interface CreateWebhookInput {
  /** URL that receives the events: https, at a public address. Admins may also use `mailto:`, with or without addresses. */
  readonly url: string
  /** Event types, groups such as `shipment.*`, or `*` for all. */
  readonly events: readonly string[]
  /** Default: `null`. */
  readonly description?: string | null | undefined
  /** Whether it receives events. Default: `true`. */
  readonly enabled?: boolean | undefined
  /** Whether it receives the events of all users. Only admins may set it. Default: `false`. */
  readonly allUsers?: boolean | undefined
}

/** A webhook with its signing secret, which is shown only once. */
export interface WebhookWithSecret extends Webhook {
  /** The signing secret, shown only once: `whsec_` and base64. */
  secret: string
}

export interface WebhookInput {
  /** Webhook id: `whk_` and digits. */
  readonly id: string
}

export interface UpdateWebhookInput extends Omit<CreateWebhookInput, 'enabled'> {
  /** Webhook id: `whk_` and digits. */
  readonly id: string
  /** Whether it receives events. Default: unchanged. */
  readonly enabled?: boolean | undefined
  /** Why the service disabled it. Null if it is enabled, or was disabled by its owner. */
  readonly disabledReason?: 'gone' | 'failing' | null | undefined
  /** When a delivery last succeeded, to the minute. Null if none did. */
  readonly lastDeliveredAt?: string | null | undefined
  /** When the first attempt failed since the last success. Null if none did. */
  readonly failingSince?: string | null | undefined
  /** Until when the previous secret signs too. Null if the secret was never rotated. */
  readonly previousSecretExpiresAt?: string | null | undefined
  /** When the webhook was created. */
  readonly createdAt?: string | undefined
  /** When the webhook was last changed. */
  readonly updatedAt?: string | undefined
}

export interface PatchWebhookInput {
  /** Webhook id: `whk_` and digits. */
  readonly id: string
  /** URL that receives the events: https, at a public address. Admins may also use `mailto:`, with or without addresses. */
  readonly url?: string | undefined
  /** Event types, groups such as `shipment.*`, or `*` for all. */
  readonly events?: readonly string[] | undefined
  readonly description?: string | null | undefined
  /** Whether it receives events. Disabling fails its pending deliveries. */
  readonly enabled?: boolean | undefined
  /** Whether it receives the events of all users. Only admins may set it. */
  readonly allUsers?: boolean | undefined
}

export type DeleteWebhookInput = WebhookInput

export type RotateWebhookSecretInput = WebhookInput

export type TestWebhookInput = WebhookInput

/** The delivery of one event to one webhook. */
export interface Delivery {
  /** Delivery id: `dlv_` and digits. */
  id: string
  /** Id of the webhook. */
  webhookId: string
  /** Id of the event. */
  eventId: string
  /** Type of the event. */
  eventType: string
  /** Status. */
  status: 'pending' | 'delivered' | 'failed'
  /** The last 20 attempts, the latest last. */
  attempts: DeliveryAttempt[]
  /** When the next attempt is due. Null unless it is pending. */
  nextAttemptAt: string | null
  /** When the delivery was created. */
  createdAt: string
  /** When the delivery was last changed. */
  updatedAt: string
}

/** One request to the receiver, without its response body. */
export interface DeliveryAttempt {
  /** When the request was sent. */
  at: string
  /** Duration of the request in milliseconds. */
  durationMs: number
  /** HTTP status of the response. Null without a response. */
  status: number | null
  /** Why there was no response: `blocked`, `dns`, `connect`, `tls`, `timeout`, `reset`, `invalid_response`, `secret`, or `unknown`. Null if there was one. */
  error: string | null
}

export interface RecoverWebhookInput {
  /** Webhook id: `whk_` and digits. */
  readonly id: string
  /** Only deliveries that were created at this time or later. */
  readonly since: string
}

/** How many failed deliveries of a webhook are pending again. */
export interface WebhookRecovery {
  /** Webhook id: `whk_` and digits. */
  id: string
  /** Number of deliveries that are pending again. */
  recovered: number
}

export interface DeliveriesInput extends PageInput {
  /** Webhook id: `whk_` and digits. */
  readonly webhookId: string
  /** Only deliveries with this status. */
  readonly status?: 'pending' | 'delivered' | 'failed' | undefined
  /** Only deliveries of this event. */
  readonly eventId?: string | undefined
}

export interface DeliveryInput {
  /** Webhook id: `whk_` and digits. */
  readonly webhookId: string
  /** Delivery id: `dlv_` and digits. */
  readonly deliveryId: string
}

export type RedeliverInput = DeliveryInput

export interface EventsInput extends PageInput {
  /** Only this event type, or a group such as `shipment.*`. */
  readonly type?: string | undefined
  /** Only events about the record or request with this id. */
  readonly resourceId?: string | undefined
  /** Only events of this user. */
  readonly userId?: string | undefined
}

/** Something that happened. */
export interface Event {
  /** Event id: `evt_` and digits. */
  id: string
  /** Event type, such as `shipment.created`. */
  type: string
  /** The user that it belongs to. Null if it belongs to none. */
  userId: string | null
  /** Id of the record or request that it is about. */
  resourceId: string
  /** When it happened. */
  createdAt: string
  /** The record as it was after the event, in snake_case, as webhooks receive it. */
  data: Record<string, unknown>
}

export interface EventInput {
  /** Event id. */
  readonly id: string
}

export interface EventStreamInput extends Pick<EventsInput, 'type' | 'resourceId' | 'userId'> {
  /** Starts after this event. Default: only events from now on. */
  readonly after?: string | undefined
}
