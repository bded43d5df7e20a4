import type { GatewayMethods } from '../gateway/methods.ts'
import type { AuditSink } from '../runtime/audit-entry.ts'
import { createKeyring, keyringCipher } from '../runtime/keyring.ts'
import { checkOptions, checkReconfigurable, checkTables } from './check-options.ts'
import { Configuration } from '../gateway/configuration.ts'
import { embeddedMethods, type MethodsOfAll } from './embedded-methods.ts'
import { mediaNetworksSetting } from '../gateway/messages/load-media.ts'
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
import type { EventSink } from '../runtime/events/event-type.ts'
import { createOutbound } from '../runtime/outbound/outbound.ts'
import { systemClock } from '../runtime/clock.ts'
import { consoleLog, limitOutageLines } from '../runtime/log.ts'
import { combineObservers } from './observer.ts'
import { mergeEdges } from '../runtime/loaders.ts'
import {
  type Feature,
  type FeatureParts,
  type Job,
  closePart,
  collectEventTypes,
  collectOperations,
  collectScopes,
} from '../runtime/feature.ts'
import { createBudgetWatch } from '../runtime/budgets/budget-events.ts'
import { budgetRules } from '../runtime/budgets/budget-options.ts'
import { KnownSpends } from '../runtime/budgets/budget.ts'
import { createQuotaWatch } from '../runtime/quota/quota-events.ts'
import { createPendingSettlements } from '../runtime/run/pending-settlements.ts'
import { RejectedRuns } from '../runtime/run/rejected-runs.ts'
import { runOperation, runLoader } from '../runtime/run/run.ts'
import { type OperationRun, type Services, asIs } from '../runtime/run/operation-run.ts'
import { Deadlines } from '../runtime/run/task.ts'
import { FairleadError } from '../runtime/errors.ts'
import { createIds, isId } from '../runtime/id.ts'
import { toPublicError, toFailure } from '../runtime/run/reply.ts'
import type { Runtime } from '../runtime/run/runtime.ts'
import type { FairleadCore } from './fairlead-core.ts'
import type { FairleadOptions, WithStores } from './fairlead-options.ts'

/** Every model behind one interface: a method for each operation, and `core` for everything else. */
export type Fairlead<Features extends readonly Feature[] = readonly []> = Omit<GatewayMethods, 'generate'> & {
  readonly generate: EmbeddedGenerate
  readonly runTools: RunTools
  /** For adapters and for the life of the process: `run`, `start`, `startJobs`, `reconfigure`, `close` and others. */
  readonly core: FairleadCore
} & MethodsOfAll<Features>

/**
 * Creates a core. It contacts, loads and starts nothing before the first call, or `start()`. Throws a `TypeError` that
 * names the option at fault.
 *
 * @example
 *   const fairlead = createFairlead({ providers: [local()] })
 *   const { content } = await fairlead.generate({ model: 'scribe', prompt: 'Write a haiku about rain' })
 */
export function createFairlead<const Features extends readonly Feature[] = readonly []>(
  options: FairleadOptions<Features> & WithStores<Features>,
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
      await checkTables(stores, features)
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
