import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Provider } from '../provider.ts'
import type { RoutingOptions } from '../routing/route-options.ts'
import { type LoadedListing, loadListing } from './load-listing.ts'
import { type Registry, createRegistry } from './registry.ts'

/**
 * Keeps the registry current. Model lists are refreshed every ten minutes, and 30 seconds after a failure, in which case
 * the last known list is kept.
 */
export interface Catalog {
  /** The registry; a promise until the providers have listed their models for the first time. */
  registry(): Registry | Promise<Registry>
}

const refreshAfterMs = 600_000
const refreshAfterFailureMs = 30_000

interface CachedListing {
  /** The array that the listing was loaded from. */
  readonly source: unknown
  readonly listing: LoadedListing
  readonly refreshAt: number
}

/** Providers are first called when the registry is first needed. */
export function createCatalog(
  providers: readonly Provider[],
  routing: Pick<RoutingOptions, 'routes' | 'aliases'>,
  clock: Clock,
  log: Log,
): Catalog {
  let current: Registry | undefined
  let loading: Promise<Registry> | undefined
  let refreshAt = Infinity
  const cache = new Map<Provider, CachedListing>()
  const loggedTargets = new Set<string>()

  /** A time further ahead than any that is set was computed from a wrong clock, so it is due too. */
  function isDue(time: number): boolean {
    const remainingMs = time - clock.now()
    return remainingMs <= 0 || (remainingMs > refreshAfterMs && time !== Infinity)
  }

  async function loadCached(provider: Provider): Promise<CachedListing> {
    const cached = cache.get(provider)
    if (cached && !isDue(cached.refreshAt)) return cached
    const source = modelsOf(provider)
    if (cached && Array.isArray(source) && source === cached.source) {
      return { ...cached, refreshAt: clock.now() + refreshAfterMs }
    }
    const listing = await loadListing(provider, clock, log)
    return {
      source,
      listing: listing.failed && cached ? cached.listing : listing,
      refreshAt: clock.now() + (listing.failed ? refreshAfterFailureMs : refreshAfterMs),
    }
  }

  async function load(): Promise<Registry> {
    const loaded = await Promise.all(providers.map(async (provider) => [provider, await loadCached(provider)] as const))
    for (const [provider, listing] of loaded) cache.set(provider, listing)
    refreshAt = Math.min(...loaded.map(([, listing]) => listing.refreshAt))
    const listings = loaded.map(([, { listing }]) => listing)
    const registry = createRegistry(listings, routing)
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
    registry() {
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
