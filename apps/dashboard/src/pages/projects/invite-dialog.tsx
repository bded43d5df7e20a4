import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Field, TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { FormFooter } from '../../components/form-footer.tsx'
import { Select } from '../../components/select.tsx'
import { formatLabel } from '../../format.ts'
import {
  type NewInvitation,
  type ProjectDialogProps,
  type ProjectRole,
  reloadProjects,
  roleHints,
  rolesUpTo,
} from './project.ts'

export interface InviteDialogProps extends ProjectDialogProps {
  onCreated(invitation: NewInvitation): void
}

export function InviteDialog({ project, onClose, onCreated }: InviteDialogProps) {
  const [role, setRole] = useState<ProjectRole>('developer')
  const [email, setEmail] = useState('')
  const invite = api.useMutation('post', '/projects/{project_id}/invitations', {
    onSuccess({ data }) {
      void reloadProjects()
      onCreated(data)
    },
  })
  const fields = invite.error ? toApiError(invite.error).fields : undefined
  const body = { role, email: email.trim() === '' ? null : email }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      onSubmit={() => invite.mutate({ params: { path: { project_id: project.id } }, body })}
      title={`Invite to ${project.name}`}
      footer={<FormFooter action="Create a link" busy={invite.isPending} onClose={onClose} />}
    >
      <FormError error={invite.error} shown={['role', 'email']} />
      <Field label="Role" hint={roleHints[role]} error={fields?.get('role')}>
        {({ id }) => (
          <Select
            id={id}
            label="Role"
            wide
            value={role}
            options={rolesUpTo(project.role).map((value) => ({ value, label: formatLabel(value) }))}
            onChange={setRole}
          />
        )}
      </Field>
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        hint="Only a user whose verified address this is can accept, or one who follows the mailed link. Leave empty for anyone with the link."
        value={email}
        error={fields?.get('email')}
        onChange={({ target }) => setEmail(target.value)}
      />
    </Dialog>
  )
}
