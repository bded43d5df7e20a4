import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Deadlines } from '../runtime/run/task.ts'
import { InFlight } from '../runtime/run/task.ts'
import type { Services } from '../runtime/run/operation-run.ts'
import { checkAnalysisModel } from './analysis/find-analyzer.ts'
import type { CacheEntriesOptions } from './caching/cache-entries.ts'
import { createResponseCache } from './caching/response-cache.ts'
import { type Listings, createCatalog } from './catalog/catalog.ts'
import type { Registry } from './catalog/registry.ts'
import type { GatewayServices } from './own-features.ts'
import type { Provider } from './provider.ts'
import type { AttemptObserver } from './routing/attempt-observer.ts'
import { closeProvider, createHealthChecks, warmUp } from './routing/provider-health.ts'
import type { RoutingOptions } from './routing/route-options.ts'
import { createRouter } from './routing/router.ts'
import { textGeneration } from './text/generate-text.ts'

/** The options of `createFairlead` that `reconfigure` replaces. Those that are left out get their defaults. */
export interface Reconfigurable {
  /**
   * Replaces all providers. One that is the same object as before keeps its circuit breakers, calls in flight, and model
   * list. The others are closed after their last call.
   */
  readonly providers: readonly Provider[]
  /** Routes, aliases, timeouts, retries, circuits and concurrency. */
  readonly routing?: RoutingOptions | undefined
  /** A `structured` text model for analyses that no provider's analyzer supports. Default: none. */
  readonly analysisModel?: string | undefined
}

/** Ids, in the order of the configuration. */
export interface ChangedIds {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

/** A configuration that is valid and loaded, and that no call uses yet. */
export interface Reconfiguration {
  /** A provider has changed if it is another object. */
  readonly changes: { readonly providers: ChangedIds; readonly routes: ChangedIds }
  /**
   * Calls that begin from now on use it. Those in flight end with the configuration that they began with. Throws once the
   * core closes.
   */
  apply(): void
}

export interface ConfigurationContext {
  readonly clock: Clock
  readonly deadlines: Deadlines
  readonly log: Log
  readonly observer: AttemptObserver
  /** From 0 to 1. */
  readonly random: () => number
  /** How many tokens models that reason write, until it is measured. */
  readonly tokensPerSecond: number | undefined
  /** Aborts when core closes. */
  readonly closed: AbortSignal
  /** Throws once core closes. */
  requireOpen(): void
  /** Undefined: responses are not cached. */
  readonly cache: CacheEntriesOptions | undefined
  /** The services that stay, including the features' services. */
  readonly services: Omit<
    GatewayServices,
    'registry' | 'router' | 'health' | 'responseCache' | 'analysisModel' | 'text'
  >
}

/** Holds the providers and routes that calls use, and replaces them as one while calls are in flight. */
export class Configuration {
  /** The setup of runs that begin now. */
  current: Setup
  /** Counts them. */
  inFlight: InFlight
  readonly #context: ConfigurationContext
  readonly #health: GatewayServices['health']
  readonly #listings: Listings = new WeakMap()
  /** The setups of runs that began before a reconfiguration and are still in progress. */
  readonly #earlier = new Map<InFlight, Setup>()
  readonly #open: Set<Provider>

  constructor(options: Reconfigurable, context: ConfigurationContext) {
    this.inFlight = new InFlight(context.clock)
    this.#context = context
    this.#health = createHealthChecks(context.clock, context.log, context.closed)
    this.current = this.#createSetup(options, undefined)
    this.#open = new Set(options.providers)
  }

  get providers(): readonly Provider[] {
    return this.current.options.providers
  }

  /** Loads the model lists, and warms up the providers. */
  start(): Promise<void> {
    return this.#load(this.current, this.providers)
  }

  async reconfigure(options: Reconfigurable): Promise<Reconfiguration> {
    const setup = this.#createSetup(options, this.current)
    await this.#load(
      setup,
      options.providers.filter((provider) => !this.providers.includes(provider)),
    )
    const before = this.current.options
    return {
      changes: {
        providers: compare(byId(before.providers), byId(options.providers)),
        routes: compare(asTexts(before.routing?.routes), asTexts(options.routing?.routes)),
      },
      apply: () => this.#apply(setup),
    }
  }

  /** How many runs are in progress. */
  get runCount(): number {
    return [this.inFlight, ...this.#earlier.keys()].reduce((sum, { count }) => sum + count, 0)
  }

  /** Resolves when no run is in progress, or after `timeoutMs` milliseconds. */
  async idle(timeoutMs: number): Promise<void> {
    await Promise.all([this.inFlight, ...this.#earlier.keys()].map((runs) => runs.idle(timeoutMs)))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((provider) => this.#close(provider)))
  }

  async #load(setup: Setup, added: readonly Provider[]): Promise<void> {
    const { clock, log, closed, requireOpen } = this.#context
    checkAnalysisModel(await setup.catalog.registry(), setup.options.analysisModel, log)
    requireOpen()
    await Promise.all(added.map((provider) => warmUp(provider, clock, log, closed)))
  }

  #apply(setup: Setup): void {
    this.#context.requireOpen()
    const before = this.current
    const runs = this.inFlight
    this.current = setup
    this.inFlight = new InFlight(this.#context.clock)
    for (const provider of setup.options.providers) this.#open.add(provider)
    this.#earlier.set(runs, before)
    void runs.idle().then(() => this.#retire(before, runs))
  }

  /** Closes the providers that no run can use any more. */
  #retire({ router: { targets }, options }: Setup, runs: InFlight): void {
    this.#earlier.delete(runs)
    const inUse = [this.current, ...this.#earlier.values()]
    for (const provider of options.providers) {
      const users = inUse.filter((setup) => setup.options.providers.includes(provider))
      if (!users.some(({ router }) => router.targets === targets)) targets.remove(provider)
      if (users.length === 0) void this.#close(provider)
    }
  }

  async #close(provider: Provider): Promise<void> {
    if (this.#open.delete(provider)) await closeProvider(provider, this.#context.clock, this.#context.log)
  }

  #createSetup(options: Reconfigurable, before: Setup | undefined): Setup {
    const { clock, log, cache, services } = this.#context
    const { providers, analysisModel, routing = {} } = options
    const isSame = before && JSON.stringify(limitsOf(before.options)) === JSON.stringify(limitsOf(options))
    const catalog = createCatalog(providers, routing, clock, log, this.#listings)
    const targets = isSame ? before.router.targets : undefined
    const router = createRouter({ ...this.#context, ...routing, targets })
    const responseCache = createResponseCache(cache)
    const shared = { ...services, router, health: this.#health, responseCache, analysisModel }
    let latest: GatewayServices | undefined
    function servicesWith(registry: Registry): GatewayServices {
      // Most calls find the registry of the call before.
      if (latest?.registry === registry) return latest
      const inference = { ...shared, registry }
      latest = { ...inference, text: textGeneration(inference) }
      return latest
    }
    return {
      options,
      catalog,
      router,
      services() {
        const registry = catalog.registry()
        return registry instanceof Promise ? registry.then(servicesWith) : servicesWith(registry)
      },
    }
  }
}

/** Everything that a reconfiguration replaces as one. */
interface Setup {
  readonly options: Reconfigurable
  readonly catalog: ReturnType<typeof createCatalog>
  readonly router: ReturnType<typeof createRouter>
  /** The services; a promise until the models of all providers are listed. */
  services(): Services | Promise<Services>
}

/** The options that the states of all targets depend on. */
function limitsOf({ routing }: Reconfigurable) {
  return [routing?.circuit, routing?.concurrency]
}

function byId(providers: readonly Provider[]): ReadonlyMap<string, unknown> {
  return new Map(providers.map((provider) => [provider.id, provider]))
}

function asTexts(routes: RoutingOptions['routes'] = {}): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(routes).map(([id, route]) => [id, JSON.stringify(route)]))
}

function compare(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): ChangedIds {
  const ids = [...after.keys()]
  return {
    added: ids.filter((id) => !before.has(id)),
    removed: [...before.keys()].filter((id) => !after.has(id)),
    changed: ids.filter((id) => before.has(id) && before.get(id) !== after.get(id)),
  }
}
