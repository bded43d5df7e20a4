import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Clock } from '@fairlead/core'

/** A client that reads nothing for this long is disconnected: otherwise its response would stay in memory. */
const maxStallMs = 30_000
/** A long body is written in pieces, so that a slow client can be distinguished from one that stopped reading. */
const pieceBytes = 64 * 1024

/** Ends a response with a whole body, or the rest of one, and disconnects a client that stops reading it. */
export function endResponse(response: ServerResponse, body: string | Uint8Array | undefined, clock: Clock): void {
  // Without a socket, responses to earlier requests of the connection are still being sent.
  if (!response.socket || body === undefined || body.length <= pieceBytes) return endAtOnce(response, body, clock)
  void endInPieces(response, typeof body === 'string' ? Buffer.from(body) : body, clock)
}

function endAtOnce(response: ServerResponse, body: string | Uint8Array | undefined, clock: Clock): void {
  response.end(body)
  // Usually the operating system has taken all of it.
  if (response.socket && response.socket.writableLength > 0) void untilRead(response, 'finish', clock)
}

async function endInPieces(response: ServerResponse, body: Uint8Array, clock: Clock): Promise<void> {
  let at = 0
  for (; at + pieceBytes < body.length; at += pieceBytes) {
    await writeTo(response, body.subarray(at, at + pieceBytes), clock)
    if (response.destroyed) return
  }
  endAtOnce(response, body.subarray(at), clock)
}

/** Writes a piece of a body. Await the promise, if there is one, before the next piece. */
export function writeTo(response: ServerResponse, piece: string | Uint8Array, clock: Clock): Promise<void> | undefined {
  return response.write(piece) ? undefined : untilRead(response, 'drain', clock)
}

/**
 * Waits for a client that is slower than its response: until the next piece may be written (`drain`), or all have been
 * sent (`finish`). Also resolves when the client disconnects, or is disconnected because it read nothing for 30 s.
 */
export async function untilRead(response: ServerResponse, event: 'drain' | 'finish', clock: Clock): Promise<void> {
  // A closed response emits no further events.
  if (response.destroyed || response.writableFinished) return
  const waiting = new AbortController()
  const stop = () => waiting.abort()
  const cancel = clock.schedule(maxStallMs, () => response.destroy())
  response.once('close', stop)
  await once(response, event, { signal: waiting.signal }).catch(() => {})
  response.off('close', stop)
  cancel()
}
