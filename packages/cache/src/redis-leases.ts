import { randomUUID } from 'node:crypto'
import { type Lease, type MemoryRateLimiter, releaseOnce } from '@fairlead/core/stores'
import type { RedisClient } from './connect-redis.ts'
import type { createGuard } from './guard.ts'
import { redisScript } from './redis-script.ts'

/** A sorted set of leases by the time at which they end, on the clock of Redis. Acquires a lease, or renews it. */
const acquireScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`)

const noLimit = Number.MAX_SAFE_INTEGER

interface LeaseOptions {
  /** Counts while Redis is unavailable. */
  readonly fallback: MemoryRateLimiter
  readonly leaseMs: number
}

/** Leases that are renewed while they are held, and end some time after their process was killed. */
export function createLeases(client: RedisClient, guard: ReturnType<typeof createGuard>, options: LeaseOptions) {
  const { fallback, leaseMs } = options
  /** The names of the leases of this process by id. */
  const held = new Map<string, string>()
  const write = (name: string, id: string, max: number) =>
    guard.run(() => acquireScript(client, name, [max, id, leaseMs]))
  const renewing = setInterval(() => {
    for (const [id, name] of held) void write(name, id, noLimit)
  }, leaseMs / 3).unref()

  return {
    async acquire(key: string, max: number): Promise<Lease | undefined> {
      const [name, id] = [`fairlead:leases:{${key}}`, randomUUID()]
      const acquired = await write(name, id, max)
      if (acquired === undefined) return fallback.acquire(key, max)
      if (acquired !== 1) return undefined
      held.set(id, name)
      return releaseOnce(() => {
        held.delete(id)
        void guard.run(() => client.zRem(name, id))
      })
    },
    stop: () => clearInterval(renewing),
  }
}
