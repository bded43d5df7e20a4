/** Receiving webhooks. Imports only `node:crypto`, so that a receiver can bundle it. */
export { verifyWebhook, WebhookVerificationError } from './deliveries/verify-webhook.ts'
export { createWebhookSecret, signWebhook } from './deliveries/signature.ts'
export type { AnyWebhookEvent, VerifyWebhookOptions, WebhookHeaders } from './deliveries/verify-webhook.ts'
export type { WebhookSigningInput } from './deliveries/signature.ts'
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
} from './webhook-event.ts'
