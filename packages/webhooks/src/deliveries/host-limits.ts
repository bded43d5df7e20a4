import type { Clock } from '@fairlead/core'
import { memoryRateLimiter } from '@fairlead/core/stores'
import type { EffectiveLimits } from '../webhook-limits.ts'

/** Limits the requests of this process to each host, so that webhooks cannot be used to flood one. */
export function createHostLimits(
  clock: Clock,
  { maxPerHost, hostRequestsPerSecond }: Pick<EffectiveLimits, 'maxPerHost' | 'hostRequestsPerSecond'>,
) {
  const limiter = memoryRateLimiter({ clock })
  const rate = { limit: hostRequestsPerSecond, windowMs: 1_000 }
  const inFlight = new Map<string, number>()
  const waiting = new Map<string, Set<string>>()

  function takeWaitingFor(host: string): readonly string[] {
    const waiters = waiting.get(host) ?? []
    waiting.delete(host)
    return [...waiters]
  }

  return {
    /** Counts a request to the host. Returns false, and remembers who waits, if the host has as many as it may. */
    start(host: string, waiter: string): boolean {
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
    /** Ends a request, and returns who waits for the host. */
    end(host: string): readonly string[] {
      const count = inFlight.get(host) ?? 0
      if (count > 1) inFlight.set(host, count - 1)
      else inFlight.delete(host)
      return takeWaitingFor(host)
    },
    /** Returns who waits for any host: a limit per second recovers without a request that ends. */
    takeWaiting: () => [...waiting.keys()].flatMap(takeWaitingFor),
  }
}

export function readHost(url: string): string {
  return URL.parse(url)?.hostname ?? url
}
