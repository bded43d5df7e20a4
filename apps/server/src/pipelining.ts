// Keeps the requests of one connection apart (HTTP/1.1 pipelining).
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
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
      // In another turn, so that other connections are served in between.
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

/** How much of a request is discarded after its answer, in bytes, and for how long, in milliseconds. */
const maxDiscardedBytes = 1_048_576
const lingerMs = 1_000

/**
 * Closes the connection after an answer whose request has not arrived completely: the rest of the body would be taken for
 * the next request, or be answered with 408. To be called before the headers are written.
 */
export function closeUnlessRead(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || !hasBody(request) || response.headersSent) return
  response.shouldKeepAlive = false
  request.socket.destroySoon = () => closeSlowly(request.socket)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Ends our side of the connection, and discards what the client still sends for a while (RFC 9112, 9.6): when a socket with
 * unread data is closed, the system resets the connection, and the client may lose the answer.
 */
function closeSlowly(socket: Socket): void {
  let discarded = 0
  socket.end()
  // Nothing that follows is a request.
  socket.removeAllListeners('data')
  socket.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > maxDiscardedBytes) socket.destroy()
  })
  socket.once('end', () => socket.destroy())
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
}
