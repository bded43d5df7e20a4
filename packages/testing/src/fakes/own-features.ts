import { accounts, type AccountsOptions, accountOperations, audit, auditOperations } from '@fairlead/accounts'
import { type Clock, type Edges, operations as gatewayOperations } from '@fairlead/core'
import { gateway, mergeEdges } from '@fairlead/core/feature'
import { memoryStores, type StoresFor } from '@fairlead/core/stores'
import { shipmentOperations, shipments } from '@fairlead/shipments'
import { webhookOperations, webhooks, type WebhooksOptions } from '@fairlead/webhooks'

/** The features of Fairlead, besides the gateway. */
export function ownFeatures(options: AccountsOptions & WebhooksOptions = {}) {
  return [accounts(options), shipments(), webhooks(options), audit()] as const
}

/** The stores of all features of Fairlead. */
export interface Stores extends StoresFor<ReturnType<typeof ownFeatures>> {}

/** Read and write access to the records of all features of Fairlead. */
export type Transaction = Parameters<Parameters<Stores['transact']>[0]>[0]

/** Creates stores in memory with the tables of all features of Fairlead. */
export function testStores(options: { readonly clock?: Clock } = {}): Stores {
  return memoryStores({ ...options, features: ownFeatures() })
}

/** Every operation of Fairlead's features, by name. */
export const operations = {
  ...gatewayOperations,
  ...accountOperations,
  ...shipmentOperations,
  ...webhookOperations,
  ...auditOperations,
}

/** The edges of Fairlead's features. */
export const edges: Edges = mergeEdges([gateway, ...ownFeatures()])

/** Every scope of Fairlead's features, with what it allows. */
export const scopes: Readonly<Record<string, string>> = Object.assign(
  {},
  ...[gateway, ...ownFeatures()].map((feature) => feature.scopes),
)
