import { type FormEvent, useState } from 'react'
import { publicApi } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { ErrorPanel } from '../components/error-panel.tsx'
import { TextField } from '../components/field.tsx'
import { session } from '../session/browser-session.ts'

/** @param isOnlyMethod whether people can log in only with it, so that they begin to type at once */
export function PasswordForm({ isOnlyMethod }: { readonly isOnlyMethod: boolean }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const login = publicApi.useMutation('post', '/auth/login', { onSuccess: ({ data }) => session.adopt(data) })

  function submit(event: FormEvent) {
    event.preventDefault()
    login.mutate({ body: { email, password, session: 'cookie' } })
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
    </form>
  )
}
