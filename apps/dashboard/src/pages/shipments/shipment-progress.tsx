import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { classNames } from '../../components/class-names.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { formatTime } from '../../format.ts'
import { ShipmentBadge } from './shipment-badge.tsx'
import { reloadShipments, type Shipment, statusFacts } from './shipment.ts'

/** The current status, the allowed next ones, and the history. */
export function ShipmentProgress({ shipment }: { readonly shipment: Shipment }) {
  const change = api.useMutation('patch', '/api/v1/shipments/{id}', {
    async onSuccess({ data }) {
      await reloadShipments()
      toastSuccess(`The status is now “${statusFacts[data.status].label}”`)
    },
  })
  const next = statusFacts[shipment.status].next
  return (
    <Card title="Status" actions={<ShipmentBadge status={shipment.status} />}>
      <div className="flex flex-col gap-4">
        {change.error ? <ErrorPanel error={change.error} /> : null}
        {next.length > 0 ? (
          <div role="group" aria-label="Next status" className="flex flex-col gap-2">
            {next.map((status, index) => (
              <Button
                key={status}
                variant={index === 0 ? 'primary' : 'secondary'}
                busy={change.isPending && change.variables.body?.status === status}
                disabled={change.isPending}
                onClick={() => change.mutate({ params: { path: { id: shipment.id } }, body: { status } })}
              >
                Mark as {statusFacts[status].label.toLowerCase()}
              </Button>
            ))}
          </div>
        ) : (
          <p className="text-sm text-muted">This status is final.</p>
        )}
        <section>
          <h3 className="mb-2 text-xs font-medium text-muted">History</h3>
          <ol reversed>
            {shipment.history.toReversed().map(({ status, at }, index, all) => (
              <li key={`${status} ${at}`} className="relative flex gap-3 pb-3 text-sm last:pb-0">
                {index < all.length - 1 && (
                  <span aria-hidden className="absolute top-4 bottom-0 left-1 border-l border-line-strong" />
                )}
                <span
                  aria-hidden
                  className={classNames(
                    'mt-1.5 size-2 shrink-0 rounded-full',
                    index === 0 ? 'bg-accent' : 'bg-line-strong',
                  )}
                />
                <span className={index === 0 ? 'font-medium' : 'text-muted'}>{statusFacts[status].label}</span>
                <time dateTime={at} className="tabular ml-auto text-xs leading-5 text-muted">
                  {formatTime(at)}
                </time>
              </li>
            ))}
          </ol>
        </section>
      </div>
    </Card>
  )
}
