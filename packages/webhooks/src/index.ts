/** The feature of webhooks, for `createFairlead`. */
export { webhookOperations, webhooks } from './webhooks.ts'
export type { WebhooksOptions } from './webhooks.ts'
export type { WebhookLimits } from './webhook-limits.ts'
export type { WebhooksMethods } from './methods.ts'
export type { WebhookServices } from './services.ts'
export { webhookLimits } from './webhook-limits.ts'
