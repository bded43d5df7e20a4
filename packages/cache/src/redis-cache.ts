import type { Cache } from '@fairlead/core'
import KeyvRedis, { createClient } from '@keyv/redis'
import { Keyv } from 'keyv'
import { type KeyvCacheOptions, watchedCache } from './keyv-cache.ts'

export interface RedisCacheOptions extends KeyvCacheOptions {
  /** `redis://` or `rediss://`, with user, password and number of the database where they are needed. */
  readonly url: string
}

const namespace = 'fairlead'

/** How long a connection may be silent, in milliseconds: a frozen Redis closes nothing. */
const silenceMs = 2_000
const pingMs = 1_000
const connectMs = 1_000
const longestWaitMs = 500

/**
 * On a Redis that several processes share. It is connected to behind the back of requests, and for ever anew: a service
 * starts and goes on without it.
 */
export function redisCache({ url, ...options }: RedisCacheOptions): Cache {
  const client = createClient({
    url,
    // A command that can't be sent fails at once, instead of waiting for a connection.
    disableOfflineQueue: true,
    pingInterval: pingMs,
    socket: {
      connectTimeout: connectMs,
      socketTimeout: silenceMs,
      // The client's own gives up for ever after a silence.
      reconnectStrategy: (attempts) => Math.min(50 * 2 ** attempts, longestWaitMs),
    },
  })
  // Commands meanwhile fail, which opens the breaker, which says so. Why, such as a wrong password, is heard here alone.
  let lost: unknown
  client.on('error', (error: unknown) => void (lost = error))
  client.on('ready', () => void (lost = undefined))
  client.connect().catch(() => {})
  const store = new KeyvRedis(client, { namespace, throwOnErrors: true, throwOnConnectError: false })
  const cache = watchedCache(
    new Keyv(store, { namespace, useKeyPrefix: false, throwOnErrors: true }),
    options,
    (error) => lost ?? error,
  )
  return {
    ...cache,
    async close() {
      client.destroy()
    },
  }
}
