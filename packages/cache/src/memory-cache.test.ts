import { describe, expect, test, vi } from 'vitest'
import { memoryCache } from './memory-cache.ts'

const hourMs = 3_600_000

describe('memoryCache', () => {
  test('memoryCache returns a stored text, and undefined for an unknown key', async () => {
    const cache = memoryCache()
    await cache.set('a', 'one', hourMs)
    expect(await Promise.all([cache.get('a'), cache.get('b')])).toEqual(['one', undefined])
  })

  test('memoryCache returns undefined for an expired entry', async () => {
    const cache = memoryCache()
    await cache.set('a', 'one', hourMs)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + hourMs + 1)
    expect(await cache.get('a')).toBe(undefined)
  })

  test('memoryCache evicts the least recently used entry when it is full', async () => {
    const cache = memoryCache({ maxBytes: 10_000 })
    const text = 'x'.repeat(4_000)
    await cache.set('a', text, hourMs)
    await cache.set('b', text, hourMs)
    await cache.get('a')
    await cache.set('c', text, hourMs)
    const found = await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key)))
    expect(found.map((each) => each === text)).toEqual([true, false, true])
  })

  test('memoryCache does not store an entry larger than maxBytes', async () => {
    const cache = memoryCache({ maxBytes: 1_000 })
    await cache.set('a', 'x'.repeat(1_000), hourMs)
    expect(await cache.get('a')).toBe(undefined)
  })
})
