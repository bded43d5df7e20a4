import type { Cache } from '@fairlead/core'
import { createClient } from '@keyv/redis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { redisCache } from './redis-cache.ts'
import { findRedis } from './testing/find-redis.ts'
import { proxyRedis } from './testing/redis-proxy.ts'
import { startRedis } from './testing/redis-server.ts'

const hourMs = 3_600_000
/** Far more than a busy machine takes. Tests of outages have the default, which a busy machine may exceed. */
const patient = { deadlineMs: 20_000 }
const timeoutMs = 60_000
const connectMessage = 'cannot connect to Redis, trying again'
const outageMessages = ['cache unavailable, bypassing it', 'cache available again']

interface Opened {
  readonly cache: Cache
  readonly logged: readonly string[]
  /** The errors in the log records. */
  readonly errors: readonly unknown[]
}

function open(url: string, options: { readonly deadlineMs?: number } = {}): Opened {
  const logged: string[] = []
  const errors: unknown[] = []
  const warn = ({ error }: { readonly error?: unknown }, message: string) => {
    logged.push(message)
    if (error !== undefined) errors.push(error)
  }
  const log = { warn, error: () => {} }
  const cache = redisCache({ url, log, ...options })
  onTestFinished(() => cache.close?.())
  return { cache, logged, errors }
}

/** Waits until the cache returns a stored entry. */
async function available(cache: Cache): Promise<void> {
  await vi.waitUntil(
    async () => {
      await cache.set('probe', 'there', hourMs)
      return (await cache.get('probe')) === 'there'
    },
    { timeout: timeoutMs, interval: 20 },
  )
}

/** Sequential lookups, all of which miss. */
async function missEach(cache: Cache, times: number): Promise<void> {
  for (let n = 0; n < times; n++) expect(await cache.get('probe')).toBe(undefined)
}

describe.runIf(findRedis())('redisCache', () => {
  test('redisCache shares entries with other processes until their time to live ends', async () => {
    const redis = await startRedis()
    const [here, there] = [open(redis.url, patient).cache, open(redis.url, patient).cache]
    await Promise.all([available(here), available(there)])
    await here.set('usr_1:a', 'one', hourMs)
    expect(await there.get('usr_1:a')).toBe('one')
    const client = await createClient({ url: redis.url }).connect()
    onTestFinished(() => client.destroy())
    const ttl = Number(await client.pTTL('fairlead::usr_1:a'))
    expect(ttl).toBeGreaterThan(hourMs - timeoutMs)
    expect(ttl).toBeLessThanOrEqual(hourMs)
  })

  test('redisCache counts entries that cannot be decoded as misses, and replaces them', async () => {
    const redis = await startRedis()
    const { cache, logged } = open(redis.url, patient)
    await available(cache)
    const before = logged.length
    const client = await createClient({ url: redis.url }).connect()
    onTestFinished(() => client.destroy())
    const broken = ['not JSON', '{"value":', 'null', '7', '{"value":7}', '{}', '']
    await Promise.all(broken.map((text, n) => client.set(`fairlead::broken_${n}`, text)))
    await client.lPush('fairlead::broken_list', 'a')
    const keys = [...broken.keys(), 'list'].map((name) => `broken_${name}`)
    for (const key of keys) {
      // More consecutive lookups than the failures that open the circuit.
      for (let n = 0; n < 6; n++) expect(await cache.get(key)).toBe(undefined)
    }
    for (const key of keys) await cache.set(key, 'replaced', hourMs)
    for (const key of keys) expect(await cache.get(key)).toBe('replaced')
    expect(logged.slice(before)).toEqual([])
  })

  test('redisCache closes a silent connection and reconnects', async () => {
    const redis = await startRedis()
    const proxy = await proxyRedis(redis.url)
    const { cache } = open(proxy.url)
    await available(cache)
    const before = proxy.connections()
    redis.freeze()
    // The frozen server does not close the old connection; only the socket timeout detects it.
    await expect.poll(() => proxy.connections()).toBeGreaterThan(before)
    redis.thaw()
    await available(cache)
  })

  test('redisCache does not delay requests if Redis is down at startup, and uses Redis once it is up', async () => {
    const redis = await startRedis()
    await redis.kill()
    const { cache, logged } = open(redis.url)
    await expect.poll(() => logged).toEqual([connectMessage])
    await missEach(cache, 50)
    expect(logged.slice(1)).toEqual(outageMessages.slice(0, 1))
    await redis.restart()
    await available(cache)
    expect(logged.slice(1, 3)).toEqual(outageMessages)
  })

  test('redisCache logs the reason if Redis rejects the password', async () => {
    const redis = await startRedis()
    const client = await createClient({ url: redis.url }).connect()
    onTestFinished(() => client.destroy())
    const { cache, logged, errors } = open(redis.url.replace('redis://', 'redis://:wrong@'))
    // A second attempt means that the client has received the first rejection.
    const triedAgain = async () => /cmdstat_auth:calls=(?!1,)/.test(String(await client.info('commandstats')))
    await vi.waitUntil(triedAgain, { timeout: timeoutMs, interval: 20 })
    await missEach(cache, 50)
    expect(logged).toEqual([connectMessage, outageMessages[0]])
    const rejected = { message: expect.stringContaining('AUTH') }
    expect(errors).toMatchObject([rejected, rejected])
  })

  test('redisCache does not delay requests if Redis is killed, and uses Redis again after a restart', async () => {
    const redis = await startRedis()
    const { cache, logged } = open(redis.url)
    await available(cache)
    const before = logged.length
    await redis.kill()
    await missEach(cache, 50)
    await redis.restart()
    await available(cache)
    expect(logged.slice(before, before + 2)).toEqual(outageMessages)
  })

  test('redisCache lets only a few requests wait for a frozen Redis, and uses Redis again when it responds', async () => {
    const redis = await startRedis()
    const proxy = await proxyRedis(redis.url)
    const { cache, logged } = open(proxy.url)
    await available(cache)
    const [before, sentBefore] = [logged.length, proxy.sent('GET')]
    redis.freeze()
    await missEach(cache, 200)
    // Lookups that wait are those that were sent.
    expect(proxy.sent('GET') - sentBefore).toBe(5)
    redis.thaw()
    await available(cache)
    expect(logged.slice(before, before + 2)).toEqual(outageMessages)
  })

  test('redisCache sends nothing to a frozen Redis after concurrent requests have failed', async () => {
    const redis = await startRedis()
    const proxy = await proxyRedis(redis.url)
    const { cache } = open(proxy.url)
    await available(cache)
    const sentBefore = proxy.sent('GET')
    redis.freeze()
    await Promise.all(Array.from({ length: 500 }, () => missEach(cache, 20)))
    expect(proxy.sent('GET') - sentBefore).toBeLessThan(600)
  })
})
