import type { Cache } from '@fairlead/core'
import { Keyv, type KeyvStoreAdapter } from 'keyv'
import { LRUCache } from 'lru-cache'

export interface MemoryCacheOptions {
  /** Maximum size in bytes; the least recently used entries are evicted first. Default: 64 MiB. */
  readonly maxBytes?: number | undefined
}

/** A cache in the memory of this process. */
export function memoryCache({ maxBytes = 64 * 1_048_576 }: MemoryCacheOptions = {}): Cache {
  const keyv = new Keyv({ store: boundedStore(maxBytes), namespace: 'fairlead' })
  return {
    get: (key) => keyv.get<string>(key),
    async set(key, text, ttlMs) {
      await keyv.set(key, text, ttlMs)
    },
  }
}

/** Memory of an entry besides its key and text. */
const overheadBytes = 200

/** An adapter: the third argument of `set` is a number in Keyv and an options object in lru-cache. */
function boundedStore(maxBytes: number): Pick<KeyvStoreAdapter, 'get' | 'set' | 'delete' | 'clear'> {
  const entries = new LRUCache<string, string>({
    maxSize: maxBytes,
    // Keys and encrypted texts are ASCII: one byte per character.
    sizeCalculation: (text, key) => key.length + text.length + overheadBytes,
  })
  return {
    get: async (key) => entries.get(key) as never,
    set: (key, text: string) => void entries.set(key, text),
    delete: async (key) => entries.delete(key),
    clear: async () => entries.clear(),
  }
}
