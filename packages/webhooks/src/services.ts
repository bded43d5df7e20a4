import { type EventType, type Log, type Mailer, operationsFor, type Services } from '@fairlead/core'
import type { Outbound } from '@fairlead/core/feature'
import type { WebhookEventSink } from './events/event-sink.ts'
import type { EventFeed } from './events/event-feed.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'
import type { WebhookStores } from './webhook-store.ts'

export interface WebhookServices extends Services {
  readonly stores: WebhookStores
  /** Every event type that a webhook can subscribe to. */
  readonly eventTypes: readonly EventType[]
  readonly eventSink: WebhookEventSink
  readonly eventFeed: EventFeed
  readonly outbound: Outbound
  /** Undefined: no mail is sent. */
  readonly mailer: Mailer | undefined
  readonly webhookSecrets: WebhookSecrets
  readonly log: Log
}

export const { read, list, write, subscription, defineFeature } = operationsFor<WebhookServices>()
