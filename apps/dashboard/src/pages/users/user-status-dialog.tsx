import { useState } from 'react'
import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { reloadProjects } from '../projects/project.ts'
import { formatNames, useSoleProjects } from './sole-projects.ts'
import { UserSelect } from './user-select.tsx'
import { reloadUsers, type UserDialogProps } from './user.ts'

export function SuspendUserDialog({ user, onClose }: UserDialogProps) {
  const owned = useSoleProjects(user.id)
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
      error={suspend.error ?? owned.error}
      onConfirm={() => suspend.mutate({ params: { path: { id: user.id } }, body: { status: 'suspended' } })}
    >
      All requests of {user.email} are rejected until you activate the user again. Nothing is deleted.
      {owned.projects?.length ? ` These projects have no other active owner, and stop: ${formatNames(owned)}.` : ''}
    </ConfirmDialog>
  )
}

/** The choice that deletes the projects, beside the users who can get them. */
const removal = 'remove'

export function DeleteUserDialog({ user, onClose }: UserDialogProps) {
  const owned = useSoleProjects(user.id)
  const [choice, setChoice] = useState('')
  const needsChoice = (owned.projects?.length ?? 0) > 0
  const remove = api.useMutation('delete', '/api/v1/users/{id}', {
    onSuccess() {
      void reloadUsers()
      void reloadProjects()
      toastSuccess(`${user.name} was deleted`)
      onClose()
    },
  })
  const query = choice === removal ? { remove_projects: true } : choice === '' ? {} : { transfer_to: choice }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${user.name}?`}
      action="Delete user"
      busy={remove.isPending}
      error={remove.error ?? owned.error}
      onConfirm={() => remove.mutate({ params: { path: { id: user.id }, query } })}
      extra={
        needsChoice && (
          <UserSelect
            label="New owner"
            value={choice}
            options={[
              { value: '', label: 'Choose' },
              { value: removal, label: 'None: delete the projects' },
            ]}
            onChange={setChoice}
          />
        )
      }
    >
      This deletes {user.email} with all sessions, API keys, webhooks, images, and shipments. It cannot be undone.
      {needsChoice ? ` These projects have no other active owner: ${formatNames(owned)}.` : ''}
    </ConfirmDialog>
  )
}
