/** The ceremonies of WebAuthn for passkeys. */
export { webAuthnPasskeys } from './web-authn-passkeys.ts'
export type { WebAuthnPasskeysOptions } from './web-authn-passkeys.ts'
