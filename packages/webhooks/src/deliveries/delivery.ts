import * as z from 'zod'
import { instant, smallCount, toInstant, namedObject, namedEnum } from '@fairlead/core/feature'
import type { DeliveryRow, DeliveryStatus } from '../webhook-store.ts'

export const deliveryStatus = namedEnum<DeliveryStatus>('DeliveryStatus', 'Status of a delivery.', {
  pending: 'Not delivered yet; another attempt follows.',
  delivered: 'The receiver responded with 2xx.',
  failed: 'All attempts failed, or the webhook may no longer receive the event.',
}).describe('Status.')

const deliveryAttempt = namedObject('DeliveryAttempt', 'One request to the receiver, without its response body.', {
  at: instant.describe('When the request was sent.'),
  durationMs: smallCount.describe('Duration of the request in milliseconds.'),
  status: smallCount.nullable().describe('HTTP status of the response. Null without a response.'),
  error: z
    .string()
    .nullable()
    .describe(
      'Why there was no response: `blocked`, `dns`, `connect`, `tls`, `timeout`, `reset`, `invalid_response`, `secret`, or `unknown`. Null if there was one.',
    ),
})

export const deliveryRecord = namedObject('Delivery', 'The delivery of one event to one webhook.', {
  id: z.string().describe('Delivery id: `dlv_` and digits.'),
  webhookId: z.string().describe('Id of the webhook.'),
  eventId: z.string().describe('Id of the event.'),
  eventType: z.string().describe('Type of the event.'),
  status: deliveryStatus,
  attempts: z.array(deliveryAttempt).describe('The last 20 attempts, the latest last.'),
  nextAttemptAt: instant.nullable().describe('When the next attempt is due. Null unless it is pending.'),
  createdAt: instant.describe('When the delivery was created.'),
  updatedAt: instant.describe('When the delivery was last changed.'),
})

export function toDeliveryRecord({ tries: _tries, ...delivery }: DeliveryRow): z.output<typeof deliveryRecord> {
  return {
    ...delivery,
    attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: toInstant(attempt.at) })),
    nextAttemptAt: toInstant(delivery.nextAttemptAt),
    createdAt: toInstant(delivery.createdAt),
    updatedAt: toInstant(delivery.updatedAt),
  }
}
