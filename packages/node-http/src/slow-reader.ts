import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Clock } from '@fairlead/core'

/** A client that takes nothing for this long is disconnected: otherwise its answer would stay in memory. */
const maxStallMs = 30_000
/** Of a long body, which is sent piece by piece, so that a slow client shows that it still reads. */
const pieceBytes = 64 * 1024

/** Ends a response with a whole body, or the rest of one, and disconnects a client that stops reading it. */
export function endResponse(response: ServerResponse, body: string | Uint8Array | undefined, clock: Clock): void {
  // Without a socket, the answers to earlier requests of the connection are still on their way.
  if (!response.socket || body === undefined || body.length <= pieceBytes) return endAtOnce(response, body, clock)
  void endInPieces(response, typeof body === 'string' ? Buffer.from(body) : body, clock)
}

function endAtOnce(response: ServerResponse, body: string | Uint8Array | undefined, clock: Clock): void {
  response.end(body)
  // Mostly the operating system took all of it.
  if (response.socket && response.socket.writableLength > 0) void untilTaken(response, 'finish', clock)
}

async function endInPieces(response: ServerResponse, body: Uint8Array, clock: Clock): Promise<void> {
  let at = 0
  for (; at + pieceBytes < body.length; at += pieceBytes) {
    await writeTo(response, body.subarray(at, at + pieceBytes), clock)
    if (response.destroyed) return
  }
  endAtOnce(response, body.subarray(at), clock)
}

/** Writes a piece of a body; what it returns, if anything, is to be awaited before the next one. */
export function writeTo(response: ServerResponse, piece: string | Uint8Array, clock: Clock): Promise<void> | undefined {
  return response.write(piece) ? undefined : untilTaken(response, 'drain', clock)
}

/**
 * Waits for a client that is slower than its answer: until the next piece may be written (`drain`), or all are out
 * (`finish`). Resolves as well when the client is gone, or is disconnected since it took nothing for 30 s.
 */
export async function untilTaken(response: ServerResponse, event: 'drain' | 'finish', clock: Clock): Promise<void> {
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
