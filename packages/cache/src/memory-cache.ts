import type { Cache } from '@fairlead/core'
import { LRUCache } from 'lru-cache'

export interface MemoryCacheOptions {
  /** Maximum size in bytes; the least recently used entries are evicted first. Default: 64 MiB. */
  readonly maxBytes?: number | undefined
}

/** Memory of an entry besides its key and text. */
const overheadBytes = 200

/** A cache in the memory of this process. */
export function memoryCache({ maxBytes = 64 * 1_048_576 }: MemoryCacheOptions = {}): Cache {
  const entries = new LRUCache<string, string>({
    maxSize: maxBytes,
    // Keys and encrypted texts are ASCII: one byte per character.
    sizeCalculation: (text, key) => key.length + text.length + overheadBytes,
    // Otherwise it starts a timer, so that it reads the clock once per millisecond.
    ttlResolution: 0,
  })
  return {
    get: async (key) => entries.get(key),
    async set(key, text, ttlMs) {
      entries.set(key, text, { ttl: ttlMs })
    },
  }
}
