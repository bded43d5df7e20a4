import type { Credentials } from '../runtime/access.ts'
import type { AuditSink } from '../runtime/audit-entry.ts'
import type { Reconfigurable, Reconfiguration } from '../gateway/configuration.ts'
import type { Dialect } from '../gateway/messages/message.ts'
import type { EventType } from '../runtime/events/event-type.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Observer } from './observer.ts'
import type { Edges, Loader } from '../runtime/loaders.ts'
import type { Operation } from '../runtime/operation.ts'
import type { ReferenceSection } from '../runtime/feature.ts'
import type { Reply, LoaderReply } from '../runtime/run/run.ts'
import type { Failure } from '../runtime/run/envelope.ts'
import type { RunOptions } from '../runtime/run/run-options.ts'

/** The interface that adapters serve, with the methods that start, reconfigure and close a core. */
export interface FairleadCore {
  /** All observers of the core, for adapters. */
  readonly observer: Observer
  /** Every operation, in the order of the features. */
  readonly operations: readonly Operation[]
  /** Every event type, in the order of the features. */
  readonly eventTypes: readonly EventType[]
  /** The scopes of all features, with what each allows. */
  readonly scopes: Readonly<Record<string, string>>
  /** The parts of the API reference. */
  readonly sections: readonly ReferenceSection[]
  /** The edges between the records of all features, for graphs. */
  readonly edges: Edges
  /** Whether a feature turns tokens into accounts. */
  readonly hasAccounts: boolean
  /** Stores changes that are made outside of calls. Undefined without the feature `audit()`. */
  readonly auditSink: AuditSink | undefined
  /**
   * Runs one operation for whom the credentials name. Never rejects: what goes wrong is a `Failure`.
   *
   * @param input also a function that returns a `ReadRequest`, which is called only for callers who may run the operation
   */
  run<Op extends Operation>(
    operation: Op,
    credentials: Credentials,
    input: unknown,
    options?: RunOptions,
  ): Promise<Reply<Op>>
  /** Finds the records at the other end of many edges at once, for adapters that show graphs. Never rejects. */
  load<Data>(
    loader: Loader<Data>,
    credentials: Credentials,
    ids: readonly string[],
    requestId?: string,
  ): Promise<LoaderReply<Data>>
  /** The answer to a request that a transport itself refuses, such as one for an unknown path. A defect is masked and logged. */
  refuse(error: unknown, options?: RunOptions): Failure
  /** Whether a provider speaks the API of a client, and so gets the client's own fields: `supportsDialect('openai', 'openai-chat')`. */
  supportsDialect(provider: string, dialect: Dialect, model?: string): boolean
  /** Whether a provider searches the web for requests in other forms than its own: `searchesWeb('anthropic')`. */
  searchesWeb(provider: string): boolean
  /** Whether a model generates images, of those that are listed. */
  offersImages(): Promise<boolean>
  /** The PNG of a kept image; undefined where there is none. */
  openImage(id: string): Promise<Uint8Array | undefined>
  /** Loads what the first request would otherwise wait for. */
  start(): Promise<void>
  /**
   * Starts the background jobs, until `close()`: deleting expired records, and delivering events to webhooks. One process
   * of several on the same stores is enough; more share the deliveries.
   */
  startJobs(): void
  /** Lets the jobs of this process look for work now, because another process has stored events. */
  wakeJobs(): void
  /**
   * Prepares other providers and routes: lists their models, and warms up new providers. Calls use them once you call `apply`
   * of the result, and calls in flight end with the providers that they began with. No call waits or fails.
   *
   * Rejects with a `TypeError` that names each option at fault. Then, and if you do not apply the result, nothing changes,
   * and new providers stay yours to close.
   *
   * @example
   *   const next = await fairlead.core.reconfigure({ providers: [openai({ apiKey: newKey })], routing: { routes } })
   *   next.apply()
   */
  reconfigure(options: Reconfigurable): Promise<Reconfiguration>
  /** Ends all open subscriptions, so that they do not delay a shutdown. Their callers open them again elsewhere. */
  endSubscriptions(): void
  /**
   * Ends the calls in flight, for a shutdown that cannot wait for them: with `SERVICE_UNAVAILABLE`, which a stream sends as its
   * last event. They are settled as calls that broke off. Later calls that would reach a provider fail in the same way.
   *
   * @returns how many there were
   */
  endCalls(): number
  /** The stores' clock if they have one, such as PostgreSQL's. */
  readonly clock: Clock
  /**
   * How far the clock of this machine is ahead of the stores' clock, in milliseconds; zero if less than a second.
   * Undefined if the stores use the clock of this machine.
   */
  readonly clockSkewMs?: (() => number) | undefined
  /** Rejects unless the stores answer, and their time is known. */
  check(): Promise<void>
  /** Rejects, and logs why, unless records and images can be written. */
  checkWrites(): Promise<void>
  /**
   * Rejects new calls, gives those in flight five seconds and then ends them, and closes providers and stores. No provider
   * is called afterwards.
   */
  close(): Promise<void>
}
