/** For tests of other packages: starts a Redis for one test. Not published. */
export { findRedis } from './testing/find-redis.ts'
export { type RedisServer, startRedis } from './testing/redis-server.ts'
