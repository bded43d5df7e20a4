import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { reloadUsers, type UserDialogProps } from './user.ts'

export function SuspendUserDialog({ user, onClose }: UserDialogProps) {
  const suspend = api.useMutation('patch', '/api/v1/users/{id}', {
    onSuccess() {
      void reloadUsers()
      toastSuccess(`${user.name} was suspended`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Suspend ${user.name}?`}
      action="Suspend user"
      busy={suspend.isPending}
      error={suspend.error}
      onConfirm={() => suspend.mutate({ params: { path: { id: user.id } }, body: { status: 'suspended' } })}
    >
      All requests of {user.email} are rejected until you activate the user again. Nothing is deleted.
    </ConfirmDialog>
  )
}

export function DeleteUserDialog({ user, onClose }: UserDialogProps) {
  const remove = api.useMutation('delete', '/api/v1/users/{id}', {
    onSuccess() {
      void reloadUsers()
      toastSuccess(`${user.name} was deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${user.name}?`}
      action="Delete user"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { path: { id: user.id } } })}
    >
      This deletes {user.email} with all sessions, API keys, webhooks, images, and shipments. It cannot be undone.
    </ConfirmDialog>
  )
}
