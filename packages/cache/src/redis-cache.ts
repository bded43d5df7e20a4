import type { Cache } from '@fairlead/core'
import KeyvRedis from '@keyv/redis'
import { Keyv } from 'keyv'
import { connectRedis } from './connect-redis.ts'
import { type KeyvCacheOptions, watchedCache } from './keyv-cache.ts'

export interface RedisCacheOptions extends KeyvCacheOptions {
  /** `redis://` or `rediss://`, with user, password and number of the database where they are needed. */
  readonly url: string
}

const namespace = 'fairlead'

/**
 * On a Redis that several processes share. It is connected to behind the back of requests, and for ever anew: a service
 * starts and goes on without it.
 */
export function redisCache({ url, ...options }: RedisCacheOptions): Cache {
  const { client, lastError } = connectRedis(url)
  const store = new KeyvRedis(client, { namespace, throwOnErrors: true, throwOnConnectError: false })
  const cache = watchedCache(
    new Keyv(store, { namespace, useKeyPrefix: false, throwOnErrors: true }),
    options,
    (error) => lastError() ?? error,
  )
  return {
    ...cache,
    async close() {
      client.destroy()
    },
  }
}
