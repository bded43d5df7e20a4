import { describe, expect, test } from 'vitest'
import { testClock } from '@fairlead/testing'
import { memoryRateLimiter } from './rate-limit.ts'

const tenAMinute = { limit: 10, windowMs: 60_000 }

describe('memoryRateLimiter', () => {
  test('memoryRateLimiter grants no second burst when the next minute begins', async () => {
    const clock = testClock('2026-03-14T12:09:59.000Z')
    const limiter = memoryRateLimiter({ clock })
    const granted = async () => (await limiter.take('a', tenAMinute)).granted
    for (let n = 0; n < 10; n++) expect(await granted()).toBe(true)
    clock.advance(2_000)
    for (let n = 0; n < 10; n++) expect(await granted()).toBe(false)
    clock.advance(4_000)
    expect([await granted(), await granted()]).toEqual([true, false])
  })

  test('memoryRateLimiter returns when one more request is possible', async () => {
    const clock = testClock()
    const limiter = memoryRateLimiter({ clock })
    expect(await limiter.take('a', tenAMinute)).toEqual({ granted: true, remaining: 9, resetMs: 6_000 })
    clock.advance(1_000)
    expect(await limiter.take('a', tenAMinute)).toEqual({ granted: true, remaining: 8, resetMs: 5_000 })
    for (let n = 0; n < 8; n++) await limiter.take('a', tenAMinute)
    expect(await limiter.take('a', tenAMinute)).toEqual({ granted: false, remaining: 0, resetMs: 5_000 })
  })

  test('memoryRateLimiter blocks a key for at most one window after the clock was set back', async () => {
    const clock = testClock()
    const limiter = memoryRateLimiter({ clock })
    for (let n = 0; n < 10; n++) await limiter.take('a', tenAMinute)
    clock.jumpTo(clock.now() - 4 * 60_000)
    expect(await limiter.take('a', tenAMinute)).toMatchObject({ granted: false, resetMs: 6_000 })
    clock.advance(6_000)
    expect(await limiter.take('a', tenAMinute)).toMatchObject({ granted: true })
  })

  test('memoryRateLimiter ignores requests that were counted while the clock was far ahead', async () => {
    const clock = testClock()
    const limiter = memoryRateLimiter({ clock })
    for (let n = 0; n < 10; n++) await limiter.take('a', tenAMinute)
    clock.jumpTo(clock.now() - 400 * 24 * 3_600_000)
    expect(await limiter.take('a', tenAMinute)).toMatchObject({ granted: true, remaining: 9 })
  })

  test('memoryRateLimiter grants again what was given back', async () => {
    const limiter = memoryRateLimiter({ clock: testClock() })
    const once = { limit: 1, windowMs: 60_000 }
    await limiter.take('a', once)
    limiter.charge('a', once, -1)
    expect([limiter.take('a', once).granted, limiter.take('a', once).granted]).toEqual([true, false])
  })

  test('memoryRateLimiter evicts the least recently used key beyond maxKeys', async () => {
    const clock = testClock()
    const limiter = memoryRateLimiter({ clock, maxKeys: 2 })
    const once = { limit: 1, windowMs: 60_000 }
    const granted = async (key: string) => (await limiter.take(key, once)).granted
    expect([await granted('a'), await granted('b'), await granted('b')]).toEqual([true, true, false])
    expect(await granted('c')).toBe(true)
    expect([await granted('b'), await granted('a')]).toEqual([false, true])
  })
})
