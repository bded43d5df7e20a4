import { rateLimiterSuite } from '@fairlead/testing/suites'
import type { RateLimiter } from '@fairlead/core/stores'
import { createClient } from '@keyv/redis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { redisRateLimiter } from './redis-rate-limiter.ts'
import { findRedis } from './testing/find-redis.ts'
import { startRedis } from './testing/redis-server.ts'

const limit = { limit: 10, windowMs: 60_000 }
const timeoutMs = 15_000
const unavailable = 'Redis unavailable, each process counts burst limits by itself'
const available = 'Redis available again, burst limits are shared'

function open(url: string) {
  const logged: string[] = []
  const log = { warn: (_facts: object, message: string) => void logged.push(message), error: () => {} }
  const limiter = redisRateLimiter({ url, log })
  onTestFinished(() => limiter.close?.())
  return { limiter, logged }
}

/** Waits until Redis counts the requests. */
async function connected(limiter: RateLimiter): Promise<void> {
  const isConnected = async () => !(await limiter.take('probe', { limit: 100_000, windowMs: 60_000 })).fellBack
  await vi.waitUntil(isConnected, { timeout: timeoutMs, interval: 20 })
}

const granted = async (limiter: RateLimiter, times: number) => {
  const readings = await Promise.all(Array.from({ length: times }, () => limiter.take('a', limit)))
  return readings.filter((reading) => reading.granted).length
}

describe.runIf(findRedis())('redisRateLimiter', { timeout: 60_000 }, () => {
  rateLimiterSuite('on Redis', async () => {
    const { url } = await startRedis()
    const { limiter } = open(url)
    await connected(limiter)
    return limiter
  })

  test('shares one limit between two processes', async () => {
    const { url } = await startRedis()
    const [here, there] = [open(url), open(url)]
    await Promise.all([here, there].map(({ limiter }) => connected(limiter)))
    const counts = await Promise.all([granted(here.limiter, 30), granted(there.limiter, 30)])
    expect(counts[0] + counts[1]).toBe(10)
  })

  test('sets an expiry so that Redis removes keys whose requests no longer count', async () => {
    const { url } = await startRedis()
    const { limiter } = open(url)
    await connected(limiter)
    await limiter.take('usr_1', limit)
    const client = await createClient({ url }).connect()
    onTestFinished(() => client.destroy())
    const ttlMs = Number(await client.pTTL('fairlead:rate:{usr_1}'))
    expect(ttlMs).toBeGreaterThan(0)
    expect(ttlMs).toBeLessThanOrEqual(6_000)
  })

  test('blocks a key for at most one window after the clock of Redis was set back', async () => {
    const { url } = await startRedis()
    const { limiter } = open(url)
    await connected(limiter)
    const client = await createClient({ url }).connect()
    onTestFinished(() => client.destroy())
    await client.set('fairlead:rate:{a}', String(Date.now() + 400 * 24 * 3_600_000))
    const short = { limit: 10, windowMs: 200 }
    expect(await limiter.take('a', short)).toMatchObject({ granted: false })
    await expect.poll(async () => (await limiter.take('a', short)).granted, { timeout: 5_000 }).toBe(true)
  })

  test('shares limits if Redis disables the SCRIPT command', async () => {
    const { url } = await startRedis('--rename-command', 'SCRIPT', '')
    const [here, there] = [open(url), open(url)]
    await Promise.all([here, there].map(({ limiter }) => connected(limiter)))
    const counts = await Promise.all([granted(here.limiter, 15), granted(there.limiter, 15)])
    expect(counts[0] + counts[1]).toBe(10)
  })

  test('limits per process while Redis is unavailable, and logs one line per change', async () => {
    const redis = await startRedis()
    const { limiter, logged } = open(redis.url)
    await connected(limiter)
    const before = logged.length
    await redis.kill()
    const startedAt = performance.now()
    expect(await granted(limiter, 50)).toBe(10)
    expect(performance.now() - startedAt).toBeLessThan(1_500)
    expect(await limiter.take('a', limit)).toMatchObject({ fellBack: true })
    expect(logged.slice(before)).toEqual([unavailable])
    await redis.restart()
    await connected(limiter)
    expect(logged.slice(before, before + 2)).toEqual([unavailable, available])
  })

  test('lets only a few requests wait for a frozen Redis', async () => {
    const redis = await startRedis()
    const { limiter, logged } = open(redis.url)
    await connected(limiter)
    const before = logged.length
    redis.freeze()
    const startedAt = performance.now()
    for (let n = 0; n < 50; n++) await limiter.take('a', limit)
    // Fifty requests that each wait for the timeout would take 7.5 s.
    expect(performance.now() - startedAt).toBeLessThan(4_000)
    expect(await limiter.take('a', limit)).toMatchObject({ granted: false })
    redis.thaw()
    await connected(limiter)
    expect(logged.slice(before, before + 2)).toEqual([unavailable, available])
  })
})
