import * as z from 'zod'
import { type Caller, type OperationRun, FairleadError } from '@fairlead/core'
import { ownerOf, instant, textAtMost, toInstant, namedObject, namedEnum } from '@fairlead/core/feature'
import type { WebhookRow } from './webhook-store.ts'

export const maxWebhooks = 20
/** How long the previous secret signs too after a rotation, in milliseconds. */
export const previousSecretMs = 24 * 3_600_000

/** The common declaration of all operations of webhooks and deliveries. */
export const ofWebhooks = { access: { scope: 'webhooks' }, metered: false } as const

const maxUrlLength = 2_048
const maxPatterns = 50

/** The writable fields. */
export const webhookFields = {
  url: textAtMost(maxUrlLength).describe(
    'URL that receives the events: https, at a public address. Admins may also use `mailto:`, with or without addresses.',
  ),
  events: z
    .array(textAtMost(64))
    .min(1)
    .max(maxPatterns)
    .refine((list) => new Set(list).size === list.length, { error: 'must not contain an event type twice' })
    .meta({ uniqueItems: true })
    .describe('Event types, groups such as `shipment.*`, or `*` for all.'),
  description: textAtMost(256).describe('Description.').nullable().default(null),
  enabled: z.boolean().describe('Whether it receives events.'),
  allUsers: z.boolean().describe('Whether it receives the events of all users. Only admins may set it.').default(false),
}

/** The read-only fields. */
export const webhookFacts = {
  id: z.string().describe('Webhook id: `whk_` and digits.'),
  disabledReason: namedEnum('DisabledReason', 'Why the service disabled a webhook.', {
    gone: 'The receiver responded 410.',
    failing: 'Deliveries failed for five days.',
  })
    .nullable()
    .describe('Why the service disabled it. Null if it is enabled, or was disabled by its owner.'),
  lastDeliveredAt: instant.nullable().describe('When a delivery last succeeded, to the minute. Null if none did.'),
  failingSince: instant.nullable().describe('When the first attempt failed since the last success. Null if none did.'),
  previousSecretExpiresAt: instant
    .nullable()
    .describe('Until when the previous secret signs too. Null if the secret was never rotated.'),
  createdAt: instant.describe('When the webhook was created.'),
  updatedAt: instant.describe('When the webhook was last changed.'),
}

export const webhookRecord = namedObject('Webhook', 'An endpoint that receives events, without its secret.', {
  id: webhookFacts.id,
  url: webhookFields.url,
  events: webhookFields.events,
  description: webhookFields.description.unwrap(),
  enabled: webhookFields.enabled,
  disabledReason: webhookFacts.disabledReason,
  allUsers: webhookFields.allUsers.unwrap(),
  lastDeliveredAt: webhookFacts.lastDeliveredAt,
  failingSince: webhookFacts.failingSince,
  previousSecretExpiresAt: webhookFacts.previousSecretExpiresAt,
  createdAt: webhookFacts.createdAt,
  updatedAt: webhookFacts.updatedAt,
})

export type WebhookRecord = z.output<typeof webhookRecord>

/** A webhook with its secret, in the responses that create the secret. */
export const webhookWithSecret = webhookRecord
  .extend({ secret: z.string().describe('The signing secret, shown only once: `whsec_` and base64.') })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook with its signing secret, which is shown only once.' })

export function toWebhookRecord(webhook: WebhookRow): WebhookRecord {
  const { id, url, description, enabled, disabledReason, allUsers, previousSecretUntil } = webhook
  return {
    id,
    url,
    events: [...webhook.events],
    description,
    enabled,
    disabledReason,
    allUsers,
    lastDeliveredAt: toInstant(webhook.lastDeliveredAt),
    failingSince: toInstant(webhook.failures?.since ?? null),
    previousSecretExpiresAt: toInstant(previousSecretUntil),
    createdAt: toInstant(webhook.createdAt),
    updatedAt: toInstant(webhook.updatedAt),
  }
}

/** Returns the record of a webhook and sets the version of the response. */
export function shownWebhook(call: OperationRun, webhook: WebhookRow): WebhookRecord {
  call.version(webhook.version)
  return toWebhookRecord(webhook)
}

/** Returns the webhook. Throws `NOT_FOUND` if it does not exist or belongs to another owner. */
export function ownWebhook(caller: Caller, webhook: WebhookRow | undefined): WebhookRow {
  if (webhook?.userId !== ownerOf(caller)) throw new FairleadError('NOT_FOUND', 'Webhook not found.')
  return webhook
}

/** Throws `FORBIDDEN` if a caller other than an admin subscribes to the events of all users. */
export function checkAllUsers(caller: Caller, allUsers: boolean | undefined): void {
  if (!allUsers || caller.kind === 'anonymous' || caller.role === 'admin') return
  const issue = 'can be set only by an admin'
  throw new FairleadError('FORBIDDEN', `allUsers ${issue}`, { issues: [{ field: 'allUsers', issue }] })
}
