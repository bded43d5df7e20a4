import { accounts } from '../accounts/accounts.ts'
import { gateway } from '../gateway/gateway.ts'
import type { Operation } from '../runtime/define-operation.ts'
import { operationsOf, type OperationTree } from '../runtime/feature.ts'
import { shipments } from '../shipments/shipments.ts'

const features = [gateway, accounts(), shipments()] as const

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
