import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { FormFooter } from '../../components/form-footer.tsx'
import { reloadProjects } from './project.ts'

export function CreateProjectDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const create = api.useMutation('post', '/projects', {
    onSuccess({ data }) {
      void reloadProjects()
      onClose()
      void navigate({ to: '/projects/$projectId', params: { projectId: data.id }, search: true })
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      onSubmit={() => create.mutate({ body: { name } })}
      title="Create a project"
      description="You become its owner, and can invite others. It gets your tier."
      footer={<FormFooter action="Create project" busy={create.isPending} onClose={onClose} />}
    >
      <FormError error={create.error} shown={['name']} />
      <TextField
        label="Name"
        required
        maxLength={100}
        placeholder="Search"
        value={name}
        error={create.error ? toApiError(create.error).fields.get('name') : undefined}
        onChange={({ target }) => setName(target.value)}
      />
    </Dialog>
  )
}
