import { CircleAlert, CircleCheck } from 'lucide-react'
import { TimeAgo } from '../../components/time-ago.tsx'
import type { Webhook } from './webhook.ts'

/** Whether the last deliveries succeeded, and since when not. */
export function DeliveryHealth({ webhook }: { readonly webhook: Webhook }) {
  const { last_delivered_at: delivered, failing_since: failing } = webhook
  if (failing === null && delivered === null) return <span className="text-muted">None yet</span>
  return (
    <span className="block py-1">
      {failing !== null && (
        <span className="flex items-center gap-1.5 font-medium text-danger">
          <CircleAlert aria-hidden className="size-3.5" />
          <span>
            Failing since <TimeAgo at={failing} />
          </span>
        </span>
      )}
      {failing === null && delivered !== null && (
        <span className="flex items-center gap-1.5">
          <CircleCheck aria-hidden className="size-3.5 text-success" />
          <span>
            Delivered <TimeAgo at={delivered} />
          </span>
        </span>
      )}
      {failing !== null && (
        <span className="block text-xs text-muted">
          {delivered === null ? (
            'None has succeeded'
          ) : (
            <>
              Last success <TimeAgo at={delivered} />
            </>
          )}
        </span>
      )}
    </span>
  )
}
