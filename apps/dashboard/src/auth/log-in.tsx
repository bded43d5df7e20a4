import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AuthCard } from './auth-card.tsx'
import { guestRoute } from './guest-routes.ts'
import { oidcRefusals } from './oidc-refusals.ts'
import { OidcLink } from './oidc-link.tsx'
import { PasswordForm } from './password-form.tsx'
import { signInMethods } from './sign-in-methods.ts'

export function LogIn() {
  const { next, link, sso } = guestRoute.useSearch()
  const { passwords, signup, oidc } = signInMethods
  return (
    <AuthCard
      title="Log in"
      footer={
        signup && (
          <>
            No account yet?{' '}
            <Link to="/signup" search={true} className="font-medium text-accent hover:underline">
              Sign up
            </Link>
          </>
        )
      }
    >
      {link === 'rejected' && (
        <Notice>
          The sign-in link is not valid anymore. It works once, within 15 minutes.{' '}
          {passwords ? 'Log in with your password, or set one with ' : 'Make another with '}
          <code className="font-mono text-xs">fairlead user {passwords ? 'set-password' : 'sign-in-link'}</code>.
        </Notice>
      )}
      {sso && <Notice>{oidcRefusals[sso]}</Notice>}
      {oidc && <OidcLink variant="primary" className="w-full" next={next} />}
      {oidc && passwords && (
        <p className="my-4 flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </p>
      )}
      {passwords && <PasswordForm isOnlyMethod={!oidc} />}
    </AuthCard>
  )
}

function Notice({ children }: { readonly children: ReactNode }) {
  return (
    <p role="alert" className="mb-4 rounded-lg bg-warning-soft p-3 text-sm text-pretty text-warning">
      {children}
    </p>
  )
}
