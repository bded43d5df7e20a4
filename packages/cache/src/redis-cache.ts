import type { Cache } from '@fairlead/core'
import KeyvRedis from '@keyv/redis'
import { Keyv } from 'keyv'
import { connectRedis } from './connect-redis.ts'
import { type KeyvCacheOptions, guardedCache } from './keyv-cache.ts'

export interface RedisCacheOptions extends KeyvCacheOptions {
  /** `redis://` or `rediss://`, with user, password and database number if required. */
  readonly url: string
}

const namespace = 'fairlead'

/**
 * A cache in Redis, shared by several processes. It connects and reconnects in the background, so the service starts and
 * runs without Redis.
 */
export function redisCache({ url, ...options }: RedisCacheOptions): Cache {
  const { client, lastError } = connectRedis(url)
  // Without it, a wrong address would be noticed with the first request that is cached.
  const warn = (error: unknown) => options.log?.warn({ error }, 'cannot connect to Redis, trying again')
  client.once('error', warn)
  client.once('ready', () => client.off('error', warn))
  const store = new KeyvRedis(client, { namespace, throwOnErrors: true, throwOnConnectError: false })
  return guardedCache(new Keyv(store, { namespace, useKeyPrefix: false, throwOnErrors: true }), options, {
    causeOf: (error) => lastError() ?? error,
    async disconnect() {
      client.destroy()
    },
  })
}
