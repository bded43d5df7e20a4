import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionSource } from '../listen.ts'
import { connectionMessage, lastConnectionMessage, leaveMessage, nextConnectionMessage } from './messages.ts'

/** The channel to the primary process. */
export interface Channel {
  on(event: 'message', act: (message: unknown, socket?: Socket) => void): unknown
  send?(message: string): unknown
}

/**
 * Serves connections that the primary process accepts and hands over, in place of a port of its own.
 *
 * @param channel default: that of this process
 */
export function receiveConnections(
  server: Server,
  port: number,
  channel: Channel = process as Channel,
): ConnectionSource {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let open = 0
  channel.on('message', (message, socket) => {
    if (message === lastConnectionMessage) end()
    if (message !== connectionMessage) return
    // It is absent where the client left on the way.
    if (socket) take(socket)
    channel.send?.(nextConnectionMessage)
  })

  function take(socket: Socket): void {
    if (open >= server.maxConnections) {
      server.emit('drop')
      socket.destroy()
      return
    }
    open++
    socket.once('close', () => open--)
    server.emit('connection', socket)
  }

  // Has Node begin to enforce the server's time limits.
  server.emit('listening')
  channel.send?.(nextConnectionMessage)
  return {
    port,
    close() {
      channel.send?.(leaveMessage)
      return ended
    },
  }
}
