import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that wait for the response to an earlier one. A client sends more only to do harm. */
const maxWaiting = 50

/**
 * Handles one request of a connection at a time. Node emits pipelined requests as soon as they have arrived, so that a few
 * kilobytes would start thousands of them at once. A response gets its socket when the earlier ones have been sent: until
 * then its request waits, and with the connection it is dropped. Other requests cost one comparison.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    if (response.socket !== null) return listener(request, response)
    const { socket } = request
    const ahead = waiting.get(socket) ?? 0
    if (ahead >= maxWaiting) return closeUnparsed(socket)
    waiting.set(socket, ahead + 1)
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      // In a turn of its own, so that other connections are served in between.
      setImmediate(() => {
        if (!socket.destroyed) listener(request, response)
      })
    })
  }
}

/**
 * Closes a connection without the requests that Node has read but not parsed: 64 kB hold thousands of them, and each would
 * take 40 µs. Node's parser skips the rest of what it has read when this returns 2, as it does after an upgrade.
 */
function closeUnparsed(socket: Socket & { readonly parser?: { onIncoming: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2
  socket.destroy()
}
