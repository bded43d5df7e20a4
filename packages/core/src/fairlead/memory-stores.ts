import { type Clock, systemClock } from '../runtime/clock.ts'
import type { Feature } from '../runtime/feature.ts'
import { openMemoryStores } from '../runtime/stores/memory-stores.ts'
import { gateway } from '../gateway/gateway.ts'
import type { GatewayTransaction, GatewayView } from '../gateway/images/images.ts'
import type { TransactionOf, ViewOf } from '../runtime/declare.ts'
import type { RuntimeStores } from '../runtime/stores/stores.ts'

/**
 * The stores that a core with these features needs: the gateway's, which every core has, and the features'.
 * `storeSuite` tests them.
 */
export type StoresFor<Features extends readonly Feature[]> = RuntimeStores<
  GatewayView & ViewsOf<Features>,
  GatewayTransaction & TransactionsOf<Features>
>

type NeedsOf<Each> = Each extends { readonly needs?: (services: infer Given) => void } ? Given : never

type ViewsOf<Features extends readonly unknown[]> = Features extends readonly [infer First, ...infer Others]
  ? ViewOf<NeedsOf<First>> & ViewsOf<Others>
  : unknown

type TransactionsOf<Features extends readonly unknown[]> = Features extends readonly [infer First, ...infer Others]
  ? TransactionOf<NeedsOf<First>> & TransactionsOf<Others>
  : unknown

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
