interface SignInMethods {
  readonly passwords: boolean
  readonly signup: boolean
  /** The origin of the pages that can use passkeys. Undefined: there are none. */
  readonly passkeys?: string
  /** Whether the service mails links that verify an email address. */
  readonly mail?: boolean
  /** The OpenID Connect provider, and the address that begins a sign-in there. */
  readonly oidc?: { readonly name: string; readonly url: string }
}

/** How people sign in, as the service writes it into the page. The development server writes nothing. */
export const signInMethods: SignInMethods = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=fairlead-sign-in]')?.content || '{"passwords":true,"signup":true}',
)
