import { createClient } from '@keyv/redis'

/** How long a connection may be silent, in milliseconds: a frozen Redis closes nothing. */
const silenceMs = 2_000
const pingMs = 1_000
const connectMs = 1_000
const longestWaitMs = 500

/** Connects in the background, and again whenever the connection is lost. Meanwhile commands fail at once. */
export function connectRedis(url: string) {
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
  // Why commands fail, such as a wrong password, is heard here alone.
  let lost: unknown
  client.on('error', (error: unknown) => void (lost = error))
  client.on('ready', () => void (lost = undefined))
  client.connect().catch(() => {})
  return { client, lastError: () => lost }
}
