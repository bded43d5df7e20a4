import { isFuture } from '@fairlead/core/stores'
import { isMailUrl } from './mail.ts'
import type {
  ClaimedDelivery,
  DeliveryRow,
  DeliveryAttemptRow,
  DisabledReason,
  Failures,
  WebhookHealth,
} from '../webhook-store.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How long to wait after each failed attempt (Standard Webhooks, "Deliverability and reliability"). */
const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]
/** Each delay is up to this much longer, so that the deliveries of an outage are not all retried at once. */
const jitter = 0.1
const maxRetryAfterMs = dayMs
/** The longest wait between two attempts, in milliseconds. */
export const maxWaitMs = dayMs * (1 + jitter)
const maxAttempts = 20

/** Whether a webhook may still receive an event: it may be disabled, or its owner suspended or no admin, since. */
export function mayReceive({ event, webhook, owner }: ClaimedDelivery): boolean {
  if (!webhook.enabled || (isMailUrl(webhook.url) && owner && owner.role !== 'admin')) return false
  const isOwn = event.userId === webhook.userId
  if (webhook.userId === null) return isOwn || webhook.allUsers
  return owner?.status === 'active' && (isOwn || (webhook.allUsers && owner.role === 'admin'))
}

/** The response to an attempt. */
export interface AttemptResult {
  readonly attempt: DeliveryAttemptRow
  /** How long the receiver asked to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

export function isSuccess({ status }: DeliveryAttemptRow): boolean {
  return status !== null && status >= 200 && status < 300
}

/**
 * The delivery after an attempt: delivered, failed, or pending until the next attempt.
 *
 * @param random returns a number from 0 to 1
 */
export function afterAttempt(
  delivery: DeliveryRow,
  { attempt, retryAfterMs = 0 }: AttemptResult,
  random: () => number,
): DeliveryRow {
  const updatedAt = attempt.at + attempt.durationMs
  const attempts = [...delivery.attempts, attempt].slice(-maxAttempts)
  const after = { ...delivery, attempts, tries: delivery.tries + 1, updatedAt }
  if (isSuccess(attempt)) return { ...after, status: 'delivered', nextAttemptAt: null }
  const delayMs = retryDelaysMs[delivery.tries]
  if (delayMs === undefined) return { ...after, status: 'failed', nextAttemptAt: null }
  const waitMs = Math.max(delayMs, Math.min(retryAfterMs, maxRetryAfterMs)) * (1 + jitter * random())
  return { ...after, nextAttemptAt: Math.round(updatedAt + waitMs) }
}

/** How often the last success of a webhook is stored at most: not with each of many deliveries. */
const noteSuccessEveryMs = minuteMs

/** The health of a webhook after a delivery succeeded; undefined if it is up to date. */
export function healthAfterSuccess(
  { lastDeliveredAt, failures }: WebhookHealth,
  at: number,
): WebhookHealth | undefined {
  const isRecent =
    lastDeliveredAt !== null && at - lastDeliveredAt < noteSuccessEveryMs && !isFuture(lastDeliveredAt, at)
  return isRecent && failures === null ? undefined : { lastDeliveredAt: at, failures: null }
}

/** Failures closer together than this count as one. */
const failureSpacingMs = 12 * hourMs
/** An endpoint that fails for this long is disabled. */
const minFailingMs = 5 * dayMs
/** An endpoint that is rarely used is not disabled after its first failures. */
const minFailures = 3

export function countFailure(failures: Failures | null, at: number): Failures {
  if (!failures || isFuture(failures.lastCountedAt, at)) return { since: at, count: 1, lastCountedAt: at }
  if (at - failures.lastCountedAt < failureSpacingMs) return failures
  return { ...failures, count: failures.count + 1, lastCountedAt: at }
}

/** Why an endpoint must be disabled after a failed attempt; undefined if it stays enabled. */
export function reasonToDisable({ status, at }: DeliveryAttemptRow, failures: Failures): DisabledReason | undefined {
  if (status === 410) return 'gone'
  return at - failures.since >= minFailingMs && failures.count >= minFailures ? 'failing' : undefined
}

/** Reads `Retry-After` (RFC 9110, 10.2.3), which only 429 and 503 may have here. Undefined if it is missing or malformed. */
export function readRetryAfter(status: number, header: string | undefined, now: number): number | undefined {
  if ((status !== 429 && status !== 503) || header === undefined) return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * secondMs : Date.parse(header) - now
  return ms > 0 ? ms : undefined
}
