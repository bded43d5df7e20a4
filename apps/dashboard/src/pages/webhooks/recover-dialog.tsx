import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { TextField } from '../../components/field.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { formatNumber, toLocalInput } from '../../format.ts'
import { reloadWebhooks, type WebhookDialogProps } from './webhook.ts'

const dayMs = 86_400_000

/** Delivers all events again that failed since a time. */
export function RecoverDialog({ webhook, onClose }: WebhookDialogProps) {
  const [since, setSince] = useState(() => toLocalInput(Date.now() - dayMs))
  const recover = api.useMutation('post', '/webhooks/{id}/recover', {
    async onSuccess({ data: { recovered } }) {
      await reloadWebhooks()
      toastSuccess(
        recovered === 0
          ? 'No delivery has failed since then'
          : `${formatNumber(recovered)} ${recovered === 1 ? 'delivery is' : 'deliveries are'} pending again`,
      )
      onClose()
    },
  })

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Recover failed deliveries"
      description="All events are delivered again whose deliveries were created since this time and failed. By default, deliveries are kept for 30 days."
      onSubmit={() =>
        recover.mutate({ params: { path: { id: webhook.id } }, body: { since: new Date(since).toISOString() } })
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={recover.isPending}>
            Recover deliveries
          </Button>
        </>
      }
    >
      <TextField
        label="Since"
        type="datetime-local"
        required
        value={since}
        max={toLocalInput(Date.now())}
        error={recover.error ? toApiError(recover.error).fields.get('since') : undefined}
        onChange={(event) => setSince(event.target.value)}
      />
      {recover.error ? <ErrorPanel error={recover.error} /> : null}
    </Dialog>
  )
}
