import type { IncomingMessage } from 'node:http'
import type { JsonScan } from './json-scan.ts'

/**
 * The body of a request; undefined as soon as it is known to be larger than that, or the scan rejects it. Rejects where
 * it breaks off, or was read by somebody else.
 *
 * @param scan reads the body as it arrives. Default: nothing but its length is checked.
 */
export function readBody(request: IncomingMessage, maxBytes: number, scan?: JsonScan): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    // No event will tell of either again.
    if (request.errored) throw request.errored
    if (request.readableEnded)
      throw new TypeError('The body was read already: what parses bodies must stand behind us.')
    const chunks: Buffer[] = []
    let length = 0
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes || scan?.add(chunk) === false) tooLarge()
      else chunks.push(chunk)
    }
    const tooLarge = () => {
      request.off('data', take)
      // What still comes is thrown away, so that the answer can be read.
      request.resume()
      resolve(undefined)
    }
    request.on('error', reject)
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge()
    request.on('data', take)
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
  })
}
