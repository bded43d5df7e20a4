import { type Clock, ProviderError } from '@fairlead/core/provider'
import type { ReplyBody } from './reply-body.ts'

/** The whole body. A body of more than `maxBytes` is abandoned. */
export async function readBytes(body: ReplyBody, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  // A short reply has usually arrived with its head.
  for (;;) {
    const { done, value } = body.poll() ?? (await body.next())
    if (done) break
    size += value.length
    if (size > maxBytes) {
      void body.return()
      throw new ProviderError('give_up', `the reply has more than ${maxBytes} bytes`)
    }
    pieces.push(value)
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)
}

export const maxSampleBytes = 64 * 1024
const maxSampleMs = 5_000

/**
 * The beginning of a body, for messages: what arrives before it breaks off, and within five seconds.
 */
export async function readSome(body: ReplyBody, clock: Clock): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  const cancel = clock.schedule(maxSampleMs, () => void body.return())
  try {
    for await (const piece of body) {
      pieces.push(piece)
      size += piece.length
      if (size >= maxSampleBytes) break
    }
  } catch {
    // A part of the body is enough.
  } finally {
    cancel()
  }
  return Buffer.concat(pieces).subarray(0, maxSampleBytes)
}
