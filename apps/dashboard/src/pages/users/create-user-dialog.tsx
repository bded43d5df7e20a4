import { useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { noBudget } from '../../budgets/budget-values.ts'
import { TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { FormFooter } from '../../components/form-footer.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { reloadUsers } from './user.ts'
import { toUserBody, userFields, UserForm, type UserValues } from './user-form.tsx'

const empty: UserValues = {
  ...noBudget,
  name: '',
  email: '',
  emailVerified: true,
  role: 'member',
  tier: 'free',
  quotaLimit: '',
  quota_scope: 'key',
  networks: '',
  modelNames: '',
}

export function CreateUserDialog({ onClose }: { onClose(): void }) {
  const [values, setValues] = useState(empty)
  const [password, setPassword] = useState('')
  const create = api.useMutation('post', '/api/v1/users', {
    onSuccess({ data }) {
      void reloadUsers()
      toastSuccess(`${data.name} was created`)
      onClose()
    },
  })
  const fields = create.error ? toApiError(create.error).fields : undefined
  return (
    <Dialog
      open
      onOpenChange={onClose}
      onSubmit={() => create.mutate({ body: { ...toUserBody(values), password } })}
      title="Create a user"
      description="The user can log in at once with this email address and password."
      footer={<FormFooter action="Create user" busy={create.isPending} onClose={onClose} />}
    >
      <FormError error={create.error} shown={userFields} />
      <UserForm values={values} onChange={setValues} errors={fields} />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        hint="12 to 128 characters. The user can change it in the settings."
        value={password}
        error={fields?.get('password')}
        onChange={({ target }) => setPassword(target.value)}
      />
    </Dialog>
  )
}
