import type { Failure } from '@fairlead/core'

/** Why nobody was signed in. The log-in page has a sentence for each. */
export type RefusalCode =
  | 'cancelled'
  | 'expired'
  | 'unavailable'
  | 'no-email'
  | 'no-group'
  | 'email-unverified'
  | 'email-taken'
  | 'suspended'
  | 'failed'

/** Ends a sign-in. The message is for the operator, who reads it in the log. */
export class SignInRefusal extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The refusal for an identity that core does not sign in. */
export function toRefusal({ error: { code, message, details } }: Failure): SignInRefusal {
  if (code === 'FORBIDDEN') return new SignInRefusal('suspended', message)
  if (code !== 'CONFLICT') return new SignInRefusal('failed', message)
  return details.field === 'email'
    ? new SignInRefusal('email-taken', `${message} FAIRLEAD_OIDC_LINK_BY_EMAIL=on would link it`)
    : new SignInRefusal('email-unverified', `${message} The provider did not send "email_verified": true`)
}
