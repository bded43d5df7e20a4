import type { AttemptLimits } from '../access/attempt-limits.ts'
import type { Authenticator } from '../access/authenticator.ts'
import type { SessionTokens } from '../access/session-tokens.ts'
import type { AnswerCache } from '../inference/cache/answer-cache.ts'
import type { HealthChecks } from '../inference/routing/provider-health.ts'
import type { Registry } from '../inference/catalog/registry.ts'
import type { Router } from '../inference/routing/router.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { PasswordHasher } from '../ports/password-hasher.ts'
import type { Stores } from '../ports/stores.ts'

/** What operations work with. */
export interface Services {
  readonly registry: Registry
  readonly router: Router
  readonly health: HealthChecks
  readonly answers: AnswerCache
  /** The text model that analyzes what no analyzer reads. */
  readonly analysisModel: string | undefined
  readonly stores: Stores
  readonly blobs: Blobs
  /** Where the outside reaches the service, without a slash at the end; empty in an embedding program that names none. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly authenticator: Authenticator
  readonly passwords: PasswordHasher
  readonly attempts: AttemptLimits
  readonly sessionTokens: SessionTokens
  /** Whether anyone may sign up. */
  readonly signup: boolean
}
