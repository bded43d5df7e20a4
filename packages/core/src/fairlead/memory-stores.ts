import { type Clock, systemClock } from '../runtime/clock.ts'
import type { Feature } from '../runtime/feature.ts'
import { openMemoryStores } from '../runtime/stores/memory-stores.ts'
import { gateway } from '../gateway/gateway.ts'
import type { Stores, StoresFor } from './feature-stores.ts'
import { ownFeatures } from './operations.ts'

/**
 * Creates stores in memory, which are lost when the process ends: for tests and embedding, and as the reference for other
 * stores. Transactions run one after the other. A rejected one is rolled back.
 *
 * @param options its `features` are those whose tables the stores have. Default: those of Fairlead itself
 */
export function memoryStores(options?: { readonly clock?: Clock }): Stores
export function memoryStores<const Features extends readonly Feature[]>(options: {
  readonly clock?: Clock
  readonly features: Features
}): StoresFor<Features>
export function memoryStores({
  clock = systemClock,
  features = ownFeatures(),
}: { readonly clock?: Clock; readonly features?: readonly Feature[] } = {}) {
  return openMemoryStores([gateway, ...features], clock)
}
