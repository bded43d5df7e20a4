import { operationsFor, type Services } from '@fairlead/core'
import type { AccountStores } from './account-stores.ts'
import type { InvitationMail, InvitationProofs } from './projects/invitation-mail.ts'
import type { AccountAuthenticator } from './authenticator.ts'
import type { PasskeyCeremonies } from './passkeys/passkey.ts'
import type { AdminSecondFactor } from './passkeys/required-passkey.ts'
import type { PasskeyTokens } from './passkeys/passkey-tokens.ts'
import type { PasswordHasher } from './sessions/passwords.ts'
import type { AttemptLimits } from './sessions/attempt-limits.ts'
import type { SessionTokens } from './sessions/session.ts'
import type { ConfirmIdentity, IssuerTokens } from './identities/issuer-tokens.ts'
import type { AddressMail } from './users/address-mail.ts'
import type { UserDefaults } from './users/user-defaults.ts'
import type { SignInTokens } from './sessions/sign-in-token.ts'
import type { EmailTokens } from './users/email-tokens.ts'

export interface AccountServices extends Services {
  readonly stores: AccountStores
  readonly authenticator: AccountAuthenticator
  readonly passwords: PasswordHasher
  /** Undefined: there are no passkeys. */
  readonly passkeys: PasskeyCeremonies | undefined
  readonly passkeyTokens: PasskeyTokens
  readonly adminSecondFactor: AdminSecondFactor
  readonly attempts: AttemptLimits
  readonly sessionTokens: SessionTokens
  readonly signInTokens: SignInTokens
  readonly signup: boolean
  readonly userDefaults: UserDefaults
  /** How long a session lasts, however often it is refreshed. */
  readonly maxSessionMs: number
  /** Undefined: users of identities sign in again every day. */
  readonly confirmIdentity: ConfirmIdentity | undefined
  readonly issuerTokens: IssuerTokens
  /** Never rejects. Undefined: no invitation is mailed. */
  readonly mailInvitation: ((invitation: InvitationMail) => Promise<void>) | undefined
  readonly invitationProofs: InvitationProofs
  /** Never rejects. Undefined: no email address is verified by mail. */
  readonly mailAddress: ((mail: AddressMail) => Promise<void>) | undefined
  readonly emailTokens: EmailTokens
  /** The scopes of all features. */
  readonly scopes: readonly string[]
}

export const { read, list, write, defineFeature } = operationsFor<AccountServices>()
