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

const failedAgainAfterMs = 30_000
/** Upstreams get models and lose them. */
const againAfterMs = 600_000

interface KnownOffer {
  /** What it was loaded from. */
  readonly list: unknown
  readonly offer: LoadedOffer
  readonly askAgainAt: number
}

/** Nothing is asked before the first call. */
export function createCatalog(
  providers: readonly Provider[],
  routing: Pick<RoutingOptions, 'routes' | 'aliases'>,
  clock: Clock,
  log: Log,
): Catalog {
  let current: Promise<Registry> | undefined
  let askAgainAt = Infinity
  const known = new Map<Provider, KnownOffer>()

  /** Also where the instant is further ahead than any that is set: the clock was wrong then. */
  function isDue(instant: number): boolean {
    const leftMs = instant - clock.now()
    return leftMs <= 0 || (leftMs > againAfterMs && instant !== Infinity)
  }

  async function ask(provider: Provider): Promise<KnownOffer> {
    const before = known.get(provider)
    if (before && !isDue(before.askAgainAt)) return before
    const list = listOf(provider)
    if (before && Array.isArray(list) && list === before.list) {
      return { ...before, askAgainAt: clock.now() + againAfterMs }
    }
    const offer = await loadOffer(provider, clock, log)
    return {
      list,
      // What was listed once is not lost because the list can't be had for a while.
      offer: offer.failed && before ? before.offer : offer,
      askAgainAt: clock.now() + (offer.failed ? failedAgainAfterMs : againAfterMs),
    }
  }

  async function load(): Promise<Registry> {
    const asked = await Promise.all(providers.map(async (provider) => [provider, await ask(provider)] as const))
    for (const [provider, offer] of asked) known.set(provider, offer)
    askAgainAt = Math.min(...asked.map(([, offer]) => offer.askAgainAt))
    const offers = asked.map(([, { offer }]) => offer)
    const registry = createRegistry(offers, routing)
    tellLeftOut(registry)
    return registry
  }

  const told = new Set<string>()
  /** Each once: what is away is asked for again and again. */
  function tellLeftOut({ leftOut }: Registry): void {
    for (const facts of leftOut) {
      const news = JSON.stringify(facts)
      if (!told.has(news)) log.warn({ ...facts }, 'a route goes without one of its targets')
      told.add(news)
    }
  }

  /** Behind the back of requests, which go on with what is known. */
  async function refresh(): Promise<void> {
    askAgainAt = Infinity
    try {
      current = Promise.resolve(await load())
    } catch (error) {
      askAgainAt = clock.now() + failedAgainAfterMs
      log.warn({ error }, 'the models can not be listed again; what was known of them stands')
    }
  }

  return {
    registry() {
      if (isDue(askAgainAt)) void refresh()
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
