import { systemClock } from '@fairlead/core'
import {
  memoryRateLimiter,
  type RateLimit,
  type RateLimiter,
  rateToleranceMs,
  toRateReading,
} from '@fairlead/core/stores'
import { connectRedis } from './connect-redis.ts'
import { createGuard } from './guard.ts'
import type { RedisCacheOptions } from './redis-cache.ts'
import { createLeases } from './redis-leases.ts'
import { redisScript } from './redis-script.ts'

export interface RedisRateLimiterOptions extends Omit<RedisCacheOptions, 'timeoutMs'> {
  /** Timeout of one command, in milliseconds. Default: 150. */
  readonly timeoutMs?: number | undefined
  /** How long a lease outlives its process, in milliseconds. Default: 30,000. */
  readonly leaseMs?: number | undefined
}

/**
 * GCRA (generic cell rate algorithm) with the clock of Redis, in milliseconds. It uses one key, so it also works in a
 * cluster. If the clock is set back, a key is blocked for at most one window.
 */
const rateScript = redisScript(`
local limit, window, cost, force = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local arrival = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or now), now), now + window)
local next = arrival + cost * window / limit
local granted = next - now <= window + ${rateToleranceMs}
if granted then arrival = next elseif force then arrival = now + window end
if arrival < now then arrival = now end
redis.call('SET', KEYS[1], string.format('%.3f', arrival), 'PX', math.max(1, math.ceil(arrival - now)))
return {granted and 1 or 0, string.format('%.3f', arrival - now)}`)

/**
 * Counts requests, and those in flight, for all processes that use the same Redis. While Redis is unavailable, each process
 * counts by itself, so an account gets its limit once per process.
 */
export function redisRateLimiter({
  url,
  timeoutMs = 150,
  leaseMs = 30_000,
  probeIntervalMs = 1_000,
  log,
}: RedisRateLimiterOptions): RateLimiter {
  const { client, lastError } = connectRedis(url)
  const fallback = memoryRateLimiter({ clock: systemClock })
  const guard = createGuard({
    timeoutMs,
    probe: () => client.ping(),
    probeIntervalMs,
    onOpen: (error) =>
      log?.warn({ error: lastError() ?? error }, 'Redis unavailable, each process counts burst limits by itself'),
    onClose: () => log?.warn({}, 'Redis available again, burst limits are shared'),
  })

  const leases = createLeases(client, guard, { fallback, leaseMs })

  /** Undefined while Redis is unavailable. */
  function count(key: string, { limit, windowMs }: RateLimit, cost: number, force: boolean) {
    const numbers = [limit, windowMs, cost, Number(force)]
    return guard.run(() => rateScript(client, `fairlead:rate:{${key}}`, numbers) as Promise<readonly [number, string]>)
  }

  return {
    async take(key, limit, cost = 1) {
      const counted = await count(key, limit, cost, false)
      if (!counted) return { ...fallback.take(key, limit, cost), fellBack: true }
      const [granted, debtMs] = counted
      return toRateReading(granted === 1, Number(debtMs), limit, cost)
    },
    async charge(key, limit, cost) {
      if (!(await count(key, limit, cost, true))) fallback.charge(key, limit, cost)
    },
    acquire: (key, max) => leases.acquire(key, max),
    async close() {
      leases.stop()
      guard.stop()
      if (client.isOpen) client.destroy()
    },
  }
}
