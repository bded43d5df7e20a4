import { Outlet, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { CircleSlash, Ellipsis, History, Pencil, Power, RefreshCw, Send, Trash2 } from '../../components/icons.tsx'
import { Menu } from '../../components/menu.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { Deliveries } from './deliveries.tsx'
import { DisabledNote } from './disabled-note.tsx'
import { webhookRoute, webhooksRoute } from './page.ts'
import { WebhookDialog, type WebhookAction } from './webhook-dialog.tsx'
import { WebhookFacts } from './webhook-facts.tsx'
import { refreshMs, reloadWebhooks, webhookName } from './webhook.ts'

/** The webhook that the URL names, over the list. */
export function WebhookDetail() {
  const { webhookId: id } = webhookRoute.useParams()
  const { enabled, sort, cursor } = webhooksRoute.useSearch()
  const navigate = useNavigate()
  const [action, setAction] = useState<WebhookAction>()
  const path = { path: { id } }
  const query = api.useQuery('get', '/webhooks/{id}', { params: path }, { refetchInterval: refreshMs })
  const webhook = query.data?.data

  const enable = api.useMutation('patch', '/webhooks/{id}', {
    async onSuccess() {
      await reloadWebhooks()
      toastSuccess('Webhook enabled')
    },
    onError: (error) => toastError('The webhook was not enabled', error),
  })
  const test = api.useMutation('post', '/webhooks/{id}/test', {
    async onSuccess({ data: delivery }) {
      await reloadWebhooks()
      void navigate({
        to: '/webhooks/$webhookId/deliveries/$deliveryId',
        params: { webhookId: id, deliveryId: delivery.id },
        // The delivery is on the first page, without filters.
        search: { enabled, sort, cursor },
        resetScroll: false,
      })
    },
    onError: (error) => toastError('The test event was not sent', error),
  })
  const enableNow = () => enable.mutate({ params: path, body: { enabled: true } })

  return (
    <Sheet
      open
      size="lg"
      onOpenChange={() => void navigate({ to: '/webhooks', search: true, resetScroll: false })}
      title={webhook ? webhookName(webhook) : 'Webhook'}
      actions={
        webhook && (
          <div className="flex items-center gap-2">
            <Button
              size="sm"
              variant="primary"
              busy={test.isPending}
              disabled={!webhook.enabled}
              title={webhook.enabled ? undefined : 'Enable the webhook first'}
              onClick={() => test.mutate({ params: path, body: {} })}
            >
              <Send aria-hidden className="size-3.5" />
              Send test event
            </Button>
            <Button size="sm" className="max-sm:hidden" onClick={() => setAction('edit')}>
              <Pencil aria-hidden className="size-3.5" />
              Edit
            </Button>
            <Menu
              trigger={<IconButton icon={Ellipsis} label="More actions" size="sm" variant="secondary" />}
              items={[
                { label: 'Edit', icon: Pencil, onSelect: () => setAction('edit') },
                { label: 'Rotate secret', icon: RefreshCw, onSelect: () => setAction('rotate') },
                { label: 'Recover failed deliveries', icon: History, onSelect: () => setAction('recover') },
                webhook.enabled
                  ? { label: 'Disable', icon: CircleSlash, onSelect: () => setAction('disable') }
                  : { label: 'Enable', icon: Power, onSelect: enableNow },
                { label: 'Delete', icon: Trash2, danger: true, onSelect: () => setAction('delete') },
              ]}
            />
          </div>
        )
      }
    >
      <QueryError query={query} />
      {query.isPending && (
        <Card>
          <Skeleton className="h-24 w-full" />
        </Card>
      )}
      {webhook && (
        <>
          <DisabledNote webhook={webhook} enabling={enable.isPending} onEnable={enableNow} />
          <WebhookFacts webhook={webhook} />
          <Deliveries webhook={webhook} />
          <Outlet />
          {action && <WebhookDialog action={action} webhook={webhook} onClose={() => setAction(undefined)} />}
        </>
      )}
    </Sheet>
  )
}
