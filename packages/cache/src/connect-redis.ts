import { createClient } from '@keyv/redis'

/** Milliseconds without data after which a connection is closed. A frozen Redis does not close it. */
const silenceMs = 2_000
const pingMs = 1_000
const connectMs = 1_000
const maxReconnectDelayMs = 500

export type RedisClient = ReturnType<typeof connectRedis>['client']

/** Connects in the background and reconnects after a connection loss. Without a connection, commands fail immediately. */
export function connectRedis(url: string) {
  const client = createClient({
    url,
    // Commands fail immediately while there is no connection, instead of being queued.
    disableOfflineQueue: true,
    pingInterval: pingMs,
    socket: {
      connectTimeout: connectMs,
      socketTimeout: silenceMs,
      // The client's default strategy stops reconnecting after a socket timeout.
      reconnectStrategy: (attempts) => Math.min(50 * 2 ** attempts, maxReconnectDelayMs),
    },
  })
  // Only the `error` event reports why commands fail, such as a wrong password.
  let lastError: unknown
  client.on('error', (error: unknown) => void (lastError = error))
  client.on('ready', () => void (lastError = undefined))
  client.connect().catch(() => {})
  return { client, lastError: () => lastError }
}
