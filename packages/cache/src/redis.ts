/** A cache and a rate limiter on Redis. A separate entry point, so that other programs do not load a Redis client. */
export { redisCache } from './redis-cache.ts'
export { readRedisState } from './redis-state.ts'
export { redisRateLimiter } from './redis-rate-limiter.ts'
export type { RedisState } from './redis-state.ts'
export type { RedisCacheOptions } from './redis-cache.ts'
export type { RedisRateLimiterOptions } from './redis-rate-limiter.ts'
