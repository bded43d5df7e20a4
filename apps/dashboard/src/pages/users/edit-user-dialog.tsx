import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { changesOf } from '../../changes-of.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { FormFooter } from '../../components/form-footer.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { quotaValuesOf } from '../../quotas/quota-values.ts'
import { reloadUsers, type User, type UserDialogProps } from './user.ts'
import { toUserBody, userFields, UserForm, type UserValues } from './user-form.tsx'

/** Changes the profile, the role, the quota, the budget, and the networks of a user. */
export function EditUserDialog({ user, onClose }: UserDialogProps) {
  const before = valuesOf(user)
  const [values, setValues] = useState(before)
  const save = api.useMutation('patch', '/api/v1/users/{id}', {
    onSuccess({ data }) {
      void reloadUsers()
      toastSuccess(`${data.name} was changed`)
      onClose()
    },
  })
  const fields = save.error ? toApiError(save.error).fields : undefined
  return (
    <Dialog
      open
      onOpenChange={onClose}
      onSubmit={() =>
        save.mutate({ params: { path: { id: user.id } }, body: changesOf(toUserBody(before), toUserBody(values)) })
      }
      title={`Edit ${user.name}`}
      description="A new tier, quota, or budget applies to the next request, also to what was used this month."
      footer={<FormFooter action="Save" busy={save.isPending} onClose={onClose} />}
    >
      <FormError error={save.error} shown={userFields} />
      <UserForm values={values} onChange={setValues} errors={fields} />
    </Dialog>
  )
}

function valuesOf(user: User): UserValues {
  const { name, email, role, allowed_networks, models } = user
  return {
    ...quotaValuesOf(user),
    name,
    email,
    role,
    networks: allowed_networks?.join(', ') ?? '',
    modelNames: models?.join(', ') ?? '',
  }
}
