import { isUnavailable } from '@fairlead/core/feature'
import type { DeliveryContext } from '../deliveries/deliver.ts'
import { batchSize, changeInBatches } from '../deliveries/delivery-batches.ts'

type BoundsContext = Pick<DeliveryContext, 'stores' | 'clock' | 'log' | 'observer'>

/** Removes the oldest events of a user beyond `max`, and fails deliveries that still wait for them. Never rejects. */
export async function removeExcessEvents(
  { stores, clock, log, observer }: BoundsContext,
  userId: string,
  max: number,
): Promise<void> {
  let removed = 0
  try {
    await changeInBatches(stores, async (tx) => {
      const ids = await tx.events.removeExcess(userId, { max, limit: batchSize })
      await tx.deliveries.failOfEvents(ids, clock.now())
      removed += ids.length
      return ids.length
    })
  } catch (error) {
    if (!isUnavailable(error)) log.warn({ userId, error }, 'could not remove the oldest events of a user')
  }
  if (removed === 0) return
  observer.webhookDataDropped?.('events', removed)
  log.warn({ userId, removed, max }, 'a user has too many stored events, removed the oldest')
}

/** Fails the oldest pending deliveries of a webhook beyond `max`. They can be recovered. */
export async function failExcessDeliveries(
  { stores, clock, log, observer }: BoundsContext,
  webhookId: string,
  max: number,
): Promise<void> {
  let failed = 0
  await changeInBatches(stores, async (tx) => {
    // The webhook is locked before its deliveries, as when its owner disables it.
    await tx.webhooks.take(webhookId)
    const count = await tx.deliveries.failExcess(webhookId, { max, limit: batchSize, at: clock.now() })
    failed += count
    return count
  })
  if (failed === 0) return
  observer.webhookDataDropped?.('deliveries', failed)
  log.warn({ webhookId, failed, max }, 'a webhook has too many pending deliveries, failed the oldest')
}
