import type { Cache, Log } from '@fairlead/core'
import type { Keyv } from 'keyv'
import { createGuard } from './guard.ts'

export interface KeyvCacheOptions {
  /** How long one look-up may keep a request waiting, in milliseconds. Default: 100. */
  readonly deadlineMs?: number
  /** How long nothing is asked of a store that failed five times in a row, in milliseconds. Default: 1,000. */
  readonly restMs?: number
  /** Hears when the store goes away and when it is back. Default: nobody. */
  readonly log?: Log
}

/**
 * A cache on whatever Keyv stores to. A store that is away, or frozen, costs a few requests the deadline each, and then
 * nothing: it is left alone, and tried again by one request at a time.
 *
 * @param keyv with `throwOnErrors`: without it Keyv takes a failure for a miss, and nobody learns that the store is away
 */
export function keyvCache(keyv: Keyv, options: KeyvCacheOptions = {}): Cache {
  return watchedCache(keyv, options, (error) => error)
}

/** @param whyAway what the log is told of a failure that shows that the store is away */
export function watchedCache(
  keyv: Keyv,
  { deadlineMs = 100, restMs = 1_000, log }: KeyvCacheOptions,
  whyAway: (error: unknown) => unknown,
): Cache {
  const attempt = createGuard({
    deadlineMs,
    restMs,
    onUnavailable: (error) => log?.warn({ error: whyAway(error) }, 'cache unavailable, bypassing it'),
    onAvailable: () => log?.warn({}, 'cache available again'),
  })
  // Whoever asked has heard of it; an `error` event that nobody listens to would end the process.
  keyv.on('error', () => {})

  /** An entry that is not one of ours is a miss, which the next `set` replaces; the store itself has answered. */
  async function find(key: string): Promise<string | undefined> {
    try {
      const text: unknown = await keyv.get(key)
      return typeof text === 'string' ? text : undefined
    } catch (error) {
      if (isUndecodable(error)) return undefined
      throw error
    }
  }

  return {
    get: (key) => attempt(() => find(key)),
    async set(key, text, ttlMs) {
      await attempt(() => keyv.set(key, text, ttlMs))
    },
    close: () => keyv.disconnect(),
  }
}

/** Whether the entry is not the JSON that Keyv writes, or in Redis not even a string. */
function isUndecodable(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && error.message.startsWith('WRONGTYPE'))
}
