/** Why single sign-on signed nobody in, by the code in the address of the log-in page. */
export const oidcRefusals = {
  cancelled: 'You were not signed in, because the sign-in was cancelled.',
  expired: 'The sign-in took longer than ten minutes, or began in another browser. Try again.',
  unavailable: 'The sign-in service does not respond. Try again in a minute.',
  'no-email': 'Your account there has no email address that this service may see. Ask an admin.',
  'no-group': 'You are in none of the groups that may use this service. Ask an admin.',
  'email-unverified':
    'An account with your email address exists here, and the sign-in service has not verified that the address is yours. Ask an admin.',
  'email-taken': 'An account with your email address exists here, and is not linked to your sign-in. Ask an admin.',
  suspended: 'An admin of this service suspended your account.',
  failed: 'The sign-in failed. The log of the service has the reason.',
} as const

export type OidcRefusal = keyof typeof oidcRefusals
