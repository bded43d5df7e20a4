import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CopyableText } from '../../components/copyable-text.tsx'
import { QueryError } from '../../components/query-error.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Pencil, Trash2 } from '../../components/icons.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatDateTime } from '../../format.ts'
import { DeleteShipmentDialog } from './delete-shipment-dialog.tsx'
import { EditShipmentDialog } from './edit-shipment-dialog.tsx'
import { AddressCard, MetadataCard, ParcelsCard } from './shipment-cards.tsx'
import { shipmentRoute } from './page.ts'
import { ShipmentProgress } from './shipment-progress.tsx'

/** The shipment that the URL names, over the list. */
export function ShipmentDetail() {
  const { shipmentId: id } = shipmentRoute.useParams()
  const navigate = useNavigate()
  const [action, setAction] = useState<'edit' | 'delete'>()
  const query = api.useQuery('get', '/api/v1/shipments/{id}', { params: { path: { id } } })
  const shipment = query.data?.data
  const close = () => setAction(undefined)

  return (
    <Sheet
      open
      size="lg"
      onOpenChange={() => void navigate({ to: '/shipments', search: true, resetScroll: false })}
      title={shipment?.reference ?? 'Shipment'}
      actions={
        shipment && (
          <>
            <Button size="sm" onClick={() => setAction('edit')}>
              <Pencil aria-hidden className="size-3.5" />
              Edit
            </Button>
            <IconButton
              icon={Trash2}
              label="Delete shipment"
              size="sm"
              variant="secondary"
              onClick={() => setAction('delete')}
            />
          </>
        )
      }
    >
      <QueryError query={query} />
      {query.isPending && (
        <Card>
          <Skeleton className="h-40 w-full" />
        </Card>
      )}
      {shipment && (
        <div className="grid grid-cols-1 items-start gap-4 md:gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-4 md:gap-5">
            <Card>
              <FactList
                facts={[
                  { label: 'Carrier', value: shipment.carrier ?? '–' },
                  {
                    label: 'Tracking number',
                    value:
                      shipment.tracking_number === null ? (
                        '–'
                      ) : (
                        <CopyableText text={shipment.tracking_number} label="tracking number" />
                      ),
                  },
                  {
                    label: 'Estimated delivery',
                    value: shipment.estimated_delivery === null ? '–' : formatDateTime(shipment.estimated_delivery),
                  },
                  { label: 'Shipment id', value: <CopyableText text={shipment.id} label="shipment id" /> },
                  { label: 'Created', value: <TimeAgo at={shipment.created_at} /> },
                  { label: 'Changed', value: <TimeAgo at={shipment.updated_at} /> },
                ]}
              />
            </Card>
            <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 md:gap-5">
              <AddressCard title="From" address={shipment.origin} />
              <AddressCard title="To" address={shipment.destination} />
            </div>
            <ParcelsCard parcels={shipment.parcels} />
            {shipment.notes !== null && (
              <Card title="Notes">
                <p className="text-sm break-words whitespace-pre-wrap">{shipment.notes}</p>
              </Card>
            )}
            <MetadataCard metadata={shipment.metadata} />
          </div>
          <div className="min-w-0 max-lg:order-first">
            <ShipmentProgress shipment={shipment} />
          </div>
        </div>
      )}
      {shipment && action === 'edit' && <EditShipmentDialog shipment={shipment} onClose={close} />}
      {shipment && action === 'delete' && <DeleteShipmentDialog shipment={shipment} onClose={close} />}
    </Sheet>
  )
}
