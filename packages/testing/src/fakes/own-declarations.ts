import { accountOperations, auditOperations } from '@fairlead/accounts'
import { type Edges, operations as gatewayOperations } from '@fairlead/core'
import { collectScopes, gateway, mergeEdges } from '@fairlead/core/workspace'
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

const features = [gateway, ...ownFeatures()]

/** The edges of Fairlead's features. */
export const edges: Edges = mergeEdges(features)

/** Every scope of Fairlead's features, with what it allows. */
export const scopes = collectScopes(features)
