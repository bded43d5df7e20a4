import type { ComponentProps } from 'react'
import { buttonClass, type ButtonVariant } from '../components/button.tsx'
import { classNames } from '../components/class-names.ts'
import { signInMethods } from './sign-in-methods.ts'

interface OidcLinkProps extends ComponentProps<'a'> {
  readonly variant?: ButtonVariant
  /** The page to show after the sign-in. Default: the first one. */
  readonly next?: string | undefined
}

/** Leads to the OpenID Connect provider. Nothing if the service has none. */
export function OidcLink({ variant, next, className, ...props }: OidcLinkProps) {
  const { oidc } = signInMethods
  if (!oidc) return null
  const query = next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`
  return (
    <a {...props} href={oidc.url + query} className={classNames(buttonClass({ variant }), className)}>
      Sign in with {oidc.name}
    </a>
  )
}
