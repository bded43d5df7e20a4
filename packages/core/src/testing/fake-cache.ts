import type { Cache } from '../gateway/caching/cache-entries.ts'
import type { Clock } from '../runtime/clock.ts'

/** A cache in a `Map` that tests can inspect. */
export interface FakeCache extends Cache {
  readonly texts: Map<string, string>
}

export function fakeCache(clock: Pick<Clock, 'now'>): FakeCache {
  const texts = new Map<string, string>()
  const ends = new Map<string, number>()
  return {
    texts,
    get: async (key) => (clock.now() < (ends.get(key) ?? 0) ? texts.get(key) : undefined),
    async set(key, text, ttlMs) {
      texts.set(key, text)
      ends.set(key, clock.now() + ttlMs)
    },
  }
}
