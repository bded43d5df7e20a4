import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionSource } from '../listen.ts'

// Messages between a worker and the primary process.
export const readyMessage = 'fairlead: ready'
export const jobsMessage = 'fairlead: run the jobs'
/** Events were stored: the worker that runs the jobs delivers them. */
export const eventsMessage = 'fairlead: events'
/** The event loop of the worker turns. */
export const aliveMessage = 'fairlead: alive'
/** The service got the signal to reload its configuration. */
export const reloadMessage = 'fairlead: reload'
/** Carries a connection for the worker to serve. */
export const connectionMessage = 'fairlead: connection'
/** The worker can take a connection. */
export const nextConnectionMessage = 'fairlead: next connection'
/** The worker is about to stop. */
export const leaveMessage = 'fairlead: leave'
/** No more connections follow. */
export const lastConnectionMessage = 'fairlead: last connection'

/** The channel to the primary process. */
export interface Channel {
  on(event: 'message', act: (message: unknown, socket?: Socket) => void): unknown
  send?(message: string): unknown
}

/**
 * Serves connections that the primary process accepts and passes on, instead of listening on a port.
 *
 * @param channel default: the channel of this process
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
    // Undefined if the client disconnected meanwhile.
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

  // Makes Node enforce the server's timeouts.
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
