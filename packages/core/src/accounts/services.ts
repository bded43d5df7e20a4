import type { Services } from '../runtime/call.ts'
import type { AccountStores } from './stores.ts'
import type { AccountAuthenticator } from './authenticator.ts'
import type { PasswordHasher } from './passwords.ts'
import type { AttemptLimits } from './attempt-limits.ts'
import type { SessionTokens } from './session.ts'

/** What the operations of accounts get as their first argument. */
export interface AccountServices extends Services {
  readonly stores: AccountStores
  readonly authenticator: AccountAuthenticator
  readonly passwords: PasswordHasher
  readonly attempts: AttemptLimits
  readonly sessionTokens: SessionTokens
  /** Whether anyone may sign up. */
  readonly signup: boolean
}
