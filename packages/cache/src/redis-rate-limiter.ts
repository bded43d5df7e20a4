import { createHash } from 'node:crypto'
import { systemClock } from '@fairlead/core'
import { memoryRateLimiter, type RateLimiter, rateToleranceMs, toRateReading } from '@fairlead/core/stores'
import { connectRedis } from './connect-redis.ts'
import { createGuard } from './guard.ts'
import type { RedisCacheOptions } from './redis-cache.ts'

export interface RedisRateLimiterOptions extends Omit<RedisCacheOptions, 'timeoutMs'> {
  /** Timeout of one command, in milliseconds. Default: 150. */
  readonly timeoutMs?: number | undefined
}

/**
 * GCRA (generic cell rate algorithm) with the clock of Redis, in milliseconds. It uses one key, so it also works in a
 * cluster. If the clock is set back, a key is blocked for at most one window.
 */
const script = `
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local arrival = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or now), now), now + window)
local granted = arrival + window / limit - now <= window + ${rateToleranceMs}
if granted then arrival = arrival + window / limit end
redis.call('SET', KEYS[1], string.format('%.3f', arrival), 'PX', math.max(1, math.ceil(arrival - now)))
return {granted and 1 or 0, string.format('%.3f', arrival - now)}`
const digest = createHash('sha1').update(script).digest('hex')

/**
 * Counts requests for all processes that use the same Redis. While Redis is unavailable, each process counts by itself,
 * so an account gets its limit once per process.
 */
export function redisRateLimiter({
  url,
  timeoutMs = 150,
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

  async function run(key: string, ...numbers: readonly number[]): Promise<{ granted: boolean; debtMs: number }> {
    const call = { keys: [key], arguments: numbers.map(String) }
    const reply = await client.evalSha(digest, call).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return client.eval(script, call)
      throw error
    })
    const [granted, debtMs] = reply as unknown as readonly [number, string]
    return { granted: granted === 1, debtMs: Number(debtMs) }
  }

  return {
    async take(key, limit) {
      const counted = await guard.run(() => run(`fairlead:rate:{${key}}`, limit.limit, limit.windowMs))
      if (counted) return toRateReading(counted.granted, counted.debtMs, limit)
      return { ...fallback.take(key, limit), fellBack: true }
    },
    async close() {
      guard.stop()
      if (client.isOpen) client.destroy()
    },
  }
}
