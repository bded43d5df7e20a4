import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { budgetValuesOf } from '../../budgets/budget-values.ts'
import { changesOf } from '../../changes-of.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { reloadUsers, type User, type UserDialogProps } from './user.ts'
import { toBody, userFields, UserForm, type UserValues } from './user-form.tsx'

/** Changes the profile, the role, the quota, and the budget of a user. */
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
        save.mutate({ params: { path: { id: user.id } }, body: changesOf(toBody(before), toBody(values)) })
      }
      title={`Edit ${user.name}`}
      description="A new tier, quota, or budget applies to the next request, also to what was used this month."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <FormError error={save.error} shown={userFields} />
      <UserForm values={values} onChange={setValues} errors={fields} />
    </Dialog>
  )
}

function valuesOf(user: User): UserValues {
  const { name, email, role, tier, quota_limit, quota_scope } = user
  const quotaLimit = quota_limit === null ? '' : String(quota_limit)
  return { ...budgetValuesOf(user), name, email, role, tier, quotaLimit, quota_scope }
}
