import { createHash } from 'node:crypto'
import type { RedisClient } from './connect-redis.ts'

/** A Lua script of one key, which Redis keeps: only its digest is sent. */
export function redisScript(text: string) {
  const digest = createHash('sha1').update(text).digest('hex')
  return async (client: RedisClient, key: string, values: readonly (string | number)[]): Promise<unknown> => {
    const call = { keys: [key], arguments: values.map(String) }
    return client.evalSha(digest, call).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return client.eval(text, call)
      throw error
    })
  }
}
