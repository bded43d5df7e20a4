import * as z from 'zod'
import { type OperationRun, FairleadError } from '@fairlead/core'
import { createEvent, dateTime, namedObject } from '@fairlead/core/feature'
import { recoverDeliveries } from './delivery-batches.ts'
import { deliveryRecord, deliveryStatus, toDeliveryRecord } from './delivery.ts'
import { pendingDelivery } from '../events/event-sink.ts'
import { toWebhookSnapshot, webhookEvents } from '../events.ts'
import { findDeliveries } from '../loaders.ts'
import { ofWebhooks, ownWebhook, webhookFacts } from '../webhook.ts'
import type { DeliveryRow, WebhookRow, WebhooksTransaction, WebhooksView } from '../webhook-store.ts'
import { list, read, write, type WebhookServices } from '../services.ts'

const deliveryPath = {
  webhookId: webhookFacts.id,
  deliveryId: z.string().describe('Delivery id: `dlv_` and digits.'),
}

export const listDeliveries = list({
  name: 'deliveries',
  summary: 'Lists the deliveries to a webhook, with their attempts.',
  ...ofWebhooks,
  rest: { method: 'GET', path: '/webhooks/{webhook_id}/deliveries' },
  graphql: { query: 'deliveries' },
  filters: {
    webhookId: deliveryPath.webhookId,
    status: deliveryStatus.optional().describe('Only deliveries with this status.'),
    eventId: z.string().optional().describe('Only deliveries of this event.'),
  },
  record: deliveryRecord,
  errors: ['NOT_FOUND'],
  find: ({ stores }, { caller }, filters, slice) =>
    stores.read(async (view) => {
      ownWebhook(caller, await view.webhooks.find(filters.webhookId))
      return view.deliveries.list(filters, slice)
    }),
  show: toDeliveryRecord,
})

export const getDelivery = read({
  name: 'delivery',
  summary: 'Returns a delivery, with its attempts.',
  ...ofWebhooks,
  rest: { method: 'GET', path: '/webhooks/{webhook_id}/deliveries/{delivery_id}' },
  graphql: { query: 'delivery', node: { prefix: 'dlv', loader: findDeliveries } },
  input: z.strictObject(deliveryPath),
  output: deliveryRecord,
  errors: ['NOT_FOUND'],
  run: ({ stores }, call, { webhookId, deliveryId }) =>
    stores.read(async (view) => {
      const webhook = ownWebhook(call.caller, await view.webhooks.find(webhookId))
      return toDeliveryRecord(await deliveryTo(webhook, view, deliveryId))
    }),
})

/** Finds a delivery to a webhook. Throws `NOT_FOUND` if it does not exist, or goes to another webhook. */
async function deliveryTo({ id }: WebhookRow, { deliveries }: WebhooksView, deliveryId: string): Promise<DeliveryRow> {
  const delivery = await deliveries.find(deliveryId)
  if (delivery?.webhookId !== id) throw new FairleadError('NOT_FOUND', 'Delivery not found.')
  return delivery
}

export const testWebhook = write({
  name: 'testWebhook',
  summary: 'Sends an event `webhook.test` to a webhook, whatever its event types are. Returns the delivery.',
  ...ofWebhooks,
  rest: { method: 'POST', path: '/webhooks/{id}/test' },
  graphql: { mutation: 'testWebhook' },
  input: z.strictObject({ id: webhookFacts.id }),
  output: deliveryRecord,
  errors: ['NOT_FOUND', 'CONFLICT'],
  async apply(tx, call, { id }) {
    const webhook = await takeEnabled(tx, call, id)
    const facts = { id: call.newId('evt'), userId: webhook.userId, createdAt: call.at }
    const event = createEvent(webhookEvents.test, toWebhookSnapshot(webhook), facts)
    const delivery = pendingDelivery(call.newId('dlv'), id, event)
    await tx.events.add([event])
    await tx.deliveries.add([delivery])
    call.afterCommit(({ eventSink }: WebhookServices) => eventSink.noteStored([event]))
    wakeWorker(call)
    return toDeliveryRecord(delivery)
  },
})

export const redeliver = write({
  name: 'redeliver',
  summary: 'Delivers an event to a webhook again, now, whatever the status of the delivery is.',
  ...ofWebhooks,
  rest: { method: 'POST', path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver' },
  graphql: { mutation: 'redeliver' },
  input: z.strictObject(deliveryPath),
  output: deliveryRecord,
  errors: ['NOT_FOUND', 'CONFLICT'],
  async apply(tx, call, { webhookId, deliveryId }) {
    const webhook = await takeEnabled(tx, call, webhookId)
    const before = await deliveryTo(webhook, tx, deliveryId)
    const delivery: DeliveryRow = { ...before, status: 'pending', tries: 0, nextAttemptAt: call.at, updatedAt: call.at }
    await tx.deliveries.replace(delivery)
    wakeWorker(call)
    return toDeliveryRecord(delivery)
  },
})

export const recoverWebhook = write({
  name: 'recoverWebhook',
  summary: 'Delivers all events again whose deliveries to a webhook failed since a time.',
  ...ofWebhooks,
  rest: { method: 'POST', path: '/webhooks/{id}/recover' },
  graphql: { mutation: 'recoverWebhook' },
  input: z.strictObject({
    id: webhookFacts.id,
    since: dateTime.describe('Only deliveries that were created at this time or later.'),
  }),
  output: namedObject('WebhookRecovery', 'How many failed deliveries of a webhook are pending again.', {
    id: webhookFacts.id,
    recovered: z.int().min(0).describe('Number of deliveries that are pending again.'),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  async apply(tx, call, { id, since }) {
    await takeEnabled(tx, call, id)
    const recovered = await recoverDeliveries(tx, call, id, Date.parse(since))
    if (recovered > 0) wakeWorker(call)
    return { id, recovered }
  },
})

/** Finds and locks a webhook of the caller. Throws `NOT_FOUND`, or `CONFLICT` if it is disabled. */
async function takeEnabled(tx: WebhooksTransaction, call: OperationRun, id: string): Promise<WebhookRow> {
  const webhook = ownWebhook(call.caller, await tx.webhooks.take(id))
  if (!webhook.enabled) throw new FairleadError('CONFLICT', 'The webhook is disabled. Enable it first.')
  return webhook
}

function wakeWorker(call: OperationRun): void {
  call.afterCommit(({ eventSink }: WebhookServices) => eventSink.committed())
}
