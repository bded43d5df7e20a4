import { type Clock, ProviderError } from '@fairlead/core/provider'
import type { ReplyBody } from './reply-body.ts'

/** All of a body, in order. One of more than `maxBytes` is left where it becomes too long. */
export async function readBytes(body: ReplyBody, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > maxBytes) throw new ProviderError('give_up', `the reply has more than ${maxBytes} bytes`)
    pieces.push(piece)
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)
}

export const maxSampleBytes = 64 * 1024
const mostSomeMs = 5_000

/**
 * The beginning of a body, for messages: what came where it breaks off, or in five seconds. The head has said what
 * matters, and nobody waits long for words.
 */
export async function readSome(body: ReplyBody, clock: Clock): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  const cancel = clock.schedule(mostSomeMs, () => void body.return())
  try {
    for await (const piece of body) {
      pieces.push(piece)
      size += piece.length
      if (size >= maxSampleBytes) break
    }
  } catch {
    // What came will do.
  } finally {
    cancel()
  }
  return Buffer.concat(pieces).subarray(0, maxSampleBytes)
}
