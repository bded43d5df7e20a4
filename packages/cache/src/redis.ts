/** What several processes share through Redis: apart, so that nobody loads a Redis client who has no Redis. */
export { redisCache } from './redis-cache.ts'
export { redisRateLimiter } from './redis-rate-limiter.ts'
export type { RedisCacheOptions } from './redis-cache.ts'
export type { RedisRateLimiterOptions } from './redis-rate-limiter.ts'
