import { type Clock, systemClock } from '../runtime/clock.ts'
import type { Feature } from '../runtime/feature.ts'
import { openMemoryStores } from '../runtime/stores/memory-stores.ts'
import { gateway } from '../gateway/gateway.ts'
import type { StoresFor } from './feature-stores.ts'

/**
 * Creates stores in memory, which are lost when the process ends: for tests and embedding, and as the reference for other
 * stores. Transactions run one after the other. A rejected one is rolled back.
 *
 * @param options its `features` are those whose tables the stores have. Default: none, so that only the gateway's
 *   tables exist
 */
export function memoryStores<const Features extends readonly Feature[] = readonly []>({
  clock = systemClock,
  features = [] as readonly Feature[] as Features,
}: { readonly clock?: Clock; readonly features?: Features } = {}): StoresFor<Features> {
  return openMemoryStores([gateway, ...features], clock) as StoresFor<Features>
}
