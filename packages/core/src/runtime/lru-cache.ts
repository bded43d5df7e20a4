import { LRUCache } from 'lru-cache'

/**
 * A cache of the most recently used values, which holds at most `maxEntries`.
 *
 * Bounded by `maxSize`, because lru-cache allocates all entries of a `max` at once: 1 ms for 10,000, and a core has seven.
 */
export function lruCache<Value extends {}>(maxEntries: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 })
}
