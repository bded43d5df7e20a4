import { operationsFor } from '../runtime/feature.ts'
import type { Services } from '../runtime/run/operation-run.ts'
import type { Registry } from './catalog/registry.ts'
import type { Router } from './routing/router.ts'
import type { HealthChecks } from './routing/provider-health.ts'
import type { ResponseCache } from './caching/response-cache.ts'
import type { ImageRoom } from './images/image-room.ts'
import type { Blobs, GatewayStores } from './images/images.ts'
import type { Outbound } from '../runtime/outbound/outbound.ts'

/** The services that the gateway's operations get as their first argument. */
export interface InferenceServices extends Services {
  readonly stores: GatewayStores
  readonly registry: Registry
  readonly router: Router
  readonly health: HealthChecks
  readonly responseCache: ResponseCache
  /** The text model that analyzes texts which no analyzer supports. */
  readonly analysisModel: string | undefined
  readonly blobs: Blobs
  readonly imageRoom: ImageRoom
  /** Loads the images and files that messages have as URLs. */
  readonly media: Outbound
}

export const { read, action, defineFeature } = operationsFor<InferenceServices, InferenceServices>()
