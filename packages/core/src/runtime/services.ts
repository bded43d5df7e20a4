import type { AnswerCache } from '../inference/cache/answer-cache.ts'
import type { HealthChecks } from '../inference/routing/provider-health.ts'
import type { Registry } from '../inference/catalog/registry.ts'
import type { Router } from '../inference/routing/router.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { Stores } from '../ports/stores.ts'

/** The services that operations get as their first argument. */
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
}
