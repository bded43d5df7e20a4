import * as z from 'zod'

/** Bounds of what webhooks and events may take up. */
export interface WebhookLimits {
  /** Maximum number of pending deliveries of one webhook. The oldest beyond it fail. Default: 10,000. */
  readonly maxPending?: number | undefined
  /** Maximum number of deliveries of one webhook that have succeeded. The oldest beyond it are removed hourly. Default: 1,000. */
  readonly maxDelivered?: number | undefined
  /** Maximum number of stored events of one user. The oldest beyond it are removed. Default: 100,000. */
  readonly maxEvents?: number | undefined
  /** Maximum number of requests in flight to one host, from each process. Default: 32. */
  readonly maxPerHost?: number | undefined
  /** Maximum number of requests per second to one host, from each process. Default: 100. */
  readonly hostRequestsPerSecond?: number | undefined
}

/** Fills in the defaults. */
export function limitsFrom({
  maxPending = 10_000,
  maxDelivered = 1_000,
  maxEvents = 100_000,
  maxPerHost = 32,
  hostRequestsPerSecond = 100,
}: WebhookLimits = {}) {
  return { maxPending, maxDelivered, maxEvents, maxPerHost, hostRequestsPerSecond }
}

/** All limits, with their defaults. */
export type EffectiveLimits = Readonly<ReturnType<typeof limitsFrom>>

export const webhookLimits = z.strictObject({
  maxPending: z.int().min(1).max(10_000_000).optional(),
  maxDelivered: z.int().min(1).max(10_000_000).optional(),
  maxEvents: z.int().min(1).max(100_000_000).optional(),
  maxPerHost: z.int().min(1).max(256).optional(),
  hostRequestsPerSecond: z.int().min(1).max(100_000).optional(),
}) satisfies z.ZodType<WebhookLimits>
