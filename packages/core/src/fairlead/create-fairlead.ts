import type { GatewayMethods } from '../gateway/methods.ts'
import type { Credentials } from '../runtime/access.ts'
import type { AuditSink } from '../runtime/audit-entry.ts'
import { createKeyring, keyringCipher } from '../runtime/keyring.ts'
import { checkOptions, checkReconfigurable } from './check-options.ts'
import { Configuration, type Reconfigurable, type Reconfiguration } from '../gateway/configuration.ts'
import { embeddedMethods, type MethodsOfAll } from './embedded-methods.ts'
import { mediaNetworksSetting } from '../gateway/messages/load-media.ts'
import type { Dialect } from '../gateway/messages/message.ts'
import { supportsDialect } from '../gateway/routing/route.ts'
import { createImageRoom } from '../gateway/images/image-room.ts'
import { imageRetention } from '../gateway/images/image-retention.ts'
import { type RemoveExpired, startRetention } from '../runtime/retention.ts'
import { memoryBlobs, type GatewayStores } from '../gateway/images/images.ts'
import {
  createFailureBudget,
  defaultWritesPerMinute,
  defaultWrittenBytesPerDay,
  eventStreamLimits,
  memoryRateLimiter,
} from '../runtime/quota/rate-limit.ts'
import { followStores } from '../runtime/store-clock.ts'
import { openMemoryStores } from '../runtime/stores/memory-stores.ts'
import { gateway } from '../gateway/gateway.ts'
import { acceptSchemas, type EmbeddedGenerate, type PlainGenerate } from '../gateway/text/embedded-generate.ts'
import { createRunTools, type RunTools } from '../gateway/tools/run-tools.ts'
import type { EventType, EventSink } from '../runtime/events/event-type.ts'
import { createOutbound } from '../runtime/outbound/outbound.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { consoleLog, limitOutageLines } from '../runtime/log.ts'
import { combineObservers, type Observer } from './observer.ts'
import { type Edges, type Loader, mergeEdges } from '../runtime/loaders.ts'
import type { Operation } from '../runtime/operation.ts'
import {
  type Feature,
  type FeatureParts,
  type Job,
  closePart,
  collectEventTypes,
  collectOperations,
  type ReferenceSection,
  collectScopes,
} from '../runtime/feature.ts'
import { createBudgetWatch } from '../runtime/budgets/budget-events.ts'
import { budgetRules } from '../runtime/budgets/budget-options.ts'
import { KnownSpends } from '../runtime/budgets/budget.ts'
import { createQuotaWatch } from '../runtime/quota/quota-events.ts'
import { createPendingSettlements } from '../runtime/run/pending-settlements.ts'
import { RejectedRuns } from '../runtime/run/rejected-runs.ts'
import { type Reply, runOperation, type LoaderReply, runLoader } from '../runtime/run/run.ts'
import { type OperationRun, type Services, asIs } from '../runtime/run/operation-run.ts'
import { Deadlines } from '../runtime/run/task.ts'
import type { Failure } from '../runtime/run/envelope.ts'
import { FairleadError } from '../runtime/errors.ts'
import { createIds, isId } from '../runtime/id.ts'
import { toPublicError, toFailure } from '../runtime/run/reply.ts'
import type { RunOptions } from '../runtime/run/run-options.ts'
import type { Runtime } from '../runtime/run/runtime.ts'
import type { FairleadOptions } from './fairlead-options.ts'

/** Every model behind one interface: a method for each operation, and `core` for everything else. */
export type Fairlead<Features extends readonly Feature[] = readonly []> = Omit<GatewayMethods, 'generate'> & {
  readonly generate: EmbeddedGenerate
  readonly runTools: RunTools
  /** For adapters and for the life of the process: `run`, `start`, `startJobs`, `reconfigure`, `close` and others. */
  readonly core: FairleadCore
} & MethodsOfAll<Features>

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

/**
 * Creates a core. It contacts, loads and starts nothing before the first call, or `start()`. Throws a `TypeError` that
 * names the option at fault.
 *
 * @example
 *   const fairlead = createFairlead({ providers: [local()] })
 *   const { content } = await fairlead.generate({ model: 'scribe', prompt: 'Write a haiku about rain' })
 */
export function createFairlead<const Features extends readonly Feature[] = readonly []>(
  options: FairleadOptions<Features>,
): Fairlead<Features> {
  checkOptions(options)
  const {
    providers,
    features: own = [],
    analysisModel,
    log: unlimitedLog = consoleLog,
    stores: given,
    blobs = memoryBlobs(),
    cache,
    media: mediaOptions = {},
    retention,
    baseUrl = '',
    secretKeys,
    observer: observers = [],
    routing,
    limits = {},
    testing: { clock: ownClock = systemClock, random = Math.random } = {},
  } = options
  const { rateLimiter = memoryRateLimiter({ clock: ownClock }), budgets } = limits
  const {
    allowNetworks,
    outbound: media = createOutbound({ allowNetworks, setting: mediaNetworksSetting, clock: ownClock }),
  } = mediaOptions
  const log = limitOutageLines(unlimitedLog, ownClock)
  const readTime = ownClock.monotonic && given?.now?.bind(given)
  const storeClock = readTime && followStores(ownClock, readTime, log)
  const clock = storeClock ?? ownClock
  const observer = combineObservers([observers].flat(), log)
  const newId = createIds(clock.now)
  const node = newId('node')
  const jobs: Job[] = []
  const deadlines = new Deadlines(clock)
  const subscriptions = new Set<OperationRun>()
  const pendingSettlements = createPendingSettlements(clock, log)
  /** Aborts before providers are closed. */
  const closed = new AbortController()
  closed.signal.addEventListener('abort', () => deadlines.abortAll(closed.signal.reason))
  let closing: Promise<void> | undefined
  const requireOpen = () => {
    if (closing) throw closedError()
  }
  const keyring = createKeyring(secretKeys)
  const features: readonly Feature[] = [gateway, ...own]
  const operations = collectOperations(features)
  const eventTypes = collectEventTypes(features)
  const scopes = collectScopes(features)
  const stores = (given ?? openMemoryStores(features, clock)) as GatewayStores
  const rejectedRuns = new RejectedRuns(stores, clock, log)
  const context = {
    stores,
    clock,
    log,
    observer,
    keyring,
    eventTypes,
    scopes: Object.keys(scopes),
    addAuditEntries: async (...added: Parameters<AuditSink['add']>) => auditSink?.add(...added),
    addEvents: async (...added: Parameters<EventSink['add']>) => eventSink?.add(...added),
    eventsCommitted: () => eventSink?.committed(),
  }
  const parts: readonly FeatureParts[] = [
    {
      removeExpired: imageRetention({ stores, blobs, log, days: retention?.imageDays }),
      checkWrites: async () => blobs.check?.(),
    },
    ...own.map((feature) => feature.setUp?.(context) ?? {}),
  ]
  const removers = parts.flatMap(({ removeExpired }, index): [string, RemoveExpired][] =>
    removeExpired ? [[features[index]!.name, removeExpired]] : [],
  )
  const authenticator = parts.find((part) => part.authenticator)?.authenticator
  const eventSink = parts.find((part) => part.eventSink)?.eventSink
  const auditSink = parts.find((part) => part.auditSink)?.auditSink
  const cipher = keyringCipher(keyring)
  const rules = budgetRules(budgets)
  const added = Object.assign({}, ...parts.map((part) => part.services)) as object
  const removeUserData: Services['removeUserData'] = async (tx, call, userId) => {
    for (const feature of features) await feature.removeUserData?.(tx, call, userId)
  }
  const imageRoom = createImageRoom({ stores, limit: retention?.imageBytes, days: retention?.imageDays })
  const shared = { clock, deadlines, log, observer, random, closed: closed.signal, requireOpen }
  const configuration = new Configuration(
    { providers, analysisModel, routing },
    {
      ...shared,
      tokensPerSecond: rules.tokensPerSecond,
      cache: cache && { cache, cipher, mac: (text) => keyring.mac('answer cache', text) },
      services: {
        ...added,
        stores,
        blobs,
        imageRoom,
        imageUsage: imageRoom.usage,
        baseUrl,
        clock,
        removeUserData,
        media,
      },
    },
  )
  const runtime: Runtime = {
    ready() {
      requireOpen()
      return configuration.current.services()
    },
    authenticator,
    eventSink,
    auditSink,
    quotaWatch: eventSink && createQuotaWatch({ sink: eventSink, clock, newId, log }),
    budgetWatch: eventSink && createBudgetWatch({ sink: eventSink, clock, newId, log, thresholds: rules.thresholds }),
    budgetRules: rules,
    knownSpends: new KnownSpends(),
    cipher,
    clock,
    deadlines,
    log,
    newId,
    configuration,
    subscriptions,
    accessWatches: new Map(),
    pendingSettlements,
    rejectedRuns,
    observer,
    rateLimiter,
    requestsPerMinute: limits.requestsPerMinute ?? {},
    writesPerMinute: limits.writesPerMinute ?? defaultWritesPerMinute,
    writtenBytesPerDay: limits.writtenBytesPerDay === undefined ? defaultWrittenBytesPerDay : limits.writtenBytesPerDay,
    eventStreams: eventStreamLimits(limits),
    failureBudget: createFailureBudget({ ...limits, clock, rateLimiter }),
  }
  const run: FairleadCore['run'] = (operation, credentials, input, runOptions) =>
    runOperation(runtime, operation, credentials, input, runOptions)

  async function close(): Promise<void> {
    core.endSubscriptions()
    await Promise.all(jobs.map((job) => job.stop()))
    await configuration.idle(closeTimeoutMs)
    closed.abort(closedError())
    await configuration.idle(closeTimeoutMs)
    await pendingSettlements.close(closeTimeoutMs)
    await rejectedRuns.close()
    await configuration.close()
    for (const part of parts.toReversed()) await closePart(part, log)
    media.close()
    await cache?.close?.()
    storeClock?.stop()
    await rateLimiter.close?.()
    await stores.close()
  }

  const core: FairleadCore = {
    clock,
    observer,
    operations,
    eventTypes,
    scopes,
    sections: features.flatMap(({ sections = [] }) => sections),
    edges: mergeEdges(features),
    hasAccounts: authenticator !== undefined,
    auditSink,
    run,
    load: (loader, credentials, ids, requestId) => runLoader(runtime, loader, credentials, ids, requestId),
    refuse: (error, { requestId = newId('req'), spell = asIs } = {}) =>
      toFailure(toPublicError(log, { requestId }, error), { requestId, at: clock.now(), spell }),
    openImage: async (id) => (isId(id, 'img') ? blobs.get(id) : undefined),
    async start() {
      requireOpen()
      await storeClock?.start()
      await configuration.start()
      for (const part of parts) await part.start?.()
    },
    startJobs() {
      if (jobs.length > 0 || closing) return
      jobs.push(
        startRetention({ stores, clock, log, periods: retention, removers }),
        ...parts.flatMap((part) => part.startJob?.() ?? []),
      )
    },
    wakeJobs() {
      for (const job of jobs) job.wake?.()
    },
    endSubscriptions() {
      for (const call of subscriptions) call.expire()
    },
    endCalls() {
      const count = configuration.runCount
      closed.abort(stoppedError())
      return count
    },
    async reconfigure(next) {
      requireOpen()
      checkReconfigurable(next, cache)
      return configuration.reconfigure(next)
    },
    supportsDialect: (id, dialect, model) =>
      configuration.providers.some((provider) => provider.id === id && supportsDialect(provider, dialect, model)),
    searchesWeb: (id) => configuration.providers.some((provider) => provider.id === id && provider.webSearch === true),
    offersImages: async () => (await configuration.current.catalog.registry()).models('image').length > 0,
    async check() {
      await stores.read(async (view) => void (await view.settings.get('none')))
      await storeClock?.check()
    },
    clockSkewMs: storeClock && (() => storeClock.skewMs()),
    async checkWrites() {
      try {
        await stores.transact((tx) => tx.writeChecks.set(node, clock.now()), { lockTimeoutMs: writeCheckLockMs })
        for (const part of parts) await part.checkWrites?.()
      } catch (error) {
        log.warn({ error }, 'records or images cannot be written')
        throw error
      }
    },
    close: () => (closing ??= close()),
  }
  const methods = embeddedMethods(features, run, ['core', 'runTools'])
  const generate = acceptSchemas(methods['generate'] as PlainGenerate)
  return { ...methods, generate, runTools: createRunTools(generate), core } as unknown as Fairlead<Features>
}

/** `/readyz` gives a write two seconds. */
const writeCheckLockMs = 500

/** How long calls in flight may take when core is closed, and again to be settled once they were ended, in milliseconds. */
const closeTimeoutMs = 5_000

function stoppedError(): FairleadError {
  return new FairleadError('SERVICE_UNAVAILABLE', 'The service stopped during the call. Send it again.', {
    retryAfterMs: 1_000,
  })
}

function closedError(): FairleadError {
  return new FairleadError('SERVICE_UNAVAILABLE', 'The service is closed.')
}
