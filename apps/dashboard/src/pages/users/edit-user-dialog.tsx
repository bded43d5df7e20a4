import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { reloadUsers, type User, type UserDialogProps } from './user.ts'
import { toBody, UserForm, type UserValues } from './user-form.tsx'

/** Changes the profile, the role, and the quota of a user. */
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
      description="A new tier or quota applies to the next request, also to units that were used this month."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      {save.error && fields?.size === 0 ? <ErrorPanel error={save.error} /> : null}
      <UserForm values={values} onChange={setValues} errors={fields} />
    </Dialog>
  )
}

function valuesOf({ name, email, role, tier, quota_limit }: User): UserValues {
  return { name, email, role, tier, quotaLimit: quota_limit === null ? '' : String(quota_limit) }
}

/** Only what was changed, so that changes of others meanwhile are kept. */
function changesOf<Body extends object>(before: Body, after: Body): Partial<Body> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== before[name as keyof Body]),
  ) as Partial<Body>
}
