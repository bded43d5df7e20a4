import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { reloadWebhooks, type WebhookDialogProps, webhookName } from './webhook.ts'

/** Gives a webhook a new secret, then shows it once. */
export function RotateSecretDialog({ webhook, onClose }: WebhookDialogProps) {
  const rotate = api.useMutation('post', '/webhooks/{id}/rotate-secret', { onSuccess: () => void reloadWebhooks() })
  if (rotate.data) {
    return (
      <SecretDialog
        title="Copy the new secret"
        description="This is the only time that it is shown. For 24 hours, the previous secret signs deliveries too."
        webhook={rotate.data.data}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Rotate the secret of “${webhookName(webhook)}”`}
      description="For 24 hours, deliveries are signed with both secrets, so that you can update your receivers without losing one. If you rotate again within this time, the oldest secret stops signing."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={rotate.isPending}
            onClick={() => rotate.mutate({ params: { path: { id: webhook.id } }, body: {} })}
          >
            Rotate secret
          </Button>
        </>
      }
    >
      {rotate.error ? <ErrorPanel error={rotate.error} /> : null}
    </Dialog>
  )
}
