import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Cache } from '@fairlead/core'
import { createClient } from '@keyv/redis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { redisCache } from './redis-cache.ts'
import { findRedis } from './testing/find-redis.ts'
import { startRedis } from './testing/redis-server.ts'

const hourMs = 3_600_000
/** A busy machine may take its time; a request that hangs takes for ever. */
const soonMs = 1_500
const patienceMs = 15_000
const awayAndBack = ['cache unavailable, bypassing it', 'cache available again']

interface Opened {
  readonly cache: Cache
  readonly said: readonly string[]
  /** What was said of why. */
  readonly reasons: readonly unknown[]
}

function open(url: string): Opened {
  const said: string[] = []
  const reasons: unknown[] = []
  const warn = ({ error }: { readonly error?: unknown }, message: string) => {
    said.push(message)
    if (error !== undefined) reasons.push(error)
  }
  const log = { warn, error: () => {} }
  const cache = redisCache({ url, log })
  onTestFinished(() => cache.close?.())
  return { cache, said, reasons }
}

/** A way to a server that counts the connections that were made over it, and breaks none. */
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

/** Waits until what was kept can be had. */
async function answers(cache: Cache): Promise<void> {
  await vi.waitUntil(
    async () => {
      await cache.set('probe', 'there', hourMs)
      return (await cache.get('probe')) === 'there'
    },
    { timeout: patienceMs, interval: 20 },
  )
}

/** How long each of so many look-ups, one after the other, keeps a request waiting at most, in milliseconds. */
async function longestWait(cache: Cache, times: number): Promise<number> {
  let longest = 0
  for (let n = 0; n < times; n++) {
    const startedAt = performance.now()
    expect(await cache.get('probe')).toBe(undefined)
    longest = Math.max(longest, performance.now() - startedAt)
  }
  return longest
}

describe.runIf(findRedis())('a cache on Redis', () => {
  test('shares what it keeps with the other processes, for as long as it was told', async () => {
    const redis = await startRedis()
    const [here, there] = [open(redis.url).cache, open(redis.url).cache]
    await Promise.all([answers(here), answers(there)])
    await here.set('usr_1:a', 'one', hourMs)
    expect(await there.get('usr_1:a')).toBe('one')
    const client = await createClient({ url: redis.url }).connect()
    onTestFinished(() => client.destroy())
    const life = Number(await client.pTTL('fairlead::usr_1:a'))
    expect(life).toBeGreaterThan(hourMs - patienceMs)
    expect(life).toBeLessThanOrEqual(hourMs)
  })

  test('counts entries that cannot be decoded as misses, and replaces them', async () => {
    const redis = await startRedis()
    const { cache, said } = open(redis.url)
    await answers(cache)
    const before = said.length
    const client = await createClient({ url: redis.url }).connect()
    onTestFinished(() => client.destroy())
    const broken = ['not JSON', '{"value":', 'null', '7', '{"value":7}', '{}', '']
    await Promise.all(broken.map((text, n) => client.set(`fairlead::broken_${n}`, text)))
    await client.lPush('fairlead::broken_list', 'a')
    const keys = [...broken.keys(), 'list'].map((name) => `broken_${name}`)
    for (const key of keys) {
      // More in a row than open the circuit of a cache that is unavailable.
      for (let n = 0; n < 6; n++) expect(await cache.get(key)).toBe(undefined)
    }
    for (const key of keys) await cache.set(key, 'mended', hourMs)
    for (const key of keys) expect(await cache.get(key)).toBe('mended')
    expect(said.slice(before)).toEqual([])
  })

  test('leaves a connection on which nothing comes any more, and makes another', { timeout: 60_000 }, async () => {
    const redis = await startRedis()
    const link = await countConnections(redis.url)
    const { cache } = open(link.url)
    await answers(cache)
    const before = link.connections()
    redis.freeze()
    // The old connection stays open: only silence tells that it is of no use.
    await expect.poll(() => link.connections(), { timeout: patienceMs }).toBeGreaterThan(before)
    redis.thaw()
    await answers(cache)
  })

  test('that was never there keeps no request waiting, and is used once it is', { timeout: 60_000 }, async () => {
    const redis = await startRedis()
    await redis.kill()
    const { cache, said } = open(redis.url)
    expect(await longestWait(cache, 50)).toBeLessThan(soonMs)
    expect(said).toEqual(awayAndBack.slice(0, 1))
    await redis.restart()
    await answers(cache)
    expect(said.slice(0, 2)).toEqual(awayAndBack)
  })

  test('that refuses the password is away, and the log says why', { timeout: 60_000 }, async () => {
    const redis = await startRedis()
    const client = await createClient({ url: redis.url }).connect()
    onTestFinished(() => client.destroy())
    const { cache, said, reasons } = open(redis.url.replace('redis://', 'redis://:wrong@'))
    // Who tries again has heard of the first refusal.
    const triedAgain = async () => /cmdstat_auth:calls=(?!1,)/.test(String(await client.info('commandstats')))
    await vi.waitUntil(triedAgain, { timeout: patienceMs, interval: 20 })
    expect(await longestWait(cache, 50)).toBeLessThan(soonMs)
    expect(said).toEqual(awayAndBack.slice(0, 1))
    expect(reasons).toMatchObject([{ message: expect.stringContaining('AUTH') }])
  })

  test('that dies keeps no request waiting, and is used again when it is back', { timeout: 60_000 }, async () => {
    const redis = await startRedis()
    const { cache, said } = open(redis.url)
    await answers(cache)
    const before = said.length
    await redis.kill()
    expect(await longestWait(cache, 50)).toBeLessThan(soonMs)
    await redis.restart()
    await answers(cache)
    expect(said.slice(before, before + 2)).toEqual(awayAndBack)
  })

  test(
    'that is frozen costs a few requests the deadline, and is used again when it thaws',
    {
      timeout: 60_000,
    },
    async () => {
      const redis = await startRedis()
      const { cache, said } = open(redis.url)
      await answers(cache)
      const before = said.length
      redis.freeze()
      const startedAt = performance.now()
      expect(await longestWait(cache, 50)).toBeLessThan(soonMs)
      // Fifty look-ups that each waited would have taken five seconds.
      expect(performance.now() - startedAt).toBeLessThan(4_000)
      redis.thaw()
      await answers(cache)
      expect(said.slice(before, before + 2)).toEqual(awayAndBack)
    },
  )

  test('asks a frozen Redis with one request at a time, while others go on', { timeout: 60_000 }, async () => {
    const redis = await startRedis()
    const { cache } = open(redis.url)
    await answers(cache)
    redis.freeze()
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: 500 }, () => longestWait(cache, 2)))
    expect(performance.now() - startedAt).toBeLessThan(soonMs)
  })
})
