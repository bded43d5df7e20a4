import { type FormEvent, useState } from 'react'
import { Button } from '../components/button.tsx'
import { ErrorPanel } from '../components/error-panel.tsx'
import { TextField } from '../components/field.tsx'
import { hasPasskeys } from './passkey.ts'
import { useLogIn } from './use-log-in.ts'

/** @param isOnlyMethod whether people can log in only with it, so that they begin to type at once */
export function PasswordForm({ isOnlyMethod }: { readonly isOnlyMethod: boolean }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const login = useLogIn()

  function submit(event: FormEvent) {
    event.preventDefault()
    login.withPassword({ email, password })
  }

  if (login.needsPasskey) {
    return (
      <div className="flex flex-col gap-4">
        {login.error ? <ErrorPanel error={login.error} /> : null}
        <p className="text-sm text-pretty text-muted">
          The password of {email} is correct. Confirm with your passkey that it is you.
        </p>
        <Button variant="primary" busy={login.isPending} onClick={login.withPasskey}>
          Use passkey
        </Button>
        <Button variant="ghost" onClick={login.startOver}>
          Start over
        </Button>
      </div>
    )
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {login.error ? <ErrorPanel error={login.error} /> : null}
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        autoFocus={isOnlyMethod}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" variant={isOnlyMethod ? 'primary' : 'secondary'} busy={login.isPending}>
        Log in
      </Button>
      {hasPasskeys && (
        <Button variant="ghost" busy={login.isPending} onClick={login.withPasskey}>
          Log in with a passkey
        </Button>
      )}
    </form>
  )
}
