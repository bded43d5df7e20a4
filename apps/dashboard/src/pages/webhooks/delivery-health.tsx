import { CircleAlert, CircleCheck } from '../../components/icons.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatDateTime } from '../../format.ts'
import type { Webhook } from './webhook.ts'

/** Whether the last deliveries succeeded, and since when not. */
export function DeliveryHealth({ webhook }: { readonly webhook: Webhook }) {
  const { last_delivered_at: delivered, failing_since: failing } = webhook
  if (failing !== null) {
    return (
      <div className="py-1">
        <p className="flex items-center gap-1.5 font-medium text-danger">
          <CircleAlert aria-hidden className="size-3.5 shrink-0" />
          Failing since {formatDateTime(failing)}
        </p>
        <p className="text-xs text-muted">Last success: {delivered === null ? 'never' : <TimeAgo at={delivered} />}</p>
      </div>
    )
  }
  if (delivered === null) return <span className="text-muted">None yet</span>
  return (
    <span className="flex items-center gap-1.5">
      <CircleCheck aria-hidden className="size-3.5 shrink-0 text-success" />
      <span>
        Delivered <TimeAgo at={delivered} />
      </span>
    </span>
  )
}
