import { defineFeature, type Feature } from '../runtime/feature.ts'
import { createEventSink } from './event-sink.ts'
import type { WebhooksTransaction } from './webhook-store.ts'

/** Adds events, and webhooks that receive them. */
export function webhooks(): Feature<Record<never, never>> {
  return defineFeature({
    name: 'webhooks',
    operations: {},
    removeUserData: (tx: WebhooksTransaction, _call, userId) => tx.webhooks.removeAllOf(userId),
    setUp: () => ({ eventSink: createEventSink() }),
  })
}
