import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { RotateCw } from '../../components/icons.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatDateTime } from '../../format.ts'
import { AttemptList } from './attempt-list.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { deliveryRoute } from './page.ts'
import { refreshAfter, reloadWebhooks } from './webhook.ts'

/** The delivery that the URL names, with its attempts and its event, over its webhook. */
export function DeliverySheet() {
  const { webhookId, deliveryId } = deliveryRoute.useParams()
  const navigate = useNavigate()
  const path = { webhook_id: webhookId, delivery_id: deliveryId }
  const isEnabled = api.useQuery('get', '/webhooks/{id}', { params: { path: { id: webhookId } } }).data?.data.enabled
  const query = api.useQuery(
    'get',
    '/webhooks/{webhook_id}/deliveries/{delivery_id}',
    { params: { path } },
    { refetchInterval: ({ state }) => refreshAfter(state.data ? [state.data.data] : []) },
  )
  const redeliver = api.useMutation('post', '/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', {
    onSuccess: () => reloadWebhooks(),
  })
  const delivery = query.data?.data

  return (
    <Sheet
      open
      onOpenChange={() =>
        void navigate({ to: '/webhooks/$webhookId', params: { webhookId }, search: true, resetScroll: false })
      }
      title={delivery?.event_type ?? 'Delivery'}
      description={delivery && formatDateTime(delivery.created_at)}
      actions={
        delivery && (
          <Button
            size="sm"
            busy={redeliver.isPending}
            disabled={isEnabled !== true}
            title={isEnabled === false ? 'Enable the webhook first' : undefined}
            onClick={() => redeliver.mutate({ params: { path }, body: {} })}
          >
            <RotateCw aria-hidden className="size-3.5" />
            Redeliver
          </Button>
        )
      }
    >
      {redeliver.error ? <ErrorPanel error={redeliver.error} /> : null}
      <QueryError query={query} />
      {query.isPending && <Skeleton className="h-40 w-full" />}
      {delivery && (
        <>
          <FactList
            facts={[
              { label: 'Status', value: <DeliveryStatus status={delivery.status} /> },
              {
                label: 'Next attempt',
                value: delivery.next_attempt_at === null ? 'None' : <TimeAgo at={delivery.next_attempt_at} />,
              },
              { label: 'Event id', value: <CopyableText text={delivery.event_id} label="event id" />, wide: true },
              { label: 'Delivery id', value: <CopyableText text={delivery.id} label="delivery id" />, wide: true },
            ]}
          />
          <section>
            <h3 className="mb-2 text-sm font-medium">Attempts</h3>
            <AttemptList attempts={delivery.attempts} status={delivery.status} />
          </section>
          <section>
            <h3 className="mb-2 text-sm font-medium">Event</h3>
            <EventJson id={delivery.event_id} />
          </section>
        </>
      )}
    </Sheet>
  )
}

function EventJson({ id }: { readonly id: string }) {
  const event = api.useQuery('get', '/events/{id}', { params: { path: { id } } })
  if (event.error) return <ErrorPanel error={event.error} />
  if (!event.data) return <Skeleton className="h-24 w-full" />
  const { type, created_at: timestamp, data } = event.data.data
  return <CodeBlock label="event" code={JSON.stringify({ type, timestamp, data }, null, 2)} />
}
