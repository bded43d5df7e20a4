import { operationsFor } from '../runtime/feature.ts'
import type { Services } from '../runtime/run/operation-run.ts'
import type { Log } from '../runtime/log.ts'
import type { EventType } from '../runtime/events/event-type.ts'
import type { Outbound } from '../runtime/outbound/outbound.ts'
import type { Mailer } from '../runtime/mail.ts'
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
