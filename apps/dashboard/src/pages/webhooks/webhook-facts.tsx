import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatDateTime } from '../../format.ts'
import { DeliveryHealth } from './delivery-health.tsx'
import { EventBadges } from './event-badges.tsx'
import { type Webhook, webhookState } from './webhook.ts'

export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { label, tone } = webhookState(webhook)
  const { previous_secret_expires_at: previousSecretExpiresAt } = webhook
  const rotating = previousSecretExpiresAt !== null && Date.parse(previousSecretExpiresAt) > Date.now()
  return (
    <Card>
      <FactList
        facts={[
          { label: 'Status', value: <Badge tone={tone}>{label}</Badge> },
          { label: 'URL', value: <CopyableText text={webhook.url} label="URL" />, wide: true },
          { label: 'Webhook id', value: <CopyableText text={webhook.id} label="webhook id" />, wide: true },
          { label: 'Deliveries', value: <DeliveryHealth webhook={webhook} />, wide: true },
          { label: 'Receives', value: webhook.all_users ? 'Events of all users' : 'Your own events' },
          {
            label: 'Secret',
            value: rotating ? `Two sign until ${formatDateTime(previousSecretExpiresAt)}` : 'One signs deliveries',
          },
          { label: 'Created', value: <TimeAgo at={webhook.created_at} /> },
          { label: 'Events', value: <EventBadges events={webhook.events} max={12} />, wide: true },
        ]}
      />
    </Card>
  )
}
