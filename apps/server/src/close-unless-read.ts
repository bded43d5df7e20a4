import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

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
