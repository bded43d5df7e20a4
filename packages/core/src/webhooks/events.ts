import { z } from 'zod'
import { defineEvent } from '../runtime/event-type.ts'
import { instant, recordVersion } from '../runtime/field-schemas.ts'
import type { Webhook } from './webhook-store.ts'

const webhookSnapshot = z
  .object({
    id: z.string().describe('Webhook id: `whk_` and digits.'),
    url: z.string().describe('Address that receives the events.'),
    events: z.array(z.string()).describe('Event types, or patterns such as `shipment.*` and `*`.'),
    allUsers: z.boolean().describe('Whether it receives the events of all users.'),
    description: z.string().nullable().describe('Description.'),
    enabled: z.boolean().describe('Whether events are delivered.'),
    disabledReason: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe('Why the service disabled it: `gone` after status 410, `failing` after five days of failures.'),
    createdAt: instant.describe('When the webhook was created.'),
    updatedAt: instant.describe('When the webhook was last changed.'),
    version: recordVersion,
  })
  .meta({ id: 'WebhookSnapshot', description: 'A webhook as it was after a change, without its secret.' })

const example: z.output<typeof webhookSnapshot> = {
  id: 'whk_2144006262568942337108473209784351112',
  url: 'https://example.com/webhooks/fairlead',
  events: ['shipment.*'],
  allUsers: false,
  description: 'Order tracking',
  enabled: true,
  disabledReason: null,
  createdAt: '2026-03-14T09:26:53.589Z',
  updatedAt: '2026-03-14T09:26:53.589Z',
  version: 1,
}

export const webhookEvents = {
  disabled: defineEvent({
    type: 'webhook.disabled',
    summary: 'The service disabled a webhook, because it responded with 410 or failed for five days.',
    version: 1,
    data: webhookSnapshot,
    example: {
      ...example,
      enabled: false,
      disabledReason: 'failing',
      updatedAt: '2026-03-20T11:02:13.104Z',
      version: 2,
    },
  }),
  test: defineEvent({
    type: 'webhook.test',
    summary: 'A test that the owner of the webhook requested. Sent only to this webhook.',
    version: 1,
    data: webhookSnapshot,
    example,
  }),
} as const

/** The data of a webhook's events. */
export function toWebhookSnapshot(webhook: Webhook): z.output<typeof webhookSnapshot> {
  const { id, url, events, allUsers, description, enabled, disabledReason, createdAt, updatedAt, version } = webhook
  return {
    id,
    url,
    events: [...events],
    allUsers,
    description,
    enabled,
    disabledReason,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    version,
  }
}
