import type { AttemptLimits } from '../access/attempt-limits.ts'
import type { Authenticator } from '../access/authenticator.ts'
import type { SessionTokens } from '../access/session-tokens.ts'
import type { PasswordHasher } from '../ports/password-hasher.ts'
import type { Services } from '../runtime/services.ts'

/** The services that the operations of accounts get. */
export interface AccountServices extends Services {
  readonly authenticator: Authenticator
  readonly passwords: PasswordHasher
  readonly attempts: AttemptLimits
  readonly sessionTokens: SessionTokens
  /** Whether anyone may sign up. */
  readonly signup: boolean
}
