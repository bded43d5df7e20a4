import type { NewId } from '@fairlead/core/adapter'
import type { DeliveryRow, WebhookRow } from '@fairlead/webhooks/stores'

const createdAt = Date.UTC(2026, 2, 14, 12)

/** A webhook with plausible facts. */
export function someWebhook(newId: NewId, facts: Partial<WebhookRow> = {}): WebhookRow {
  return {
    id: newId('whk'),
    userId: newId('usr'),
    url: 'https://example.com/events',
    events: ['shipment.*'],
    allUsers: false,
    description: null,
    enabled: true,
    disabledReason: null,
    lastDeliveredAt: null,
    failures: null,
    secret: 'encrypted',
    previousSecret: null,
    previousSecretUntil: null,
    createdAt,
    updatedAt: createdAt,
    version: 1,
    ...facts,
  }
}

/** A delivery that is due when it is created. */
export function someDelivery(newId: NewId, facts: Partial<DeliveryRow> = {}): DeliveryRow {
  return {
    id: newId('dlv'),
    webhookId: newId('whk'),
    eventId: newId('evt'),
    eventType: 'shipment.created',
    status: 'pending',
    attempts: [],
    tries: 0,
    nextAttemptAt: facts.createdAt ?? createdAt,
    createdAt,
    updatedAt: createdAt,
    ...facts,
  }
}
