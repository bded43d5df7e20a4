import { api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { switchProject, useCurrentProject } from '../../projects/current-project.ts'
import { type ProjectDialogProps, reloadProjects } from './project.ts'

export interface DeleteProjectDialogProps extends ProjectDialogProps {
  onDeleted(): void
}

export function DeleteProjectDialog({ project: { id, name }, onClose, onDeleted }: DeleteProjectDialogProps) {
  const current = useCurrentProject()
  const remove = api.useMutation('delete', '/projects/{id}', {
    onSuccess() {
      if (current === id) switchProject(undefined)
      void reloadProjects()
      toastSuccess(`${name} was deleted`)
      onDeleted()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${name}?`}
      action="Delete project"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { path: { id } } })}
    >
      Its API keys stop working at once. Its webhooks, images, and shipments are deleted. This cannot be undone.
    </ConfirmDialog>
  )
}
