import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Cache } from '@fairlead/core'
import { createClient } from '@keyv/redis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { redisCache } from './redis-cache.ts'
import { findRedis } from './testing/find-redis.ts'
import { startRedis } from './testing/redis-server.ts'

const hourMs = 3_600_000
/** Long enough for a busy machine; a request that hangs takes longer. */
const soonMs = 20_000
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

/** A TCP proxy that counts its connections. */
async function countConnections(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl)
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    connections += 1
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
  }
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

/** The longest duration of sequential lookups that miss, in milliseconds. */
async function longestLookup(cache: Cache, times: number): Promise<number> {
  let longest = 0
  for (let n = 0; n < times; n++) {
    const startedAt = performance.now()
    expect(await cache.get('probe')).toBe(undefined)
    longest = Math.max(longest, performance.now() - startedAt)
  }
  return longest
}

describe.runIf(findRedis())('redisCache', () => {
  test('shares entries with other processes until their time to live ends', async () => {
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

  test('counts entries that cannot be decoded as misses, and replaces them', async () => {
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

  test('closes a silent connection and reconnects', async () => {
    const redis = await startRedis()
    const proxy = await countConnections(redis.url)
    const { cache } = open(proxy.url)
    await available(cache)
    const before = proxy.connections()
    redis.freeze()
    // The frozen server does not close the old connection; only the socket timeout detects it.
    await expect.poll(() => proxy.connections(), { timeout: timeoutMs }).toBeGreaterThan(before)
    redis.thaw()
    await available(cache)
  })

  test('does not delay requests if Redis is down at startup, and uses Redis once it is up', async () => {
    const redis = await startRedis()
    await redis.kill()
    const { cache, logged } = open(redis.url)
    await expect.poll(() => logged).toEqual([connectMessage])
    expect(await longestLookup(cache, 50)).toBeLessThan(soonMs)
    expect(logged.slice(1)).toEqual(outageMessages.slice(0, 1))
    await redis.restart()
    await available(cache)
    expect(logged.slice(1, 3)).toEqual(outageMessages)
  })

  test('logs the reason if Redis rejects the password', async () => {
    const redis = await startRedis()
    const client = await createClient({ url: redis.url }).connect()
    onTestFinished(() => client.destroy())
    const { cache, logged, errors } = open(redis.url.replace('redis://', 'redis://:wrong@'))
    // A second attempt means that the client has received the first rejection.
    const triedAgain = async () => /cmdstat_auth:calls=(?!1,)/.test(String(await client.info('commandstats')))
    await vi.waitUntil(triedAgain, { timeout: timeoutMs, interval: 20 })
    expect(await longestLookup(cache, 50)).toBeLessThan(soonMs)
    expect(logged).toEqual([connectMessage, outageMessages[0]])
    const rejected = { message: expect.stringContaining('AUTH') }
    expect(errors).toMatchObject([rejected, rejected])
  })

  test('does not delay requests if Redis is killed, and uses Redis again after a restart', async () => {
    const redis = await startRedis()
    const { cache, logged } = open(redis.url)
    await available(cache)
    const before = logged.length
    await redis.kill()
    expect(await longestLookup(cache, 50)).toBeLessThan(soonMs)
    await redis.restart()
    await available(cache)
    expect(logged.slice(before, before + 2)).toEqual(outageMessages)
  })

  test('lets only a few requests wait for a frozen Redis, and uses Redis again when it responds', async () => {
    const redis = await startRedis()
    const { cache, logged } = open(redis.url)
    await available(cache)
    const before = logged.length
    redis.freeze()
    const startedAt = performance.now()
    expect(await longestLookup(cache, 200)).toBeLessThan(soonMs)
    // If each lookup waited for the timeout, they would take 20 s.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    redis.thaw()
    await available(cache)
    expect(logged.slice(before, before + 2)).toEqual(outageMessages)
  })

  test('probes a frozen Redis with one request at a time without delaying the others', async () => {
    const redis = await startRedis()
    const { cache } = open(redis.url)
    await available(cache)
    redis.freeze()
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: 500 }, () => longestLookup(cache, 2)))
    expect(performance.now() - startedAt).toBeLessThan(soonMs)
  })
})
