import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Provider } from '../provider.ts'
import type { RoutingOptions } from '../routing/route-options.ts'
import { knownListing, type LoadedListing, loadListing } from './load-listing.ts'
import { type Registry, createRegistry } from './registry.ts'

const refreshAfterMs = 600_000
const refreshAfterFailureMs = 30_000
/** How long the first requests wait for the list of a provider whose models are known without it. */
const maxFirstWaitMs = 1_000

/** The last known list of each provider, which outlives a catalog. */
export type Listings = WeakMap<Provider, CachedListing>

interface CachedListing {
  /** The array that the listing was loaded from. */
  readonly source: unknown
  readonly listing: LoadedListing
  readonly refreshAt: number
  /** Whether it is the list of the upstream, and not just the models that are known without it. */
  readonly listed?: boolean
  /** Whether the last attempt failed, so that the next failure is not logged again. */
  readonly failing?: boolean
}

/**
 * Keeps the registry current. Providers are first called when it is first needed. Model lists are refreshed every ten
 * minutes, and 30 seconds after a failure, in which case the last known list is kept. The first requests do not wait longer
 * than a second for a provider with `knownModels`.
 */
export function createCatalog(
  providers: readonly Provider[],
  routing: Pick<RoutingOptions, 'routes' | 'aliases'>,
  clock: Clock,
  log: Log,
  cache: Listings = new WeakMap(),
) {
  let current: Registry | undefined
  let loading: Promise<Registry> | undefined
  let refreshAt = Infinity
  const loggedTargets = new Set<string>()

  /** A time further ahead than any that is set was computed from a wrong clock, so it is due too. */
  function isDue(time: number): boolean {
    const remainingMs = time - clock.now()
    return remainingMs <= 0 || (remainingMs > refreshAfterMs && time !== Infinity)
  }

  async function loadCached(provider: Provider): Promise<void> {
    const cached = cache.get(provider)
    if (cached && !isDue(cached.refreshAt)) return
    const source = modelsOf(provider)
    if (cached && Array.isArray(source) && source === cached.source) {
      cache.set(provider, { ...cached, refreshAt: clock.now() + refreshAfterMs })
      return
    }
    const fetching = fetchListing(provider, source, cached)
    if (cached || !provider.knownModels) return fetching
    await settledWithin(maxFirstWaitMs, fetching, () => {
      cache.set(provider, { source, listing: knownListing(provider, log), refreshAt: clock.now() + refreshAfterMs })
      // Before the first registry, other providers are missing.
      void fetching.then(() => current && build())
    })
  }

  async function fetchListing(provider: Provider, source: unknown, cached: CachedListing | undefined): Promise<void> {
    const { listing, error } = await loadListing(provider, clock, log)
    const failing = error !== undefined
    if (failing && !cached?.failing) {
      log.warn({ provider: provider.id, error }, 'listing the models of a provider failed')
    }
    cache.set(provider, {
      source,
      listing: failing && cached?.listed ? cached.listing : listing,
      refreshAt: clock.now() + (failing ? refreshAfterFailureMs : refreshAfterMs),
      listed: !failing || cached?.listed === true,
      failing,
    })
  }

  /** Calls back if a promise takes longer. */
  function settledWithin(ms: number, promise: Promise<void>, onLate: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = clock.schedule(ms, () => {
        onLate()
        resolve()
      })
      promise.finally(cancel).then(resolve, reject)
    })
  }

  async function load(): Promise<Registry> {
    await Promise.all(providers.map(loadCached))
    return build()
  }

  function build(): Registry {
    const loaded = providers.flatMap((provider) => cache.get(provider) ?? [])
    refreshAt = Math.min(...loaded.map((each) => each.refreshAt))
    const registry = createRegistry(
      loaded.map(({ listing }) => listing),
      routing,
    )
    logOmittedTargets(registry)
    return (current = registry)
  }

  /** Each is logged once, because lists are refreshed again and again. */
  function logOmittedTargets({ omittedTargets }: Registry): void {
    for (const facts of omittedTargets) {
      const key = JSON.stringify(facts)
      if (!loggedTargets.has(key)) log.warn({ ...facts }, 'route target unavailable, omitting it')
      loggedTargets.add(key)
    }
  }

  /** Runs in the background; requests use the current registry until it ends. */
  async function refresh(): Promise<void> {
    refreshAt = Infinity
    try {
      await load()
    } catch (error) {
      refreshAt = clock.now() + refreshAfterFailureMs
      log.warn({ error }, 'refreshing the model lists failed, keeping the last ones')
    }
  }

  return {
    /** The registry; a promise until the providers have listed their models for the first time. */
    registry(): Registry | Promise<Registry> {
      if (isDue(refreshAt)) void refresh()
      return current ?? (loading ??= load())
    },
  }
}

function modelsOf(provider: Provider): unknown {
  try {
    return provider.models
  } catch {
    return undefined
  }
}
