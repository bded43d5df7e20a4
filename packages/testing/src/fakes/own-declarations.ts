import { accountOperations, auditOperations } from '@fairlead/accounts'
import { type Edges, operations as gatewayOperations } from '@fairlead/core'
import { gateway, mergeEdges } from '@fairlead/core/workspace'
import { shipmentOperations } from '@fairlead/shipments'
import { webhookOperations } from '@fairlead/webhooks'
import { ownFeatures } from './own-features.ts'

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
