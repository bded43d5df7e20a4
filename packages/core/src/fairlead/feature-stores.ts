import type { GatewayTransaction, GatewayView } from '../gateway/images/images.ts'
import type { TransactionOf, ViewOf } from '../runtime/declare.ts'
import type { Feature } from '../runtime/feature.ts'
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
