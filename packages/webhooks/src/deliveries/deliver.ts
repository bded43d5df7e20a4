import type { AuditEntryRow, DeliveryObserver, FeatureContext } from '@fairlead/core'
import { auditEntry, createEvent, type Outbound } from '@fairlead/core/feature'
import type { EventRow } from '@fairlead/core/stores'
import type { NewId } from '@fairlead/core/adapter'
import { changeInBatches, failPending } from './delivery-batches.ts'
import {
  afterAttempt,
  type AttemptResult,
  countFailure,
  healthAfterSuccess,
  isSuccess,
  readRetryAfter,
  reasonToDisable,
} from './delivery-rules.ts'
import { isMailUrl, type SendMail } from './mail.ts'
import { toWebhookSnapshot, webhookEvents } from '../events.ts'
import { toWebhookRecord } from '../webhook.ts'
import type {
  ClaimedDelivery,
  DeliveryRow,
  DeliveryAttemptRow,
  DisabledReason,
  WebhookRow,
  WebhooksTransaction,
  WebhookStores,
} from '../webhook-store.ts'

export interface DeliveryContext extends Pick<FeatureContext<WebhookStores>, 'stores' | 'clock' | 'log'> {
  readonly newId: NewId
  /** Returns a number from 0 to 1, for the jitter of retries. */
  readonly random: () => number
  readonly outbound: Pick<Outbound, 'request'>
  readonly sendMail: SendMail
  /** Signs the body of a delivery. Returns the value of `webhook-signature`. Throws `UnreadableSecret`. */
  sign(webhook: WebhookRow, message: { readonly id: string; readonly timestamp: number; readonly body: string }): string
  addEvents(tx: WebhooksTransaction, events: readonly EventRow[]): Promise<unknown>
  addAuditEntries(tx: WebhooksTransaction, entries: readonly AuditEntryRow[]): Promise<void>
  readonly observer: DeliveryObserver
}

/** How long a receiver may take to respond, in milliseconds. */
export const attemptTimeoutMs = 15_000

/** A response is read only so that its connection can be used again. */
const maxResponseBytes = 65_536

/** Sends an event once. Never rejects. */
export async function attemptDelivery(
  context: DeliveryContext,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { clock } = context
  const at = clock.now()
  try {
    const { event, webhook } = claimed
    const { status, retryAfterMs } = isMailUrl(webhook.url)
      ? { status: await context.sendMail(webhook.url, event, signal) }
      : await post(context, claimed, signal)
    return { attempt: { at, durationMs: clock.now() - at, status, error: null }, retryAfterMs }
  } catch (error) {
    const kind = failureKind(error)
    if (kind === 'unknown' && !signal.aborted) {
      const { delivery, webhook } = claimed
      context.log.warn(
        { deliveryId: delivery.id, webhookId: webhook.id, error },
        'webhook delivery failed unexpectedly',
      )
    }
    return { attempt: { at, durationMs: clock.now() - at, status: null, error: kind } }
  }
}

interface Response {
  readonly status: number
  readonly retryAfterMs?: number | undefined
}

async function post(
  { clock, outbound, sign }: DeliveryContext,
  { event, webhook }: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Response> {
  const timestamp = Math.floor(clock.now() / 1000)
  const body = JSON.stringify({
    type: event.type,
    timestamp: new Date(event.createdAt).toISOString(),
    data: event.data,
  })
  const { status, headers } = await outbound.request(webhook.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Fairlead-Webhooks/1',
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(webhook, { id: event.id, timestamp, body }),
    },
    body,
    timeoutMs: attemptTimeoutMs,
    maxResponseBytes,
    signal,
  })
  return { status, retryAfterMs: readRetryAfter(status, headers['retry-after'], clock.now()) }
}

function failureKind(error: unknown): string {
  return error instanceof Error && 'kind' in error && typeof error.kind === 'string' ? error.kind : 'unknown'
}

/** Stores the result of an attempt, and disables the webhook if it must be. */
export async function settleDelivery(
  context: DeliveryContext,
  claimed: ClaimedDelivery,
  result: AttemptResult,
): Promise<number | null> {
  const { stores, log, observer, random } = context
  const { delivery, webhook } = claimed
  const delivered = isSuccess(result.attempt)
  const after = afterAttempt(delivery, result, random)
  const reason = await stores.transact(
    async (tx) => {
      // The webhook is locked before its deliveries, as when its owner disables it.
      if (!delivered) return noteFailure(context, tx, claimed, { after, failed: result.attempt })
      const health = healthAfterSuccess(webhook, result.attempt.at)
      if (health) await tx.webhooks.setHealth(webhook.id, health)
      await tx.deliveries.replace(after)
      return undefined
    },
    { durable: false },
  )
  observer.deliveryAttempted?.(
    delivered ? 'delivered' : after.status === 'failed' ? 'failed' : 'retried',
    result.attempt.durationMs,
  )
  if (!reason) return after.nextAttemptAt
  await changeInBatches(stores, failPending(webhook.id, after.updatedAt))
  observer.webhookDisabled?.(reason)
  log.warn({ webhookId: webhook.id, reason }, 'webhook disabled')
  return null
}

/** Ends the lease of a delivery without an attempt, so that another worker claims it. */
export async function releaseDelivery(
  { stores, clock }: Pick<DeliveryContext, 'stores' | 'clock'>,
  { delivery }: ClaimedDelivery,
): Promise<void> {
  const released = { ...delivery, nextAttemptAt: clock.now() }
  await stores.transact((tx) => tx.deliveries.replace(released, delivery.nextAttemptAt ?? undefined), {
    durable: false,
  })
}

/** Fails a delivery without an attempt. It can be recovered once its webhook may receive the event again. */
export async function failDelivery(
  { stores, clock }: Pick<DeliveryContext, 'stores' | 'clock'>,
  { delivery }: ClaimedDelivery,
): Promise<void> {
  const failed = { ...delivery, status: 'failed', nextAttemptAt: null, updatedAt: clock.now() } as const
  await stores.transact((tx) => tx.deliveries.replace(failed, delivery.nextAttemptAt ?? undefined), { durable: false })
}

/** Counts the failure. Disables the webhook and returns why if it has failed for too long. */
async function noteFailure(
  { addEvents, addAuditEntries, newId }: DeliveryContext,
  tx: WebhooksTransaction,
  { delivery, webhook: { id } }: ClaimedDelivery,
  { after, failed }: { readonly after: DeliveryRow; readonly failed: DeliveryAttemptRow },
): Promise<DisabledReason | undefined> {
  const webhook = await tx.webhooks.take(id)
  const isRecorded = await tx.deliveries.replace(after, delivery.nextAttemptAt ?? undefined)
  if (!webhook?.enabled || !isRecorded) return undefined
  const failures = countFailure(webhook.failures, failed.at)
  await tx.webhooks.setHealth(id, { lastDeliveredAt: webhook.lastDeliveredAt, failures })
  const reason = reasonToDisable(failed, failures)
  if (!reason) return undefined
  const at = after.updatedAt
  const version = webhook.version + 1
  const disabled = { ...webhook, failures, enabled: false, disabledReason: reason, updatedAt: at, version }
  await tx.webhooks.replace(disabled)
  const facts = { id: newId('evt'), userId: webhook.userId, createdAt: at }
  await addEvents(tx, [createEvent(webhookEvents.disabled, toWebhookSnapshot(disabled), facts)])
  const [before, shown] = [toWebhookRecord(webhook), toWebhookRecord(disabled)]
  const by = { actor: 'service', credential: null }
  const change = { target: { type: 'webhook', id }, owner: webhook.userId ?? undefined, by, before, after: shown }
  const caller = { kind: 'embedded', role: 'admin' } as const
  const call = { newId, operation: { name: 'disableWebhook' }, caller, requestId: null, options: {} }
  await addAuditEntries(tx, [auditEntry(call, change, at)])
  return reason
}
