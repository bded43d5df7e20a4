import type { OperationRun } from '@fairlead/core'
import type { WebhookServices } from '../services.ts'
import type { WebhooksTransaction, WebhookStores } from '../webhook-store.ts'

/** Maximum number of deliveries that one transaction changes: other transactions wait for it. */
export const batchSize = 500

/** Changes at most `batchSize` deliveries of a webhook. Returns how many. */
type ChangeBatch = (tx: WebhooksTransaction) => Promise<number>

/** Changes deliveries in one transaction after another, until a batch is not full. */
export async function changeInBatches(
  stores: WebhookStores,
  change: ChangeBatch,
  maxBatches = Infinity,
): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch++) {
    if ((await stores.transact(change, { durable: false })) < batchSize) return
  }
}

/** Changes the first batch in the transaction of the call, and the others after its commit. */
async function changeAll(
  tx: WebhooksTransaction,
  call: OperationRun,
  change: ChangeBatch,
  maxBatches = Infinity,
): Promise<void> {
  if ((await change(tx)) < batchSize) return
  call.afterCommit(({ stores }: WebhookServices) => changeInBatches(stores, change, maxBatches - 1))
}

/** Fails the pending deliveries of a disabled webhook. */
export function failPending(webhookId: string, at: number): ChangeBatch {
  return async (tx) => {
    // Its owner may have enabled it between two batches.
    if ((await tx.webhooks.take(webhookId))?.enabled !== false) return 0
    return tx.deliveries.failPending(webhookId, at, batchSize)
  }
}

export function failAllPending(tx: WebhooksTransaction, call: OperationRun, webhookId: string): Promise<void> {
  return changeAll(tx, call, failPending(webhookId, call.at))
}

export function removeDeliveries(tx: WebhooksTransaction, call: OperationRun, webhookId: string): Promise<void> {
  return changeAll(tx, call, (batch) => batch.deliveries.removeOf(webhookId, batchSize))
}

/** Makes the failed deliveries of a webhook due that were created at `since` or later. Returns how many. */
export async function recoverDeliveries(
  tx: WebhooksTransaction,
  call: OperationRun,
  webhookId: string,
  since: number,
): Promise<number> {
  const failed = await tx.deliveries.countFailed(webhookId, since)
  const recover: ChangeBatch = async (batch) => {
    // Its owner may have disabled it between two batches.
    if (!(await batch.webhooks.take(webhookId))?.enabled) return 0
    return batch.deliveries.recover(webhookId, { since, at: call.at, limit: batchSize })
  }
  // A recovered delivery may fail again meanwhile.
  await changeAll(tx, call, recover, Math.ceil(failed / batchSize))
  return failed
}
