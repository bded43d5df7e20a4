import { rateLimiterSuite } from '@fairlead/testing/suites'
import type { RateLimiter } from '@fairlead/core/stores'
import { createClient } from '@keyv/redis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { redisRateLimiter } from './redis-rate-limiter.ts'
import { findRedis } from './testing/find-redis.ts'
import { proxyRedis } from './testing/redis-proxy.ts'
import { startRedis } from './testing/redis-server.ts'

const limit = { limit: 10, windowMs: 60_000 }
const timeoutMs = 300_000
const unavailable = 'Redis unavailable, each process counts burst limits by itself'
const available = 'Redis available again, burst limits are shared'

/** Far more than a busy machine takes. Tests of outages have the default, which a busy machine may exceed. */
const patient = { timeoutMs: 20_000 }

function open(url: string, options: { readonly timeoutMs?: number; readonly leaseMs?: number } = {}) {
  const logged: string[] = []
  const log = { warn: (_facts: object, message: string) => void logged.push(message), error: () => {} }
  const limiter = redisRateLimiter({ url, log, ...options })
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

describe.runIf(findRedis())('redisRateLimiter', () => {
  rateLimiterSuite('on Redis', async () => {
    const { url } = await startRedis()
    const { limiter } = open(url, patient)
    await connected(limiter)
    return limiter
  })

  test('redisRateLimiter shares one limit between two processes', async () => {
    const { url } = await startRedis()
    const [here, there] = [open(url, patient), open(url, patient)]
    await Promise.all([here, there].map(({ limiter }) => connected(limiter)))
    const counts = await Promise.all([granted(here.limiter, 30), granted(there.limiter, 30)])
    expect(counts[0] + counts[1]).toBe(10)
  })

  test('redisRateLimiter sets an expiry so that Redis removes keys whose requests no longer count', async () => {
    const { url } = await startRedis()
    const { limiter } = open(url, patient)
    await connected(limiter)
    await limiter.take('usr_1', limit)
    const client = await createClient({ url }).connect()
    onTestFinished(() => client.destroy())
    const ttlMs = Number(await client.pTTL('fairlead:rate:{usr_1}'))
    expect(ttlMs).toBeGreaterThan(0)
    expect(ttlMs).toBeLessThanOrEqual(6_000)
  })

  test('redisRateLimiter blocks a key for at most one window after the clock of Redis was set back', async () => {
    const { url } = await startRedis()
    const { limiter } = open(url, patient)
    await connected(limiter)
    const client = await createClient({ url }).connect()
    onTestFinished(() => client.destroy())
    await client.set('fairlead:rate:{a}', String(Date.now() + 400 * 24 * 3_600_000))
    const short = { limit: 10, windowMs: 200 }
    expect(await limiter.take('a', short)).toMatchObject({ granted: false })
    await expect.poll(async () => (await limiter.take('a', short)).granted).toBe(true)
  })

  test('redisRateLimiter shares limits if Redis disables the SCRIPT command', async () => {
    const { url } = await startRedis('--rename-command', 'SCRIPT', '')
    const [here, there] = [open(url, patient), open(url, patient)]
    await Promise.all([here, there].map(({ limiter }) => connected(limiter)))
    const counts = await Promise.all([granted(here.limiter, 15), granted(there.limiter, 15)])
    expect(counts[0] + counts[1]).toBe(10)
  })

  test('redisRateLimiter limits per process while Redis is unavailable, and logs one line per change', async () => {
    const redis = await startRedis()
    const { limiter, logged } = open(redis.url)
    await connected(limiter)
    const before = logged.length
    await redis.kill()
    expect(await granted(limiter, 50)).toBe(10)
    // Commands that fail with one connection count as one failure, so the circuit opens a few requests later.
    while (logged.length === before) expect(await limiter.take('a', limit)).toMatchObject({ fellBack: true })
    expect(logged.slice(before)).toEqual([unavailable])
    await redis.restart()
    await connected(limiter)
    expect(logged.slice(before, before + 2)).toEqual([unavailable, available])
  })

  test('redisRateLimiter lets only a few requests wait for a frozen Redis', async () => {
    const redis = await startRedis()
    const proxy = await proxyRedis(redis.url)
    const { limiter, logged } = open(proxy.url)
    await connected(limiter)
    const [before, sentBefore] = [logged.length, proxy.sent('EVALSHA')]
    redis.freeze()
    for (let n = 0; n < 200; n++) await limiter.take('a', limit)
    // Requests that wait are those that were sent.
    expect(proxy.sent('EVALSHA') - sentBefore).toBe(5)
    expect(await limiter.take('a', limit)).toMatchObject({ granted: false })
    redis.thaw()
    await connected(limiter)
    expect(logged.slice(before, before + 2)).toEqual([unavailable, available])
  })

  test('redisRateLimiter shares leases between processes, and frees those of a process that ended without releasing them', async () => {
    const { url } = await startRedis()
    const brief = { ...patient, leaseMs: 500 }
    const [here, there] = [open(url, brief), open(url, brief)]
    await Promise.all([here, there].map(({ limiter }) => connected(limiter)))
    expect(await here.limiter.acquire('a', 1)).toBeDefined()
    expect(await there.limiter.acquire('a', 1)).toBeUndefined()
    await here.limiter.close?.()
    await expect.poll(() => there.limiter.acquire('a', 1), { timeout: timeoutMs }).toBeDefined()
  })

  test('redisRateLimiter renews a lease while it is held', async () => {
    const { url } = await startRedis()
    const { limiter } = open(url, { ...patient, leaseMs: 3_000 })
    await connected(limiter)
    const client = await createClient({ url }).connect()
    onTestFinished(() => client.destroy())
    await limiter.acquire('a', 1)
    const endsAt = async () => (await client.zRangeWithScores('fairlead:leases:{a}', 0, -1))[0]?.score ?? 0
    const first = await endsAt()
    await expect.poll(endsAt, { timeout: timeoutMs }).toBeGreaterThan(first)
  })
})
