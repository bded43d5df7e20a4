import { operations } from '@fairlead/testing/workspace'
import { testCore } from '@fairlead/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { redisCache } from './redis-cache.ts'
import { findRedis } from './testing/find-redis.ts'
import { startRedis } from './testing/redis-server.ts'

const timeoutMs = 300_000

/** Starts a core that caches responses in Redis. */
async function startCore(url: string) {
  const cache = redisCache({ url })
  const { core } = await testCore({ cache, routes: { text: { targets: ['calm/any'], cache: { ttlMs: 3_600_000 } } } })
  onTestFinished(() => core.close())
  const ask = async (prompt: string) => {
    const reply = await core.run(operations.generate, { kind: 'embedded' }, { model: 'text', prompt })
    return { cached: reply.meta.cached, success: reply.success }
  }
  return { ask }
}

describe.runIf(findRedis())('requests with a cache on Redis', () => {
  test.each(['frozen', 'killed'])(
    'requests with a cache on Redis bypass the cache while Redis is %s, and use it again afterwards',
    async (state) => {
      const redis = await startRedis()
      const { ask } = await startCore(redis.url)
      await vi.waitUntil(async () => (await ask('warm')).cached, { timeout: timeoutMs, interval: 20 })
      if (state === 'frozen') redis.freeze()
      else await redis.kill()
      const replies = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(`hello ${index}`)))
      expect(replies.every(({ success, cached }) => success && !cached)).toBe(true)
      if (state === 'frozen') redis.thaw()
      else await redis.restart()
      await vi.waitUntil(async () => (await ask('back')).cached, { timeout: timeoutMs, interval: 20 })
    },
  )
})
