import { queryClient } from '../../api/query-client.ts'
import type { components } from '../../api/schema.d.ts'
import type { BadgeTone } from '../../components/badge.tsx'

export type Webhook = components['schemas']['Webhook']
export type Delivery = components['schemas']['Delivery']

/** The properties of a dialog that changes a webhook. */
export interface WebhookDialogProps {
  readonly webhook: Webhook
  onClose(): void
}

/** Loads webhooks and deliveries again after a change. */
export function reloadWebhooks(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/webhooks') })
}

/** How soon to load webhooks again: deliveries change their state. The list stays in place below an open webhook. */
export const refreshMs = 5_000

/** The name of a webhook: its description, or else the host that receives its events. */
export function webhookName({ description, url }: Webhook): string {
  return description ?? new URL(url).host
}

export interface WebhookState {
  readonly label: string
  readonly tone: BadgeTone
  /** Why it is disabled, and what to do. Undefined while it is enabled. */
  readonly reason: string | undefined
}

export function webhookState({ enabled, disabled_reason }: Webhook): WebhookState {
  if (enabled) return { label: 'Enabled', tone: 'success', reason: undefined }
  switch (disabled_reason) {
    case 'gone':
      return {
        label: 'Disabled: gone',
        tone: 'danger',
        reason: 'The receiver responded with 410 Gone. Check that the URL is still in use, then enable the webhook.',
      }
    case 'failing':
      return {
        label: 'Disabled: failing',
        tone: 'danger',
        reason: 'Deliveries failed for five days. Repair the receiver, enable the webhook, then recover what failed.',
      }
    default:
      return {
        label: 'Disabled',
        tone: 'neutral',
        reason: 'It was disabled by its owner. New events are not delivered until it is enabled.',
      }
  }
}

/** An attempt that runs is shown as due in a minute: it would be repeated then if the service crashed. */
const dueMs = 90_000
const pendingMs = 2_000
const idleMs = 10_000

/** How soon to load deliveries again: sooner while an attempt runs or is due. */
export function refreshAfter(deliveries: readonly Delivery[], now: number = Date.now()): number {
  const isDue = deliveries.some(({ next_attempt_at: at }) => at !== null && Date.parse(at) < now + dueMs)
  return isDue ? pendingMs : idleMs
}
