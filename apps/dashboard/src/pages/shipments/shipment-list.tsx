import { keepPreviousData } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { createdColumn } from '../../components/created-column.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Package, Plus } from '../../components/icons.tsx'
import { Paging } from '../../components/paging.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { createdOrder } from '../../components/sort.ts'
import { useFilters } from '../../filters.ts'
import { formatDate } from '../../format.ts'
import { PageLayout } from '../../layout/page-layout.tsx'
import { CreateShipmentDialog } from './create-shipment-dialog.tsx'
import { shipmentsRoute } from './page.ts'
import { ShipmentBadge } from './shipment-badge.tsx'
import { formatPlace, type Shipment, shipmentStatuses, statusFacts } from './shipment.ts'

const ages = { '24h': 1, '7d': 7, '30d': 30 } as const
const dayMs = 86_400_000

const noFilters = { status: undefined, reference: undefined, carrier: undefined, created: undefined }

export function ShipmentList() {
  const [{ status, reference, carrier, created, sort, cursor }, setFilters] = useFilters(shipmentsRoute)
  const { shipmentId: opened } = useParams({ strict: false })
  const [creating, setCreating] = useState(false)
  const shipments = api.useQuery(
    'get',
    '/api/v1/shipments',
    {
      params: {
        query: { limit: 50, cursor, sort, status, reference, carrier, created_after: created && ageStart(created) },
      },
    },
    { placeholderData: keepPreviousData },
  )
  const filtered = [status, reference, carrier, created].some((filter) => filter !== undefined)
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      Create shipment
    </Button>
  )

  return (
    <PageLayout title="Shipments" actions={create}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label="Reference" value={reference ?? ''} onChange={(next) => setFilters({ reference: next })} />
        <SearchField label="Carrier" value={carrier ?? ''} onChange={(next) => setFilters({ carrier: next })} />
        <Select
          label="Status"
          showLabel
          value={status ?? 'any'}
          options={[
            { value: 'any', label: 'Any' },
            ...shipmentStatuses.map((value) => ({ value, label: statusFacts[value].label })),
          ]}
          onChange={(next) => setFilters({ status: next === 'any' ? undefined : next })}
        />
        <Select
          label="Created"
          showLabel
          value={created ?? 'any'}
          options={[
            { value: 'any', label: 'Any time' },
            { value: '24h', label: 'Last 24 hours' },
            { value: '7d', label: 'Last 7 days' },
            { value: '30d', label: 'Last 30 days' },
          ]}
          onChange={(next) => setFilters({ created: next === 'any' ? undefined : next })}
        />
      </div>
      <DataTable
        label="Shipments"
        columns={columns}
        rows={shipments.data?.data}
        rowKey={({ id }) => id}
        selectedKey={opened}
        order={createdOrder(sort, setFilters)}
        stale={shipments.isPlaceholderData}
        error={shipments.error}
        onRetry={() => void shipments.refetch()}
        empty={
          filtered ? (
            <EmptyState
              icon={Package}
              title="No shipment matches"
              action={<Button onClick={() => setFilters(noFilters)}>Clear the filters</Button>}
            >
              References and carriers must match exactly.
            </EmptyState>
          ) : (
            <EmptyState icon={Package} title="No shipments yet" action={create}>
              Create one here or with the API, and follow it through its statuses.
            </EmptyState>
          )
        }
        footer={<Paging page={shipments.data?.meta.page} />}
      />
      {creating && <CreateShipmentDialog onClose={() => setCreating(false)} />}
      <Outlet />
    </PageLayout>
  )
}

/** The start of the current minute so many days ago, so that renders in between ask for the same page. */
function ageStart(age: keyof typeof ages): string {
  return new Date(Math.floor(Date.now() / 60_000) * 60_000 - ages[age] * dayMs).toISOString()
}

const columns: readonly Column<Shipment>[] = [
  {
    id: 'reference',
    header: 'Reference',
    cell: ({ id, reference, destination }) => (
      <div className="py-1">
        <Link
          to="/shipments/$shipmentId"
          params={{ shipmentId: id }}
          search={true}
          resetScroll={false}
          className="block max-w-44 truncate rounded-sm font-medium hover:text-accent-strong sm:max-w-64"
        >
          {reference}
        </Link>
        <span className="block max-w-44 truncate text-xs text-muted sm:hidden">to {formatPlace(destination)}</span>
      </div>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <ShipmentBadge status={status} /> },
  {
    id: 'route',
    header: 'Route',
    from: 'sm',
    cell: ({ origin, destination }) => (
      <span className="block max-w-64 truncate">
        <span className="text-muted">{formatPlace(origin)} →</span> {formatPlace(destination)}
      </span>
    ),
  },
  {
    id: 'carrier',
    header: 'Carrier',
    from: 'md',
    cell: ({ carrier }) => <span className={carrier === null ? 'text-muted' : ''}>{carrier ?? '–'}</span>,
  },
  {
    id: 'delivery',
    header: 'Estimated delivery',
    from: 'lg',
    cell: ({ estimated_delivery }) => (
      <span className="text-muted">{estimated_delivery === null ? '–' : formatDate(estimated_delivery)}</span>
    ),
  },
  createdColumn({ align: 'end', from: 'sm' }),
]
