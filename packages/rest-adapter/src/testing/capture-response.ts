import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type CapturedResponse, capturedResponse } from './captured-response.ts'

/** Calls `onCaptured` with the response once it was sent to its end; never if it was aborted. */
export function captureResponse(
  request: IncomingMessage,
  response: ServerResponse,
  onCaptured: (response: CapturedResponse) => void,
): void {
  const { method = '', url = '/' } = request
  const chunks: Buffer[] = []
  let given: unknown
  const { writeHead, write, end } = response
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string))
  }
  response.writeHead = function (this: ServerResponse, ...parameters: unknown[]) {
    given = parameters.at(-1)
    return Reflect.apply(writeHead, this, parameters)
  } as typeof writeHead
  response.write = function (this: ServerResponse, ...parameters: unknown[]) {
    keep(parameters[0])
    return Reflect.apply(write, this, parameters)
  } as typeof write
  response.end = function (this: ServerResponse, ...parameters: unknown[]) {
    keep(parameters[0])
    const ended = Reflect.apply(end, this, parameters)
    const headers = collectHeaders(response.getHeaders(), given)
    const text = decompressed(Buffer.concat(chunks), headers.get('content-encoding')).toString()
    onCaptured(capturedResponse({ method, url, status: response.statusCode, headers, text }))
    return ended
  } as typeof end
}

/** Headers that were set before, and those passed to `writeHead`: as an object, or as alternating names and values. */
function collectHeaders(set: OutgoingHttpHeaders, given: unknown): Headers {
  const headers = new Headers()
  const put = ([name, value]: readonly [string, unknown]) => void headers.set(name, String(value))
  Object.entries(set).forEach(put)
  if (Array.isArray(given)) {
    for (let index = 0; index + 1 < given.length; index += 2) put([String(given[index]), given[index + 1]])
  } else if (typeof given === 'object' && given !== null) {
    Object.entries(given).forEach(put)
  }
  return headers
}

function decompressed(body: Buffer, encoding: string | null): Buffer {
  if (encoding === 'gzip') return gunzipSync(body)
  return encoding === 'br' ? brotliDecompressSync(body) : body
}
