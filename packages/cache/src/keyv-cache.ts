import type { Cache, Log } from '@fairlead/core'
import type { Keyv } from 'keyv'
import { createGuard } from './guard.ts'

export interface KeyvCacheOptions {
  /** Timeout of one command, in milliseconds. Default: 100. */
  readonly timeoutMs?: number | undefined
  /** Time between two probes of a store that is bypassed, in milliseconds. Default: 1,000. */
  readonly probeIntervalMs?: number | undefined
  /** Receives a warning when the store becomes unavailable and when it is available again. Default: none. */
  readonly log?: Log | undefined
}

/**
 * A cache on any store that Keyv supports. If the store is unavailable or frozen, a few requests wait for the timeout;
 * after that, requests bypass the store until a probe succeeds.
 *
 * @param keyv with `throwOnErrors`: without it, Keyv reports a failure as a miss, and an outage goes unnoticed
 */
export function keyvCache(keyv: Keyv, options: KeyvCacheOptions = {}): Cache {
  return guardedCache(keyv, options, { causeOf: (error) => error, disconnect: () => keyv.disconnect() })
}

interface GuardedStore {
  /** Returns the error to log for the failure that opened the circuit. */
  causeOf(error: unknown): unknown
  disconnect(): Promise<void>
}

/** Looked up to see whether the store responds, with an entry or without. */
const probeKey = 'probe'

export function guardedCache(
  keyv: Keyv,
  { timeoutMs = 100, probeIntervalMs = 1_000, log }: KeyvCacheOptions,
  { causeOf, disconnect }: GuardedStore,
): Cache {
  const guard = createGuard({
    timeoutMs,
    probe: () => find(probeKey),
    probeIntervalMs,
    onOpen: (error) => log?.warn({ error: causeOf(error) }, 'cache unavailable, bypassing it'),
    onClose: () => log?.warn({}, 'cache available again'),
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
    get: (key) => guard.run(() => find(key)),
    async set(key, text, ttlMs) {
      await guard.run(() => keyv.set(key, text, ttlMs))
    },
    async close() {
      guard.stop()
      await disconnect()
    },
  }
}

/** Whether the entry is not the JSON that Keyv writes, or not a Redis string. */
function isUndecodable(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && error.message.startsWith('WRONGTYPE'))
}
