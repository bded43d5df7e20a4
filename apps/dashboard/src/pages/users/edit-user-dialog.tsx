import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { findChanges } from '../../find-changes.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { FormFooter } from '../../components/form-footer.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { toQuotaValues } from '../../quotas/quota-values.ts'
import { reloadUsers, type User, type UserDialogProps } from './user.ts'
import { toUserBody, userFields, UserForm, type UserValues } from './user-form.tsx'

/** Changes the profile, the role, the quota, the budget, and the networks of a user. */
export function EditUserDialog({ user, onClose }: UserDialogProps) {
  const before = toValues(user)
  const [values, setValues] = useState(before)
  const save = api.useMutation('patch', '/api/v1/users/{id}', {
    onSuccess({ data }) {
      void reloadUsers()
      toastSuccess(`${data.name} was changed`)
      onClose()
    },
  })
  const emailChanges = values.email !== before.email
  const changes = findChanges(toUserBody(before), toUserBody(values))
  // Another address is not verified, unless the admin says so.
  const change = (next: UserValues) =>
    setValues(next.email !== values.email && next.email !== before.email ? { ...next, emailVerified: false } : next)
  const fields = save.error ? toApiError(save.error).fields : undefined
  return (
    <Dialog
      open
      onOpenChange={onClose}
      onSubmit={() =>
        save.mutate({
          params: { path: { id: user.id } },
          body: { ...changes, ...(emailChanges && { email_verified: values.emailVerified }) },
        })
      }
      title={`Edit ${user.name}`}
      description="A new tier, quota, or budget applies to the next request, also to what was used this month."
      footer={<FormFooter action="Save" busy={save.isPending} onClose={onClose} />}
    >
      <FormError error={save.error} shown={userFields} />
      <UserForm values={values} onChange={change} errors={fields} />
    </Dialog>
  )
}

function toValues(user: User): UserValues {
  const { name, email, email_verified: emailVerified, role, allowed_networks, models } = user
  return {
    ...toQuotaValues(user),
    name,
    email,
    emailVerified,
    role,
    networks: allowed_networks?.join(', ') ?? '',
    modelNames: models?.join(', ') ?? '',
  }
}
