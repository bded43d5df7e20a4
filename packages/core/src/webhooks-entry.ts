/** Receiving webhooks. Imports only `node:crypto`, so that a receiver can bundle it. */
export { verifyWebhook, WebhookVerificationError } from './webhooks/deliveries/verify-webhook.ts'
export { createWebhookSecret, signWebhook } from './webhooks/deliveries/signature.ts'
export type { AnyWebhookEvent, VerifyWebhookOptions, WebhookHeaders } from './webhooks/deliveries/verify-webhook.ts'
export type { WebhookSigningInput } from './webhooks/deliveries/signature.ts'
export type {
  ApiKeySnapshot,
  CompletedCall,
  FailedCall,
  QuotaStatus,
  ShipmentSnapshot,
  ShipmentStatusChange,
  TruncatedData,
  UserSnapshot,
  WebhookEvent,
  WebhookSnapshot,
} from './webhooks/webhook-event.ts'
