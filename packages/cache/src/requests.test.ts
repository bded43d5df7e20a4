import { operations } from '@fairlead/core'
import { testCore } from '@fairlead/core/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { redisCache } from './redis-cache.ts'
import { findRedis } from './testing/find-redis.ts'
import { startRedis } from './testing/redis-server.ts'

const patienceMs = 15_000

/** A core whose answers are kept in a Redis, and the time that requests take of it. */
async function house(url: string) {
  const cache = redisCache({ url })
  const { core } = await testCore({ cache, routes: { text: { targets: ['calm/any'], cache: { ttlMs: 3_600_000 } } } })
  onTestFinished(() => core.close())
  const ask = async (prompt: string) => {
    const startedAt = performance.now()
    const reply = await core.run(operations.generate, { kind: 'embedded' }, { model: 'text', prompt })
    return { cached: reply.meta.cached, success: reply.success, ms: performance.now() - startedAt }
  }
  return { ask }
}

describe.runIf(findRedis())('requests', { timeout: 60_000 }, () => {
  test.each(['frozen', 'gone'])('are answered while the Redis is %s, and repeated when it is back', async (how) => {
    const redis = await startRedis()
    const { ask } = await house(redis.url)
    await vi.waitUntil(async () => (await ask('warm')).cached, { timeout: patienceMs, interval: 20 })
    if (how.startsWith('frozen')) redis.freeze()
    else await redis.kill()
    const replies = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(`hello ${index}`)))
    expect(replies.every(({ success, cached }) => success && !cached)).toBe(true)
    // The deadline is 100 ms: the rest is for a machine that is busy.
    expect(Math.max(...replies.map(({ ms }) => ms))).toBeLessThan(3_000)
    if (how.startsWith('frozen')) redis.thaw()
    else await redis.restart()
    await vi.waitUntil(async () => (await ask('back')).cached, { timeout: patienceMs, interval: 20 })
  })
})
