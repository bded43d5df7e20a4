import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { toApiError } from '../api/api-error.ts'
import { publicApi } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { ErrorPanel } from '../components/error-panel.tsx'
import { TextField } from '../components/field.tsx'
import { session } from '../session/browser-session.ts'
import { AuthCard } from './auth-card.tsx'

export function SignUp() {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signup = publicApi.useMutation('post', '/auth/signup', { onSuccess: ({ data }) => session.adopt(data) })
  const fields = signup.error ? toApiError(signup.error).fields : new Map<string, string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    signup.mutate({ body: { name, email, password, session: 'cookie' } })
  }

  return (
    <AuthCard
      title="Create an account"
      footer={
        <>
          Already have an account?{' '}
          <Link to="/login" search={true} className="font-medium text-accent hover:underline">
            Log in
          </Link>
        </>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {signup.error && fields.size === 0 ? <ErrorPanel error={signup.error} /> : null}
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          required
          maxLength={100}
          autoFocus
          value={name}
          error={fields.get('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          error={fields.get('email')}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={128}
          hint="At least 12 characters."
          value={password}
          error={fields.get('password')}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit" variant="primary" busy={signup.isPending}>
          Sign up
        </Button>
      </form>
    </AuthCard>
  )
}
