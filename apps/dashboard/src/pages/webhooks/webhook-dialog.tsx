import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { EditWebhookDialog } from './edit-webhook-dialog.tsx'
import { RecoverDialog } from './recover-dialog.tsx'
import { RotateSecretDialog } from './rotate-secret-dialog.tsx'
import { reloadWebhooks, type WebhookDialogProps, webhookName } from './webhook.ts'

export type WebhookAction = 'edit' | 'rotate' | 'recover' | 'disable' | 'delete'

export function WebhookDialog({ action, ...props }: WebhookDialogProps & { readonly action: WebhookAction }) {
  switch (action) {
    case 'edit':
      return <EditWebhookDialog {...props} />
    case 'rotate':
      return <RotateSecretDialog {...props} />
    case 'recover':
      return <RecoverDialog {...props} />
    case 'disable':
      return <DisableDialog {...props} />
    case 'delete':
      return <DeleteDialog {...props} />
  }
}

function DisableDialog({ webhook, onClose }: WebhookDialogProps) {
  const disable = api.useMutation('patch', '/webhooks/{id}', {
    async onSuccess() {
      await reloadWebhooks()
      toastSuccess('Webhook disabled')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Disable “${webhookName(webhook)}”?`}
      action="Disable webhook"
      busy={disable.isPending}
      error={disable.error}
      onConfirm={() => disable.mutate({ params: { path: { id: webhook.id } }, body: { enabled: false } })}
    >
      Its pending deliveries fail now. Events that occur while it is disabled are never delivered to it.
    </ConfirmDialog>
  )
}

function DeleteDialog({ webhook, onClose }: WebhookDialogProps) {
  const navigate = useNavigate()
  const remove = api.useMutation('delete', '/webhooks/{id}', {
    async onSuccess() {
      // The page of the webhook closes first, so that it does not load again.
      await navigate({ to: '/webhooks', search: true, resetScroll: false, replace: true })
      await reloadWebhooks()
      toastSuccess(`“${webhookName(webhook)}” was deleted`)
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete “${webhookName(webhook)}”?`}
      action="Delete webhook"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { path: { id: webhook.id } } })}
    >
      The webhook and the record of its deliveries are deleted. This cannot be undone.
    </ConfirmDialog>
  )
}
