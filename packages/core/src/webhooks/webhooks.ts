import { defineFeature, type Feature, type FeatureContext } from '../runtime/feature.ts'
import { createIds } from '../runtime/id.ts'
import { createEventSink } from './event-sink.ts'
import { webhookEvents } from './events.ts'
import type { WebhookStores, WebhooksTransaction } from './webhook-store.ts'

/** Adds events, and webhooks that receive them. */
export function webhooks(): Feature<Record<never, never>> {
  return defineFeature({
    name: 'webhooks',
    operations: {},
    events: Object.values(webhookEvents),
    removeUserData: (tx: WebhooksTransaction, _call, userId) => tx.webhooks.removeAllOf(userId),
    setUp({ stores, clock, eventTypes }: FeatureContext<WebhookStores>) {
      const eventSink = createEventSink({ stores, clock, newId: createIds(clock.now), eventTypes })
      return { eventSink }
    },
  })
}
