import type { Authenticator } from './access.ts'
import type { AuditSink } from './audit-entry.ts'
import type { Clock } from './clock.ts'
import { operationBuilders, type OperationBuilders, type TransactionOf } from './declare.ts'
import type { EventType, EventSink } from './events/event-type.ts'
import type { Keyring } from './keyring.ts'
import type { Log } from './log.ts'
import type { Edges } from './loaders.ts'
import type { CallObserver } from './observer.ts'
import type { Operation } from './operation.ts'
import type { OperationRun, Services } from './run/operation-run.ts'
import type { UndoLog } from './stores/memory-table.ts'
import type { RuntimeStores, RuntimeTransaction } from './stores/stores.ts'

/** Operations by name, or grouped by noun: `{ analyze, models: { list, get } }`. */
export type OperationTree<Given = never> = Readonly<
  Record<string, Operation<Given> | Readonly<Record<string, Operation<Given>>>>
>

/** A part of the service: operations, and what they need. Declare it with `defineFeature`. */
export interface Feature<Operations extends OperationTree = OperationTree, Methods = unknown, Given = never> {
  /** Unique among the features of a core. */
  readonly name: string
  /** Each becomes an embedded method with the same name and group. */
  readonly operations: Operations
  /** Not used at run time: types of the methods that are easier to read than those inferred from the operations. */
  readonly methods?: Methods
  /** Never set. The type of the services that its operations get. */
  readonly needs?: (services: Given) => void
  /**
   * The permissions that its operations require, with what each allows: `{ notes: 'Read and write notes.' }`. Lowercase
   * letters, digits, and underscores. Default: no scopes.
   */
  readonly scopes?: Readonly<Record<string, string>>
  /** The sections of the API reference that its paths belong to. Default: the section `Service`. */
  readonly sections?: readonly ReferenceSection[]
  /** The event types that its operations emit, besides the events of model calls. Default: none. */
  readonly events?: readonly EventType[]
  /** Edges from its records and from others', by the name of the type and of the field. For graphs. Default: none. */
  readonly edges?: Edges
  /**
   * Creates its tables for `memoryStores`. Stores of other kinds bring tables for it themselves. Default: it has no
   * tables, or only those that `tables` names.
   */
  memoryTables?(memory: MemoryContext): object
  /** The tables of a feature without `memoryTables`: the stores that `createFairlead` gets must have them. Default: none. */
  readonly tables?: readonly string[]
  /** Removes the feature's records of a user, in the transaction that deletes the user. Default: does nothing. */
  removeUserData?(tx: RuntimeTransaction, call: OperationRun, userId: string): Promise<void>
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

/** The dependencies of tables in memory. */
export interface MemoryContext {
  /** How to undo the changes of the current transaction, which each `MemoryTable` adds to. */
  readonly undo: UndoLog
  readonly clock: Clock
  /** The tables of all features, once they are made. */
  tables(): RuntimeTransaction
}

export interface FeatureContext<Stores = RuntimeStores> {
  readonly stores: Stores
  readonly clock: Clock
  readonly log: Log
  /** The observer of the core. */
  readonly observer: CallObserver
  readonly keyring: Keyring
  /** The event types of all features. */
  readonly eventTypes: readonly EventType[]
  /** The scopes of all features. */
  readonly scopes: readonly string[]
  /** Adds entries to the audit log at the end of a transaction. Discards them if no feature has a log. Not for use in `setUp`. */
  readonly addAuditEntries: AuditSink['add']
  /** Adds events in a transaction. Discards them if no feature stores events. Not for use in `setUp`. */
  addEvents(...added: Parameters<EventSink['add']>): Promise<unknown>
  /** Tells who waits for events that some were committed. Not for use in `setUp`. */
  readonly eventsCommitted: EventSink['committed']
}

/** The parts that a feature adds to a core. */
export interface FeatureParts<Tx = RuntimeTransaction> {
  /** Added to the services that operations get as their first argument. */
  readonly services?: object
  /** At most one feature of a core may have one. */
  readonly authenticator?: Authenticator
  /** Stores the events of runs. At most one feature of a core may have one. */
  readonly eventSink?: EventSink
  /** Stores the entries of the audit log. At most one feature of a core may have one. */
  readonly auditSink?: AuditSink
  /** Checks, and loads, what the first call would wait for. Called by `start()`, which rejects if this does. */
  start?(): Promise<void>
  /** Rejects unless what the feature writes besides the stores can be written. For `/readyz`. */
  checkWrites?(): Promise<void>
  /** Removes expired records. Called every hour, by each process that called `startJobs`. */
  removeExpired?(round: RetentionRound<Tx>): Promise<void>
  /** Starts the feature's background work. Called by `startJobs`, which not every process calls. */
  startJob?(): Job
  /** Releases what the feature holds, such as connections. Called by `close()`, once no operation runs any more. */
  close?(): void | Promise<void>
}

/** One round of the job that removes expired records. */
export interface RetentionRound<Tx = RuntimeTransaction> {
  /** The time by which ages are computed, in milliseconds since the epoch. */
  readonly now: number
  /** Aborts when the job stops. */
  readonly signal: AbortSignal
  /** The instant so many days before `now`, in milliseconds since the epoch. */
  daysAgo(days: number): number
  /**
   * Removes records in transactions that other work does not wait for, until `remove` removes fewer than `limit`.
   *
   * @param remove removes at most `limit` records, and returns how many, or their ids
   * @param onRemoved called after each transaction
   */
  inBatches<Removed extends number | readonly string[]>(
    remove: (tx: Tx, limit: number) => Promise<Removed>,
    onRemoved?: (removed: Removed) => Promise<void>,
  ): Promise<void>
}

/** Background work of a feature, as its `startJob` returns it. */
export interface Job {
  /** Looks for work now: another process has stored some. */
  wake?(): void
  /** Stops the job. Resolves when its current work has ended. */
  stop(): Promise<void>
}

type TablesBeyond<Given, Base> = Exclude<keyof TransactionOf<Given>, keyof TransactionOf<Base>> & string

/** Each table of a feature is in memory by default, or named, so that the types of its core require stores that have it. */
type TableDeclaration<Given, Base, Tables> =
  | { readonly memoryTables: (memory: MemoryContext) => Partial<TransactionOf<Given>>; readonly tables?: never }
  | ([TablesBeyond<Given, Base>] extends [never]
      ? { readonly memoryTables?: never; readonly tables?: never }
      : { readonly memoryTables?: never; readonly tables: Tables })

/** A feature with tables that only stores of the embedding program have. */
export interface StoredFeature {
  readonly tables: readonly [string, ...string[]]
}

/** A feature as it is declared: with the types of its services, and with each of them that `Base` lacks. */
type FeatureDeclaration<Operations extends OperationTree, Methods, Given extends Services, Base> = Omit<
  Feature<Operations, Methods, Given>,
  'needs' | 'memoryTables' | 'tables' | 'removeUserData' | 'setUp'
> & {
  readonly removeUserData?: (tx: TransactionOf<Given>, call: OperationRun, userId: string) => Promise<void>
} & ([Exclude<keyof Given, keyof Base>] extends [never]
    ? { readonly setUp?: (core: FeatureContext<Given['stores']>) => FeatureParts<TransactionOf<Given>> }
    : {
        readonly setUp: (core: FeatureContext<Given['stores']>) => FeatureParts<TransactionOf<Given>> & {
          readonly services: { readonly [Own in Exclude<keyof Given, keyof Base>]: Given[Own] }
        }
      })

/** Declare the operations of a feature, and the feature itself. */
export interface FeatureBuilders<Given extends Services, Base = Services> extends OperationBuilders<Given> {
  /**
   * Declares a feature. Its `setUp` returns the services that its operations get besides Fairlead's. If it has tables, it has
   * `memoryTables`, or names them in `tables`.
   */
  defineFeature<
    const Operations extends OperationTree<Given>,
    Methods = unknown,
    const Tables extends readonly TablesBeyond<Given, Base>[] = readonly [],
  >(
    feature: FeatureDeclaration<Operations, Methods, Given, Base> & TableDeclaration<Given, Base, Tables>,
  ): Feature<Operations, Methods, Given> &
    (Tables extends StoredFeature['tables'] ? { readonly tables: Tables } : unknown)
}

const builders = { ...operationBuilders, defineFeature: (feature: Feature) => feature }

/** Returns the builders for operations whose functions get the services `Given`. */
export function operationsFor<Given extends Services, Base = Services>(): FeatureBuilders<Given, Base> {
  return builders as never
}

type OperationsIn<Tree> = Tree extends OperationTree
  ? { [Name in keyof Tree]: Tree[Name] extends Operation ? Tree[Name] : Tree[Name][keyof Tree[Name]] }[keyof Tree]
  : never
type ByName<Op> = { readonly [Each in Op as Each extends Operation ? Each['name'] : never]: Each }

/** Returns the operations of a feature by their names, for programs that run them with `core.run`. */
export function operationsByName<Tree extends OperationTree>(tree: Tree): ByName<OperationsIn<Tree>> {
  const all = collectOperations([{ name: '', operations: tree }])
  return Object.fromEntries(all.map((operation) => [operation.name, operation])) as ByName<OperationsIn<Tree>>
}

/** Returns all operations in the order of their declaration. Throws if two features or operations have the same name. */
export function collectOperations(features: readonly Feature[]): readonly Operation[] {
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
export function collectEventTypes(features: readonly Feature[]): readonly EventType[] {
  const events = features.flatMap((feature) => [
    ...collectOperations([feature]).flatMap((operation) =>
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

const scopeName = /^[a-z][a-z0-9_]{0,39}$/

/**
 * Returns the scopes of all features with their descriptions, in the order of the features. Throws if two features have the
 * same scope, or if no feature has the scope that an operation or an event type requires.
 */
export function collectScopes(features: readonly Feature[]): Readonly<Record<string, string>> {
  const scopes = features.flatMap((feature) => Object.entries(feature.scopes ?? {}))
  const names = scopes.map(([name]) => name)
  requireUnique('scopes', names)
  const invalid = names.find((name) => !scopeName.test(name))
  if (invalid !== undefined) {
    throw new TypeError(`The scope "${invalid}" may have only lowercase letters, digits, and underscores.`)
  }
  const required = [
    ...collectOperations(features).map(
      ({ name, access }) => [`operation "${name}"`, 'scope' in access ? access.scope : undefined] as const,
    ),
    ...collectEventTypes(features).map(({ type, scope }) => [`event type "${type}"`, scope] as const),
  ]
  for (const [thing, scope] of required) {
    if (scope === undefined || names.includes(scope)) continue
    throw new TypeError(
      `The ${thing} requires the scope "${scope}", which no feature has. Scopes: ${names.join(', ')}.`,
    )
  }
  return Object.fromEntries(scopes)
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

/** A feature that fails to close must not keep the stores from closing. */
export async function closePart(part: FeatureParts, log: Log): Promise<void> {
  try {
    await part.close?.()
  } catch (error) {
    log.error({ error }, 'closing a feature failed')
  }
}
