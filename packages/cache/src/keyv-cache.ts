import type { Cache, Log } from '@fairlead/core'
import type { Keyv } from 'keyv'
import { createGuard } from './guard.ts'

export interface KeyvCacheOptions {
  /** Timeout of one command, in milliseconds. Default: 100. */
  readonly deadlineMs?: number | undefined
  /** How long the store is bypassed after five consecutive failures, in milliseconds. Default: 1,000. */
  readonly restMs?: number | undefined
  /** Receives a warning when the store becomes unavailable and when it is available again. Default: none. */
  readonly log?: Log | undefined
}

/**
 * A cache on any store that Keyv supports. If the store is unavailable or frozen, a few requests wait for the timeout;
 * after that, requests bypass the store, and one at a time tries it again.
 *
 * @param keyv with `throwOnErrors`: without it, Keyv reports a failure as a miss, and an outage goes unnoticed
 */
export function keyvCache(keyv: Keyv, options: KeyvCacheOptions = {}): Cache {
  return guardedCache(keyv, options, (error) => error)
}

/** @param causeOf returns the error to log for the failure that opened the circuit */
export function guardedCache(
  keyv: Keyv,
  { deadlineMs = 100, restMs = 1_000, log }: KeyvCacheOptions,
  causeOf: (error: unknown) => unknown,
): Cache {
  const guard = createGuard({
    deadlineMs,
    restMs,
    onUnavailable: (error) => log?.warn({ error: causeOf(error) }, 'cache unavailable, bypassing it'),
    onAvailable: () => log?.warn({}, 'cache available again'),
  })
  // The caller gets the error from its own command; an `error` event without a listener would end the process.
  keyv.on('error', () => {})

  /** An entry that Fairlead did not write is a miss, not a failure of the store. The next `set` replaces it. */
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
    get: (key) => guard(() => find(key)),
    async set(key, text, ttlMs) {
      await guard(() => keyv.set(key, text, ttlMs))
    },
    close: () => keyv.disconnect(),
  }
}

/** Whether the entry is not the JSON that Keyv writes, or not a Redis string. */
function isUndecodable(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && error.message.startsWith('WRONGTYPE'))
}
