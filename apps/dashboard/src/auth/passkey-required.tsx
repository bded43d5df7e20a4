import { type FormEvent, useState } from 'react'
import { toApiError } from '../api/api-error.ts'
import { Button } from '../components/button.tsx'
import { CurrentPasswordField } from '../components/current-password-field.tsx'
import { FormError } from '../components/form-error.tsx'
import { session } from '../session/browser-session.ts'
import { useUser } from '../session/use-session.ts'
import { AuthCard } from './auth-card.tsx'
import { useAddPasskey } from './use-add-passkey.ts'

/** In place of every page, until an admin who needs a passkey has one. */
export function PasskeyRequired() {
  const { email } = useUser()
  const [password, setPassword] = useState('')
  const add = useAddPasskey(() => void session.renewNow().catch(() => {}))
  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate({ password })
  }
  return (
    <AuthCard title="Add a passkey" footer={email}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <FormError error={add.error} shown={['current_password']} />
        <p className="text-sm text-pretty text-muted">
          Admins of this service log in with a passkey after their password: a fingerprint, the lock of your device, or
          a security key. Add one to go on.
        </p>
        <CurrentPasswordField
          email={email}
          autoFocus
          value={password}
          error={add.error ? toApiError(add.error).fields.get('current_password') : undefined}
          onChange={setPassword}
        />
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={add.isPending}>
            Add passkey
          </Button>
          <Button onClick={() => void session.signOut().catch(() => {})}>Log out</Button>
        </div>
      </form>
    </AuthCard>
  )
}
