import { type FormEvent, useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { TextField } from '../../components/field.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { formatLabel } from '../../format.ts'
import { session } from '../../session/browser-session.ts'
import { useUser } from '../../session/use-session.ts'
import { EmailVerification } from './email-verification.tsx'

export function ProfileCard() {
  const user = useUser()
  const [name, setName] = useState(user.name)
  const [email, setEmail] = useState(user.email)
  const [password, setPassword] = useState('')
  const emailChanges = email !== user.email
  const save = api.useMutation('patch', '/api/v1/users/{id}', {
    onSuccess({ data }) {
      session.update(data)
      setPassword('')
      toastSuccess('Profile saved')
    },
  })
  const fields = save.error ? toApiError(save.error).fields : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate({
      params: { path: { id: user.id } },
      body: { name, ...(emailChanges && { email, current_password: password }) },
    })
  }

  return (
    <Card
      title="Profile"
      actions={
        <span className="flex gap-1">
          <Badge tone={user.role === 'admin' ? 'accent' : 'neutral'}>{formatLabel(user.role)}</Badge>
          <Badge>{formatLabel(user.tier)}</Badge>
        </span>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {save.error && fields?.size === 0 ? <ErrorPanel error={save.error} /> : null}
        <TextField
          label="Name"
          autoComplete="name"
          required
          maxLength={100}
          value={name}
          error={fields?.get('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          required
          value={email}
          error={fields?.get('email')}
          onChange={(event) => setEmail(event.target.value)}
        />
        {!emailChanges && <EmailVerification />}
        {emailChanges && (
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            hint="Required to change the email address, which is then no longer verified."
            required
            value={password}
            error={fields?.get('current_password')}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
        <div>
          <Button type="submit" busy={save.isPending} disabled={name === user.name && !emailChanges}>
            Save profile
          </Button>
        </div>
      </form>
    </Card>
  )
}
