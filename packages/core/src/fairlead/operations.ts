import { accounts, type AccountsOptions } from '../accounts/accounts.ts'
import { findKeyBudgets, findKeyUsage, findKeys, findUserBudgets } from '../accounts/loaders.ts'
import { audit } from '../audit/audit.ts'
import { gateway } from '../gateway/gateway.ts'
import { findModels } from '../gateway/models.ts'
import { type OperationTree, operationsOf, scopesOf } from '../runtime/feature.ts'
import type { Operation } from '../runtime/operation.ts'
import { findShipmentOwners } from '../shipments/loaders.ts'
import { shipments } from '../shipments/shipments.ts'
import { webhooks, type WebhooksOptions } from '../webhooks/webhooks.ts'

/** The features of Fairlead itself, besides the gateway. */
export function ownFeatures(options: AccountsOptions & WebhooksOptions = {}) {
  return [accounts(options), shipments(), webhooks(options), audit()] as const
}

const features = [gateway, ...ownFeatures()] as const

type Trees = (typeof features)[number]['operations']
type OperationsIn<Tree> = Tree extends OperationTree
  ? { [Name in keyof Tree]: Tree[Name] extends Operation ? Tree[Name] : Tree[Name][keyof Tree[Name]] }[keyof Tree]
  : never
type ByName<Op> = { readonly [Each in Op as Each extends Operation ? Each['name'] : never]: Each }

/**
 * Every operation of Fairlead's own features, by name, for `core.run`.
 *
 * @example
 *   await core.run(operations.createShipment, credentials, input)
 */
export const operations = Object.fromEntries(
  operationsOf(features).map((operation) => [operation.name, operation]),
) as ByName<OperationsIn<Trees>>

/** Every scope of Fairlead's own features, with what it allows. */
export const scopes: Readonly<Record<string, string>> = scopesOf(features)

/** The loaders for the edges of a graph. */
export const loaders = {
  keys: findKeys,
  keyBudgets: findKeyBudgets,
  keyUsage: findKeyUsage,
  models: findModels,
  shipmentOwners: findShipmentOwners,
  userBudgets: findUserBudgets,
} as const
