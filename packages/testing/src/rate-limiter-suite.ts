import type { RateLimiter } from '@fairlead/core/stores'
import { describe, expect, onTestFinished, test } from 'vitest'

const minute = { limit: 10, windowMs: 60_000 }

/** The tests that every `RateLimiter` must pass. Each test opens a limiter. */
export function rateLimiterSuite(name: string, open: () => Promise<RateLimiter>): void {
  describe(`the rate limiter ${name}`, () => {
    const opened = async () => {
      const limiter = await open()
      onTestFinished(() => limiter.close?.())
      return limiter
    }

    test('the rate limiter grants the limit at once, counts down, and rejects the next request', async () => {
      const limiter = await opened()
      const remaining: number[] = []
      for (let n = 0; n < 10; n++) remaining.push((await limiter.take('a', minute)).remaining)
      expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
      const rejected = await limiter.take('a', minute)
      expect(rejected).toMatchObject({ granted: false, remaining: 0 })
      expect(rejected.resetMs).toBeGreaterThan(0)
      expect(rejected.resetMs).toBeLessThanOrEqual(6_000)
    })

    test('the rate limiter grants exactly the limit under concurrency', async () => {
      const limiter = await opened()
      const results = await Promise.all(Array.from({ length: 100 }, () => limiter.take('a', minute)))
      expect(results.filter(({ granted }) => granted)).toHaveLength(10)
    })

    test('the rate limiter counts each key separately', async () => {
      const limiter = await opened()
      for (let n = 0; n < 11; n++) await limiter.take('a', minute)
      expect(await limiter.take('b', minute)).toMatchObject({ granted: true, remaining: 9 })
    })

    test('the rate limiter grants one more request after each interval, not the whole limit', async () => {
      const limiter = await opened()
      const limit = { limit: 2, windowMs: 1_000 }
      for (let n = 0; n < 2; n++) await limiter.take('a', limit)
      await expect.poll(async () => (await limiter.take('a', limit)).granted, { timeout: 30_000 }).toBe(true)
      expect(await limiter.take('a', limit)).toMatchObject({ granted: false })
    })

    test.each([7, 600, 6_000])('the rate limiter grants %i requests a minute exactly', async (limit) => {
      const limiter = await opened()
      const results = []
      for (let n = 0; n <= Math.min(limit, 700); n++) results.push(await limiter.take('a', { limit, windowMs: 60_000 }))
      const granted = results.filter((result) => result.granted).length
      // Each interval that passes during the test grants one more.
      expect(granted).toBeGreaterThanOrEqual(Math.min(limit, 700))
      expect(results[0]).toMatchObject({ remaining: limit - 1 })
    })

    test('the rate limiter forgets a key when its requests no longer count', async () => {
      const limiter = await opened()
      const limit = { limit: 1, windowMs: 20 }
      await limiter.take('a', limit)
      await expect.poll(async () => (await limiter.take('a', limit)).granted, { timeout: 30_000 }).toBe(true)
    })

    test('the rate limiter takes more of the limit for a request that costs more', async () => {
      const limiter = await opened()
      expect(await limiter.take('a', minute, 4)).toMatchObject({ granted: true, remaining: 6 })
      const rejected = await limiter.take('a', minute, 8)
      expect(rejected).toMatchObject({ granted: false, remaining: 6 })
      expect(rejected.resetMs).toBeGreaterThan(6_000)
      expect(rejected.resetMs).toBeLessThanOrEqual(12_000)
      expect(await limiter.take('a', minute, 6)).toMatchObject({ granted: true, remaining: 0 })
    })

    test('the rate limiter gives back what a request did not need, at most all of the limit', async () => {
      const limiter = await opened()
      await limiter.take('a', minute, 10)
      await limiter.charge('a', minute, -7)
      expect(await limiter.take('a', minute, 7)).toMatchObject({ granted: true, remaining: 0 })
      await limiter.charge('a', minute, -100)
      expect(await limiter.take('a', minute)).toMatchObject({ granted: true, remaining: 9 })
    })

    test('the rate limiter takes what a request needed beyond its cost, at most all of the limit', async () => {
      const limiter = await opened()
      await limiter.take('a', minute, 2)
      await limiter.charge('a', minute, 5)
      expect(await limiter.take('a', minute, 4)).toMatchObject({ granted: false, remaining: 3 })
      await limiter.charge('a', minute, 1_000)
      const rejected = await limiter.take('a', minute)
      expect(rejected).toMatchObject({ granted: false, remaining: 0 })
      expect(rejected.resetMs).toBeLessThanOrEqual(6_000)
    })

    test('the rate limiter gives as many leases of a key as may be held at the same time, under concurrency', async () => {
      const limiter = await opened()
      const acquire = async () => (await limiter.acquire('a', 3)) ?? []
      const leases = (await Promise.all(Array.from({ length: 20 }, acquire))).flat()
      expect(leases).toHaveLength(3)
      expect(await limiter.acquire('b', 1)).toBeDefined()
    })

    test('the rate limiter gives a lease that was released to the next, and counts each release once', async () => {
      const limiter = await opened()
      const [first] = [await limiter.acquire('a', 2), await limiter.acquire('a', 2)]
      first?.release()
      first?.release()
      await expect.poll(() => limiter.acquire('a', 2)).toBeDefined()
      expect(await limiter.acquire('a', 2)).toBeUndefined()
    })
  })
}
