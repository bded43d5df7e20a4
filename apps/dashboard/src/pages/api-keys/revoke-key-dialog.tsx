import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { type ApiKey, reloadKeys } from './api-key.ts'

export function RevokeKeyDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; onClose(): void }) {
  const revoke = api.useMutation('delete', '/api-keys/{id}', {
    onSuccess() {
      reloadKeys()
      toastSuccess(`“${apiKey.name}” was revoked`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke key"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ params: { path: { id: apiKey.id } } })}
    >
      Requests with this key fail from now on. This cannot be undone. A revoked key still counts toward the number of
      keys of this month.
    </ConfirmDialog>
  )
}
