import { createClient } from '@keyv/redis'

/** The result of `readRedisState`. */
export interface RedisState {
  readonly version: string
  /** How far the clock of the server is ahead of this machine's, in milliseconds. */
  readonly clockOffsetMs: number
  /** Whether it rejects writes once its memory is full, instead of evicting old entries. */
  readonly rejectsWritesWhenFull: boolean
}

const timeoutMs = 2_000

/** Connects once and reads the state of the server. Rejects with the reason if it cannot be used. */
export async function readRedisState(url: string): Promise<RedisState> {
  const socket = { connectTimeout: timeoutMs, socketTimeout: timeoutMs, reconnectStrategy: false } as const
  const client = createClient({ url, socket })
  client.on('error', () => {})
  try {
    await client.connect()
    const startedAt = Date.now()
    const [seconds, microseconds] = (await client.sendCommand(['TIME'])) as unknown as readonly [string, string]
    const serverMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000
    const clockOffsetMs = serverMs - (startedAt + Date.now()) / 2
    const facts = parseInfo(String(await client.sendCommand(['INFO'])))
    return {
      version: facts.get('redis_version') ?? 'of an unknown version',
      clockOffsetMs,
      rejectsWritesWhenFull: facts.get('maxmemory') !== '0' && facts.get('maxmemory_policy') === 'noeviction',
    }
  } finally {
    if (client.isOpen) client.destroy()
  }
}

/** Lines such as `redis_version:7.2.4` (https://redis.io/docs/latest/commands/info/). */
function parseInfo(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\r\n').flatMap((line) => {
      const [name = '', ...value] = line.split(':')
      return value.length > 0 ? [[name, value.join(':')] as const] : []
    }),
  )
}
