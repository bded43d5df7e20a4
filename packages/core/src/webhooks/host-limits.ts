import type { Clock } from '../runtime/clock.ts'
import { memoryRateLimiter } from '../runtime/rate-limit.ts'

/** Limits the requests of this process to each host, so that webhooks cannot be used to flood one. */
export interface HostLimits {
  /** Counts a request to the host. Returns false, and remembers who waits, if the host has as many as it may. */
  start(host: string, waiter: string): boolean
  /** Ends a request, and returns who waits for the host. */
  end(host: string): readonly string[]
  /** Returns who waits for any host: a limit per second recovers without a request that ends. */
  takeWaiting(): readonly string[]
}

export interface HostLimitsOptions {
  readonly clock: Clock
  /** Maximum number of requests in flight. */
  readonly maxPerHost: number
  readonly requestsPerSecond: number
}

export function createHostLimits({ clock, maxPerHost, requestsPerSecond }: HostLimitsOptions): HostLimits {
  const limiter = memoryRateLimiter({ clock })
  const rate = { limit: requestsPerSecond, windowMs: 1_000 }
  const inFlight = new Map<string, number>()
  const waiting = new Map<string, Set<string>>()

  function takeWaitingFor(host: string): readonly string[] {
    const waiters = waiting.get(host)
    if (!waiters) return []
    waiting.delete(host)
    return [...waiters]
  }

  return {
    start(host, waiter) {
      const count = inFlight.get(host) ?? 0
      if (count < maxPerHost && limiter.take(host, rate).granted) {
        inFlight.set(host, count + 1)
        return true
      }
      const waiters = waiting.get(host)
      if (waiters) waiters.add(waiter)
      else waiting.set(host, new Set([waiter]))
      return false
    },
    end(host) {
      const count = inFlight.get(host) ?? 0
      if (count > 1) inFlight.set(host, count - 1)
      else inFlight.delete(host)
      return takeWaitingFor(host)
    },
    takeWaiting: () => [...waiting.keys()].flatMap(takeWaitingFor),
  }
}

/** The host of a webhook's URL. */
export function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? url
}
