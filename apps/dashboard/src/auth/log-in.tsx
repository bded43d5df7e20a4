import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { publicApi } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { ErrorPanel } from '../components/error-panel.tsx'
import { TextField } from '../components/field.tsx'
import { session } from '../session/browser-session.ts'
import { AuthCard } from './auth-card.tsx'
import { guestRoute } from './guest-routes.ts'

export function LogIn() {
  const search = guestRoute.useSearch()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const login = publicApi.useMutation('post', '/auth/login', { onSuccess: ({ data }) => session.adopt(data) })

  function submit(event: FormEvent) {
    event.preventDefault()
    login.mutate({ body: { email, password, session: 'cookie' } })
  }

  return (
    <AuthCard
      title="Log in"
      footer={
        <>
          No account yet?{' '}
          <Link to="/signup" search={true} className="font-medium text-accent hover:underline">
            Sign up
          </Link>
        </>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {search.link === 'rejected' && !login.error && (
          <p role="alert" className="rounded-lg bg-warning-soft p-3 text-sm text-warning">
            The sign-in link is not valid anymore. It works once, within 15 minutes. Log in with your password, or set
            one with <code className="font-mono text-xs">fairlead user set-password</code>.
          </p>
        )}
        {login.error ? <ErrorPanel error={login.error} /> : null}
        <TextField
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
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
        <Button type="submit" variant="primary" busy={login.isPending}>
          Log in
        </Button>
      </form>
    </AuthCard>
  )
}
