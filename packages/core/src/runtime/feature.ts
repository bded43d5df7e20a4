import type { Keyring } from './keyring.ts'
import type { Clock } from './clock.ts'
import type { EventSink } from './events/events.ts'
import type { EventType } from './events/event-type.ts'
import type { Log } from './log.ts'
import type { Operation } from './operation.ts'
import type { Authenticator } from './access.ts'
import type { RuntimeTransaction, RuntimeStores } from './stores/stores.ts'
import type { Call } from './run/call.ts'

/** Operations by name, or grouped by noun: `{ analyze, models: { list, get } }`. */
export type OperationTree = Readonly<Record<string, Operation | Readonly<Record<string, Operation>>>>

/**
 * A part of the service: operations, and the services that they add to those of core.
 *
 * @example
 *   export const translation = defineFeature({ name: 'translation', operations: { translate } })
 *   const fairlead = createFairlead({ providers, features: [translation] })
 *   await fairlead.translate({ text: 'Guten Morgen', to: 'en' })
 */
export interface Feature<Operations extends OperationTree = OperationTree, Methods = unknown> {
  /** Unique among the features of a core. */
  readonly name: string
  /** Each becomes an embedded method with the same name and group. */
  readonly operations: Operations
  /** Not used at run time: types of the methods that are easier to read than those inferred from the operations. */
  readonly methods?: Methods
  /** The sections of the API reference that its paths belong to. Default: the section `Service`. */
  readonly sections?: readonly ReferenceSection[]
  /** The event types that its operations emit, besides those of model calls. Default: none. */
  readonly events?: readonly EventType[]
  /** Removes the feature's records of a user, in the transaction that deletes the user. Default: does nothing. */
  removeUserData?(tx: RuntimeTransaction, call: Call, userId: string): Promise<void>
  /** Called once by `createFairlead`. */
  setUp?(core: FeatureContext): FeatureParts
}

/** A section of the API reference: the paths that begin with one of its segments. */
export interface ReferenceSection {
  readonly name: string
  readonly description: string
  readonly segments: readonly string[]
  /** The prefix under which the reference lists its paths. Default: none. */
  readonly prefix?: '' | '/v1' | '/api/v1'
}

export interface FeatureContext<Stores extends RuntimeStores = RuntimeStores> {
  readonly stores: Stores
  readonly clock: Clock
  readonly log: Log
  readonly keyring: Keyring
  /** The event types of all features. */
  readonly eventTypes: readonly EventType[]
}

export interface FeatureParts {
  /** Added to the services that operations receive as their first argument. */
  readonly services?: object
  /** At most one feature of a core may have one. */
  readonly authenticator?: Authenticator
  /** Stores the events of runs. At most one feature of a core may have one. */
  readonly eventSink?: EventSink
  /** Starts the feature's background work. Called by `startJobs`, which not every process calls. */
  startJob?(): Job
}

export interface Job {
  /** Stops the job. Resolves when its current work has ended. */
  stop(): Promise<void>
}

export function defineFeature<const Operations extends OperationTree, Methods = unknown>(
  feature: Feature<Operations, Methods>,
): Feature<Operations, Methods> {
  return feature
}

/** Returns all operations in the order of their declaration. Throws if two features or operations have the same name. */
export function operationsOf(features: readonly Feature[]): readonly Operation[] {
  const operations = features.flatMap((feature) => Object.values(feature.operations).flatMap(flatten))
  requireUnique(
    'features',
    features.map(({ name }) => name),
  )
  requireUnique(
    'operations',
    operations.map(({ name }) => name),
  )
  return operations
}

/** Returns all event types, in the order of the features. Throws if two have the same name. */
export function eventTypesOf(features: readonly Feature[]): readonly EventType[] {
  const events = features.flatMap((feature) => [
    ...operationsOf([feature]).flatMap((operation) =>
      operation.kind === 'action' && operation.events ? [operation.events.completed, operation.events.failed] : [],
    ),
    ...(feature.events ?? []),
  ])
  requireUnique(
    'event types',
    events.map(({ type }) => type),
  )
  return events
}

function requireUnique(things: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new TypeError(`Two ${things} are named "${twice}". Rename one of them.`)
}

function flatten(entry: Operation | Readonly<Record<string, Operation>>): readonly Operation[] {
  return isOperation(entry) ? [entry] : Object.values(entry)
}

export function isOperation(entry: Operation | Readonly<Record<string, Operation>>): entry is Operation {
  return typeof entry['kind'] === 'string'
}
