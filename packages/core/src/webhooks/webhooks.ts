import { defineFeature, type Feature, type FeatureContext } from '../runtime/feature.ts'
import { createIds } from '../runtime/id.ts'
import { keyringCipher } from '../runtime/keyring.ts'
import { createOutbound, type Outbound } from '../runtime/outbound/outbound.ts'
import { getDelivery, listDeliveries, recoverWebhook, redeliver, testWebhook } from './delivery-operations.ts'
import { createEventSink } from './event-sink.ts'
import { webhookEvents } from './events.ts'
import type { WebhooksMethods } from './methods.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  patchWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from './webhook-operations.ts'
import { createWebhookSecrets } from './webhook-secrets.ts'
import type { WebhooksTransaction, WebhookStores } from './webhook-store.ts'

export interface WebhooksOptions {
  /**
   * Private networks that webhooks may point to, also over http: IP addresses, CIDRs, and host names. Link-local and
   * metadata addresses only if they are listed exactly. Default: none, so that webhooks need a public address.
   */
  readonly allowNetworks?: readonly string[] | undefined
  /** Checks and requests the URLs of webhooks. Default: `createOutbound`, with `allowNetworks`. */
  readonly outbound?: Outbound | undefined
}

const webhookOperations = {
  webhooks: {
    list: listWebhooks,
    create: createWebhook,
    get: getWebhook,
    update: updateWebhook,
    patch: patchWebhook,
    delete: deleteWebhook,
    rotateSecret: rotateWebhookSecret,
    test: testWebhook,
    recover: recoverWebhook,
  },
  deliveries: { list: listDeliveries, get: getDelivery, redeliver },
} as const

/** Adds events, and webhooks that receive them. A webhook belongs to the user that created it. */
export function webhooks(options: WebhooksOptions = {}): Feature<typeof webhookOperations, WebhooksMethods> {
  return defineFeature({
    name: 'webhooks',
    operations: webhookOperations,
    events: Object.values(webhookEvents),
    removeUserData: (tx: WebhooksTransaction, _call, userId) => tx.webhooks.removeAllOf(userId),
    sections: [
      { name: 'Webhooks', description: 'Endpoints that receive events, and their deliveries.', segments: ['webhooks'] },
    ],
    setUp({ stores, clock, keyring, eventTypes }: FeatureContext<WebhookStores>) {
      const eventSink = createEventSink({ stores, clock, newId: createIds(clock.now), eventTypes })
      const { allowNetworks, outbound = createOutbound({ allowNetworks, setting: networksSetting, clock }) } = options
      const webhookSecrets = createWebhookSecrets(keyringCipher(keyring))
      return { eventSink, services: { eventSink, eventTypes, outbound, webhookSecrets } }
    },
  })
}

const networksSetting = 'FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS'
