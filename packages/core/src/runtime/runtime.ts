import type { Authenticator } from '../access/authenticator.ts'
import type { Cipher } from '../ports/cipher.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { RequestsPerMinute } from '../quota/rate-limit-options.ts'
import type { NewId } from '../values/id.ts'
import type { PendingSettlements } from './pending-settlements.ts'
import type { Services } from './services.ts'
import type { Working } from './working.ts'

/** What runs are made with; the same for all of them. */
export interface Runtime {
  /** Resolves when the models are known. */
  ready(): Promise<Services>
  /** Undefined where no feature has accounts: then no token is accepted. */
  readonly authenticator: Authenticator | undefined
  readonly cipher: Cipher
  readonly clock: Clock
  readonly log: Log
  readonly newId: NewId
  readonly working: Working
  readonly pendingSettlements: PendingSettlements
  readonly rateLimiter: RateLimiter
  /** Burst limits by tier; a tier without one has none. */
  readonly requestsPerMinute: RequestsPerMinute
  /** How long one run may take, in milliseconds. */
  readonly timeoutMs: number
}
