import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Provider } from '../provider.ts'
import { type LoadedOffer, loadOffer } from './load-offer.ts'
import { createRegistry, type Registry } from './registry.ts'
import type { RoutingOptions } from '../routing/route-options.ts'

/**
 * Keeps the registry, and asks providers again: soon those that could not say what they have, now and then all, since a
 * list may be fetched, or change by itself.
 */
export interface Catalog {
  registry(): Promise<Registry>
}

const refreshFailedAfterMs = 30_000
/** Upstreams get models and lose them. */
const refreshAfterMs = 600_000

interface KnownOffer {
  /** What it was loaded from. */
  readonly list: unknown
  readonly offer: LoadedOffer
  readonly refreshAt: number
}

/** Nothing is asked before the first call. */
export function createCatalog(
  providers: readonly Provider[],
  routing: Pick<RoutingOptions, 'routes' | 'aliases'>,
  clock: Clock,
  log: Log,
): Catalog {
  let current: Promise<Registry> | undefined
  let refreshAt = Infinity
  const known = new Map<Provider, KnownOffer>()

  /** Also where the instant is further ahead than any that is set: the clock was wrong then. */
  function isDue(instant: number): boolean {
    const leftMs = instant - clock.now()
    return leftMs <= 0 || (leftMs > refreshAfterMs && instant !== Infinity)
  }

  async function ask(provider: Provider): Promise<KnownOffer> {
    const before = known.get(provider)
    if (before && !isDue(before.refreshAt)) return before
    const list = listOf(provider)
    if (before && Array.isArray(list) && list === before.list) {
      return { ...before, refreshAt: clock.now() + refreshAfterMs }
    }
    const offer = await loadOffer(provider, clock, log)
    return {
      list,
      // What was listed once is not lost because the list can't be had for a while.
      offer: offer.failed && before ? before.offer : offer,
      refreshAt: clock.now() + (offer.failed ? refreshFailedAfterMs : refreshAfterMs),
    }
  }

  async function load(): Promise<Registry> {
    const asked = await Promise.all(providers.map(async (provider) => [provider, await ask(provider)] as const))
    for (const [provider, offer] of asked) known.set(provider, offer)
    refreshAt = Math.min(...asked.map(([, offer]) => offer.refreshAt))
    const offers = asked.map(([, { offer }]) => offer)
    const registry = createRegistry(offers, routing)
    logLeftOut(registry)
    return registry
  }

  const logged = new Set<string>()
  /** Each once: what is away is asked for again and again. */
  function logLeftOut({ leftOut }: Registry): void {
    for (const facts of leftOut) {
      const line = JSON.stringify(facts)
      if (!logged.has(line)) log.warn({ ...facts }, 'a route goes without one of its targets')
      logged.add(line)
    }
  }

  /** Behind the back of requests, which go on with what is known. */
  async function refresh(): Promise<void> {
    refreshAt = Infinity
    try {
      current = Promise.resolve(await load())
    } catch (error) {
      refreshAt = clock.now() + refreshFailedAfterMs
      log.warn({ error }, 'the models can not be listed again; what was known of them stands')
    }
  }

  return {
    registry() {
      if (isDue(refreshAt)) void refresh()
      return (current ??= load())
    },
  }
}

function listOf(provider: Provider): unknown {
  try {
    return provider.models
  } catch {
    return undefined
  }
}
