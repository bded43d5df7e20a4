import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ErrorPanel } from '../components/error-panel.tsx'
import { TextField } from '../components/field.tsx'
import { session } from '../session/browser-session.ts'
import { OidcLink } from './oidc-link.tsx'
import { signInMethods } from './sign-in-methods.ts'
import { useLogIn } from './use-log-in.ts'

/** Asks for the password over the page when the session has ended. What was typed stays, and requests that wait continue. */
export function LogInAgain({ email }: { readonly email: string }) {
  const [password, setPassword] = useState('')
  const login = useLogIn()
  const { passwords } = signInMethods
  const submit = () => (login.needsPasskey ? login.withPasskey() : login.withPassword({ email, password }))
  return (
    <Dialog
      open
      title="Your session has ended"
      description="Log in again to continue where you were. Nothing that you typed is lost."
      onSubmit={passwords ? submit : undefined}
      footer={
        <>
          <Button onClick={() => void session.signOut().catch(() => {})}>Log out</Button>
          {/* In another tab, whose session this one takes over. */}
          <OidcLink variant={passwords ? 'secondary' : 'primary'} target="_blank" rel="noopener" />
          {passwords && (
            <Button type="submit" variant="primary" busy={login.isPending}>
              {login.needsPasskey ? 'Use passkey' : 'Log in'}
            </Button>
          )}
        </>
      }
    >
      {passwords && (
        <>
          {login.error ? <ErrorPanel error={login.error} /> : null}
          {/* Password managers find the account by it. */}
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <TextField
            label="Password"
            hint={`The password of ${email}.`}
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </>
      )}
    </Dialog>
  )
}
