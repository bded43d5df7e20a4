import { ownerOf, defineLoader, toFound } from '@fairlead/core/feature'
import { eventRecord, isVisible, toEventRecord } from './events/event.ts'
import { deliveryRecord, toDeliveryRecord } from './deliveries/delivery.ts'
import type { WebhookServices } from './services.ts'
import { toWebhookRecord, webhookRecord } from './webhook.ts'

export const findWebhooks = defineLoader({
  access: { scope: 'webhooks' },
  output: webhookRecord,
  find: ({ stores }: WebhookServices, { caller }, ids) =>
    stores.read(async (view) => {
      const own = (await view.webhooks.findMany(ids)).filter(({ userId }) => userId === ownerOf(caller))
      return toFound(own, toWebhookRecord)
    }),
})

export const findDeliveries = defineLoader({
  access: { scope: 'webhooks' },
  output: deliveryRecord,
  find: ({ stores }: WebhookServices, { caller }, ids) =>
    stores.read(async (view) => {
      const deliveries = await view.deliveries.findMany(ids)
      const webhooks = await view.webhooks.findMany([...new Set(deliveries.map(({ webhookId }) => webhookId))])
      const own = new Set(webhooks.filter(({ userId }) => userId === ownerOf(caller)).map(({ id }) => id))
      return toFound(
        deliveries.filter(({ webhookId }) => own.has(webhookId)),
        toDeliveryRecord,
      )
    }),
})

export const findEvents = defineLoader({
  access: { scope: 'events' },
  output: eventRecord,
  find: ({ stores, eventTypes }: WebhookServices, { caller }, ids) =>
    stores.read(async (view) => {
      const visible = (await view.events.findMany(ids)).filter((event) => isVisible(caller, event, eventTypes))
      return toFound(visible, toEventRecord)
    }),
})
