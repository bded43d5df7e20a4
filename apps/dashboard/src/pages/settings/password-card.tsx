import { type FormEvent, useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurrentPasswordField } from '../../components/current-password-field.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { TextField } from '../../components/field.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { useUser } from '../../session/use-session.ts'

export function PasswordCard() {
  const { id, email } = useUser()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = api.useMutation('patch', '/api/v1/users/{id}', {
    onSuccess() {
      setCurrent('')
      setNext('')
      toastSuccess('Password changed')
    },
  })
  const fields = change.error ? toApiError(change.error).fields : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    change.mutate({
      params: { path: { id } },
      body: { password: next, current_password: current === '' ? undefined : current },
    })
  }

  return (
    <Card title="Password" description="Changing it ends your other sessions.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        {change.error && fields?.size === 0 ? <ErrorPanel error={change.error} /> : null}
        <CurrentPasswordField
          email={email}
          value={current}
          error={fields?.get('current_password')}
          onChange={setCurrent}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={128}
          hint="At least 12 characters."
          value={next}
          error={fields?.get('password')}
          onChange={(event) => setNext(event.target.value)}
        />
        <div>
          <Button type="submit" busy={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  )
}
