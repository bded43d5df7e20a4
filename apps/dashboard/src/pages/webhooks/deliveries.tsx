import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { createdColumn } from '../../components/created-column.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Send } from '../../components/icons.tsx'
import { Paging } from '../../components/paging.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useFilters } from '../../filters.ts'
import { attemptResult, DeliveryStatus } from './delivery-status.tsx'
import { webhookRoute } from './page.ts'
import { refreshAfter, type Delivery, type Webhook } from './webhook.ts'

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const [{ delivery_status: status, event, deliveries_cursor: cursor }, setFilters] = useFilters(
    webhookRoute,
    'deliveries_cursor',
  )
  const navigate = useNavigate()
  const { deliveryId: opened } = useParams({ strict: false })
  const path = { webhook_id: webhook.id }
  const deliveries = api.useQuery(
    'get',
    '/webhooks/{webhook_id}/deliveries',
    { params: { path, query: { limit: 25, cursor, status, event_id: event } } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => refreshAfter(state.data?.data ?? []),
    },
  )
  const open = (deliveryId: string) =>
    void navigate({
      to: '/webhooks/$webhookId/deliveries/$deliveryId',
      params: { webhookId: webhook.id, deliveryId },
      search: true,
      resetScroll: false,
    })
  const filtered = status !== undefined || event !== undefined

  return (
    <section aria-label="Deliveries" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto text-base font-semibold">Deliveries</h2>
        <SearchField label="Event id" value={event ?? ''} onChange={(next) => setFilters({ event: next })} />
        <Segmented
          label="Status of the deliveries"
          value={status ?? 'all'}
          options={[
            { value: 'all', label: 'All' },
            { value: 'delivered', label: 'Delivered' },
            { value: 'pending', label: 'Pending' },
            { value: 'failed', label: 'Failed' },
          ]}
          onChange={(next) => setFilters({ delivery_status: next === 'all' ? undefined : next })}
        />
      </div>
      <DataTable
        label="Deliveries"
        columns={columns}
        rows={deliveries.data?.data}
        rowKey={({ id }) => id}
        onRowClick={({ id }) => open(id)}
        selectedKey={opened}
        stale={deliveries.isPlaceholderData}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        empty={
          filtered ? (
            <EmptyState
              icon={Send}
              title="No delivery matches"
              action={
                <Button onClick={() => setFilters({ delivery_status: undefined, event: undefined })}>
                  Clear the filters
                </Button>
              }
            >
              Choose another status or event.
            </EmptyState>
          ) : (
            <EmptyState icon={Send} title="No deliveries yet">
              Send a test event, or wait for the first event that the webhook receives.
            </EmptyState>
          )
        }
        footer={<Paging page={deliveries.data?.meta.page} cursor="deliveries_cursor" />}
      />
    </section>
  )
}

const columns: readonly Column<Delivery>[] = [
  {
    id: 'event',
    header: 'Event',
    cell: ({ id, event_type, created_at }) => (
      <Link
        from="/webhooks/$webhookId"
        to="/webhooks/$webhookId/deliveries/$deliveryId"
        params={(before) => ({ ...before, deliveryId: id })}
        search={true}
        resetScroll={false}
        onClick={(event) => event.stopPropagation()}
        className="block rounded-sm py-1.5 text-left hover:text-accent-strong sm:py-0"
      >
        <span className="font-mono text-xs font-medium">{event_type}</span>
        <span aria-hidden className="block text-xs text-muted sm:hidden">
          <TimeAgo at={created_at} />
        </span>
      </Link>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <DeliveryStatus status={status} /> },
  {
    id: 'result',
    header: 'Last attempt',
    from: 'sm',
    cell: ({ attempts }) => {
      const last = attempts.at(-1)
      return <span className="tabular text-muted">{last ? attemptResult(last) : '–'}</span>
    },
  },
  { id: 'attempts', header: 'Attempts', align: 'end', from: 'md', cell: ({ attempts }) => attempts.length },
  {
    id: 'next',
    header: 'Next attempt',
    from: 'lg',
    cell: ({ next_attempt_at }) => (
      <span className="text-muted">{next_attempt_at === null ? '–' : <TimeAgo at={next_attempt_at} />}</span>
    ),
  },
  createdColumn({ align: 'end', from: 'sm' }),
]
