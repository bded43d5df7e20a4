import type { Keyring } from './keyring.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { Operation } from './operation.ts'
import type { ReferenceSection } from './operation.ts'
import type { Authenticator } from './access.ts'
import type { RuntimeTransaction, RuntimeStores } from './stores.ts'
import type { Call } from './call.ts'

/** Operations by name, and operations of a noun by verb: `{ analyze, models: { list, get } }`. */
export type OperationTree = Readonly<Record<string, Operation | Readonly<Record<string, Operation>>>>

/**
 * A part of the service: operations, and what they need beside core's own services.
 *
 * @example
 *   export const translation = defineFeature({ name: 'translation', operations: { translate } })
 *   const fairlead = createFairlead({ providers, features: [translation] })
 *   await fairlead.translate({ text: 'Guten Morgen', to: 'en' })
 */
export interface Feature<Operations extends OperationTree = OperationTree, Methods = unknown> {
  /** Unique among the features of a core. */
  readonly name: string
  /** Each becomes an embedded method of the same name, grouped by noun. */
  readonly operations: Operations
  /** For the compiler alone: types for the methods that read better than those inferred from the operations. */
  readonly methods?: Methods
  /** The parts of the API reference that its paths belong to. Default: the part `Service`. */
  readonly sections?: readonly ReferenceSection[]
  /** Removes what the feature keeps for a user, in the transaction that deletes the user. Default: nothing. */
  removeUserData?(tx: RuntimeTransaction, call: Call, userId: string): Promise<void>
  /** Called once by `createFairlead`. */
  setUp?(core: FeatureContext): FeatureParts
}

/** What a feature is built on. */
export interface FeatureContext<Stores extends RuntimeStores = RuntimeStores> {
  readonly stores: Stores
  readonly clock: Clock
  readonly log: Log
  readonly keyring: Keyring
}

/** What a feature contributes. */
export interface FeatureParts {
  /** Added to the services that operations get as their first argument. */
  readonly services?: object
  /** Turns tokens into accounts. One feature of a core may have one. */
  readonly authenticator?: Authenticator
}

/** Declares a feature. */
export function defineFeature<const Operations extends OperationTree, Methods = unknown>(
  feature: Feature<Operations, Methods>,
): Feature<Operations, Methods> {
  return feature
}

/** All operations of some features, in the order of their declaration. Throws if two features or operations share a name. */
export function operationsOf(features: readonly Feature[]): readonly Operation[] {
  const featureNames = new Set<string>()
  for (const { name } of features) {
    if (featureNames.has(name)) throw new TypeError(`Two features are named "${name}". Rename one of them.`)
    featureNames.add(name)
  }
  const operations = features.flatMap((feature) => Object.values(feature.operations).flatMap(flat))
  const names = new Set<string>()
  for (const { name } of operations) {
    if (names.has(name)) throw new TypeError(`Two operations are named "${name}". Rename one of them.`)
    names.add(name)
  }
  return operations
}

function flat(entry: Operation | Readonly<Record<string, Operation>>): readonly Operation[] {
  return isOperation(entry) ? [entry] : Object.values(entry)
}

export function isOperation(entry: Operation | Readonly<Record<string, Operation>>): entry is Operation {
  return typeof entry['kind'] === 'string'
}
