import type * as z from 'zod'
import { defineEvent } from '@fairlead/core'
import { recordVersion } from '@fairlead/core/feature'
import { toWebhookRecord, webhookRecord } from './webhook.ts'
import type { WebhookRow } from './webhook-store.ts'

const webhookSnapshot = webhookRecord
  .extend({ version: recordVersion })
  .meta({ id: 'WebhookSnapshot', description: 'A webhook as it was after a change, without its secret.' })

const example: z.output<typeof webhookSnapshot> = {
  id: 'whk_2144006262568942337108473209784351112',
  url: 'https://example.com/webhooks/fairlead',
  events: ['shipment.*'],
  allUsers: false,
  description: 'Order tracking',
  enabled: true,
  disabledReason: null,
  lastDeliveredAt: '2026-03-14T09:31:07.214Z',
  failingSince: null,
  previousSecretExpiresAt: null,
  createdAt: '2026-03-14T09:26:53.589Z',
  updatedAt: '2026-03-14T09:26:53.589Z',
  version: 1,
}

const shared = { scope: 'webhooks', version: 1, data: webhookSnapshot } as const

export const webhookEvents = {
  disabled: defineEvent({
    ...shared,
    type: 'webhook.disabled',
    summary: 'The service disabled a webhook, because it responded with 410 or failed for five days.',
    example: {
      ...example,
      enabled: false,
      disabledReason: 'failing',
      failingSince: '2026-03-15T10:47:52.618Z',
      updatedAt: '2026-03-20T11:02:13.104Z',
      version: 2,
    },
  }),
  test: defineEvent({
    ...shared,
    type: 'webhook.test',
    summary: 'A test that the owner of the webhook requested. Sent only to this webhook.',
    example,
  }),
} as const

export function toWebhookSnapshot(webhook: WebhookRow): z.output<typeof webhookSnapshot> {
  return { ...toWebhookRecord(webhook), version: webhook.version }
}
