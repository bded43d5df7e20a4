import type { IncomingMessage } from 'node:http'
import { FairleadError } from '@fairlead/core'
import { describeExcess, type JsonScan } from './json-scan.ts'

/**
 * Reads the body of a request. Undefined as soon as it has more than `maxBytes`, or the scan rejects it. Rejects where the
 * client disconnects before the end.
 *
 * A body that was read before, such as by `express.json()`, is taken from `request.body`, where such middleware leaves it,
 * with the same limits.
 *
 * @param scan reads the body as it arrives. Default: only the length is checked.
 */
export function readBody(request: IncomingMessage, maxBytes: number, scan?: JsonScan): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    // Neither event is emitted again.
    if (request.errored) throw request.errored
    if (request.readableEnded) return resolve(accept(bodyReadBefore(request), maxBytes, scan))
    const chunks: Buffer[] = []
    let length = 0
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length > maxBytes || scan?.add(chunk) === false) tooLarge()
      else chunks.push(chunk)
    }
    const tooLarge = () => {
      request.off('data', take)
      // The rest is discarded, so that the client can read the response.
      request.resume()
      resolve(undefined)
    }
    request.on('error', reject)
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge()
    request.on('data', take)
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
  })
}

function accept(body: Buffer, maxBytes: number, scan: JsonScan | undefined): Buffer | undefined {
  return body.length > maxBytes || scan?.add(body) === false ? undefined : body
}

function bodyReadBefore(request: IncomingMessage & { readonly body?: unknown }): Buffer {
  const { body } = request
  if (Buffer.isBuffer(body)) return body
  if (typeof body === 'string') return Buffer.from(body)
  if (body !== undefined) return Buffer.from(serialized(body))
  // Nothing was read of an empty body.
  if (!request.readableDidRead) return Buffer.alloc(0)
  throw new FairleadError(
    'INTERNAL_ERROR',
    'The request body was read before it reached Fairlead. Mount the adapter before the body parser, or set `request.body` of the Node.js request to the parsed body.',
  )
}

function serialized(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (error) {
    // The recursion of JSON.stringify is limited by the stack.
    throw new FairleadError('INVALID_REQUEST', describeExcess('depth', 0), { cause: error })
  }
}
