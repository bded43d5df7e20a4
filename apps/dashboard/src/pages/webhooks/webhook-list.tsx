import { keepPreviousData } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { createdColumn } from '../../components/created-column.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Plus, Webhook as WebhookIcon } from '../../components/icons.tsx'
import { Paging } from '../../components/paging.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { createdOrder } from '../../components/sort.ts'
import { useFilters } from '../../filters.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { CreateWebhookDialog } from './create-webhook-dialog.tsx'
import { DeliveryHealth } from './delivery-health.tsx'
import { EventBadges } from './event-badges.tsx'
import { webhooksRoute } from './page.ts'
import { refreshMs, type Webhook, webhookName, webhookState } from './webhook.ts'

export function WebhookList() {
  const [{ enabled, sort, cursor }, setFilters] = useFilters(webhooksRoute)
  const { webhookId: opened } = useParams({ strict: false })
  const [creating, setCreating] = useState(false)
  const webhooks = api.useQuery(
    'get',
    '/webhooks',
    { params: { query: { limit: 50, cursor, sort, enabled: enabled === undefined ? undefined : enabled === 'true' } } },
    { placeholderData: keepPreviousData, refetchInterval: refreshMs },
  )
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      Create webhook
    </Button>
  )

  return (
    <PageLayout
      title="Webhooks"
      description="A webhook sends events to a URL of yours. Each delivery is signed, retried for more than three days, and kept for 30 days by default."
      actions={create}
    >
      <div>
        <Segmented
          label="Webhooks to show"
          value={enabled ?? 'all'}
          options={[
            { value: 'all', label: 'All' },
            { value: 'true', label: 'Enabled' },
            { value: 'false', label: 'Disabled' },
          ]}
          onChange={(next) => setFilters({ enabled: next === 'all' ? undefined : next })}
        />
      </div>
      <DataTable
        label="Webhooks"
        columns={columns}
        rows={webhooks.data?.data}
        rowKey={({ id }) => id}
        selectedKey={opened}
        order={createdOrder(sort, setFilters)}
        stale={webhooks.isPlaceholderData}
        error={webhooks.error}
        onRetry={() => void webhooks.refetch()}
        empty={
          enabled === undefined ? (
            <EmptyState icon={WebhookIcon} title="No webhooks yet" action={create}>
              Create one to receive events such as <code className="font-mono text-xs">shipment.status_changed</code> in
              your own service.
            </EmptyState>
          ) : (
            <EmptyState
              icon={WebhookIcon}
              title={`No ${enabled === 'true' ? 'enabled' : 'disabled'} webhooks`}
              action={<Button onClick={() => setFilters({ enabled: undefined })}>Show all</Button>}
            >
              Your other webhooks are hidden by the filter.
            </EmptyState>
          )
        }
        footer={<Paging page={webhooks.data?.meta.page} />}
      />
      {creating && <CreateWebhookDialog onClose={() => setCreating(false)} />}
      <Outlet />
    </PageLayout>
  )
}

const columns: readonly Column<Webhook>[] = [
  {
    id: 'url',
    header: 'Endpoint',
    cell: (webhook) => (
      <Link
        to="/webhooks/$webhookId"
        params={{ webhookId: webhook.id }}
        search={true}
        resetScroll={false}
        className="group block w-full max-w-52 min-w-0 py-1.5 sm:max-w-72 xl:max-w-md"
      >
        <span className="block truncate font-medium group-hover:text-accent-strong">{webhookName(webhook)}</span>
        <span className="block truncate font-mono text-xs text-muted">{webhook.url}</span>
      </Link>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    cell: (webhook) => {
      const { label, tone } = webhookState(webhook)
      return (
        <span className="flex flex-wrap gap-1">
          <Badge tone={tone}>{label}</Badge>
          {/* Phones have no room for the column of the deliveries. */}
          {webhook.failing_since !== null && (
            <span className="flex sm:hidden">
              <Badge tone="danger">Failing</Badge>
            </span>
          )}
        </span>
      )
    },
  },
  { id: 'deliveries', header: 'Deliveries', from: 'sm', cell: (webhook) => <DeliveryHealth webhook={webhook} /> },
  { id: 'events', header: 'Events', from: 'lg', cell: ({ events }) => <EventBadges events={events} max={2} /> },
  createdColumn({ from: 'lg' }),
]
