import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isAscii } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { FairleadError } from '@fairlead/core'
import { type BodyHold, noRoomError, smallBodyBytes } from './body-room.ts'
import type { Exchange, HttpRequest } from './exchange.ts'
import { describeJsonError } from './json-error.ts'
import { describeExcess, type JsonExcess, JsonScan } from './json-scan.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Decoding this much, where each character has several bytes, holds the event loop for about 10 ms. */
const sliceBytes = 2 * 1_048_576

/**
 * Reads the JSON body of a request. An empty one is an object without fields. Rejects other types, encodings and sizes.
 *
 * @param numbers that the body may have beside its tokens. Default: none
 */
export function readJson(exchange: Exchange, maxBytes: number, numbers = 0): Promise<unknown> {
  const { request } = exchange
  const scan = new JsonScan({ numbers })
  const declared = declaredLength(request)
  // A small body is read first: the connection stays open for the next request.
  if (declared > smallBodyBytes && declared <= maxBytes) checkType(request)
  return exchange.readBody(maxBytes, scan).then((body) => {
    if (!body) throw excessiveBody(scan.excess, maxBytes)
    if (body.length === 0) return {}
    checkType(request)
    return body.length > sliceBytes ? parseInTurn(body) : parse(decode(body, utf8))
  })
}

function declaredLength({ headers }: { readonly headers: IncomingHttpHeaders }): number {
  return Number(headers['content-length'] ?? 0)
}

let lastLong: Promise<void> = Promise.resolve()
const nothing = () => {}

/** Parses one long body at a time: each needs several times its size, and a part of every turn of the event loop. */
function parseInTurn(body: Uint8Array): Promise<unknown> {
  const done = lastLong.then(() => parseLong(body))
  lastLong = done.then(nothing, nothing)
  return done
}

async function parseLong(body: Uint8Array): Promise<unknown> {
  const value = parse(await decodeSlices(body))
  await setImmediate()
  return value
}

function decode(bytes: Uint8Array | undefined, decoder: typeof utf8, options?: { readonly stream: boolean }): string {
  try {
    return decoder.decode(bytes, options)
  } catch (error) {
    throw new FairleadError('INVALID_REQUEST', 'The body is not valid UTF-8.', { cause: error })
  }
}

/** Gives the event loop a turn after each slice. */
async function decodeSlices(body: Uint8Array): Promise<string> {
  if (isAscii(body)) {
    const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
    await setImmediate()
    return text
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  for (let start = 0; start < body.length; start += sliceBytes) {
    text += decode(body.subarray(start, start + sliceBytes), decoder, { stream: true })
    await setImmediate()
  }
  return text + decode(undefined, decoder)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = ['The body is not valid JSON', describeJsonError(text) ?? []].flat().join(': ')
    throw new FairleadError('INVALID_REQUEST', `${message}.`, { cause: error })
  }
}

function excessiveBody(excess: JsonExcess | undefined, maxBytes: number): FairleadError {
  const message = describeExcess(excess, maxBytes)
  if (excess !== 'depth') return new FairleadError('PAYLOAD_TOO_LARGE', message)
  const issue = 'must not be nested deeper than 64 levels'
  return new FairleadError('INVALID_REQUEST', message, { issues: [{ field: null, issue }] })
}

function checkType({ headers }: HttpRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw new FairleadError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding.')
  }
  if (!isJson(headers['content-type'] ?? '')) {
    throw new FairleadError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as "Content-Type: application/json", in UTF-8.')
  }
}

/** JSON has no parameters other than the charset that some clients send (RFC 8259, 11). */
function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true
  const parts = contentType.toLowerCase().split(';')
  const [type, ...parameters] = parts.map((part) => part.trim())
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter))
  return type === 'application/json' && charsets.every((one) => /^charset\s*=\s*"?utf-?8"?$/.test(one))
}

/**
 * Reads the body of a request. Undefined as soon as it has more than `maxBytes`, or the scan rejects it. Rejects where the
 * client disconnects before the end. A body that was read before, such as by `express.json()`, is taken from `request.body`,
 * where such middleware leaves it, with the same limits.
 *
 * @param scan reads the body as it arrives. Default: only the length is checked.
 * @param hold of the room for the body; rejects with `SERVICE_UNAVAILABLE` if there is none. Default: there is room
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  scan?: JsonScan,
  hold?: BodyHold,
): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    // Neither event is emitted again.
    if (request.errored) throw request.errored
    if (request.readableEnded) {
      const body = bodyReadBefore(request)
      if (body.length > maxBytes || scan?.add(body) === false) return resolve(undefined)
      if (hold?.take(body.length) === false) throw noRoomError()
      return resolve(body)
    }
    const declared = declaredLength(request)
    request.on('error', reject)
    // What is not read is discarded, so that the client can read the response.
    if (declared > maxBytes) {
      request.resume()
      return resolve(undefined)
    }
    if (declared > 0 && hold?.take(declared) === false) {
      request.resume()
      throw noRoomError()
    }
    let parts: BodyParts | undefined = new BodyParts(declared)
    const take = (chunk: Buffer) => {
      if (!parts) return
      if (parts.length + chunk.length > maxBytes || scan?.add(chunk) === false) resolve(undefined)
      else if (declared === 0 && hold?.take(chunk.length) === false) reject(noRoomError())
      else return parts.add(chunk)
      parts = undefined
    }
    const end = () => {
      resolve(parts?.join())
      // The request keeps what listens, and with it the body, until the response has ended.
      parts = undefined
    }
    request.on('data', take).on('end', end)
  })
}

/** The body as far as it has arrived. A large one of a known length is written to its place: its parts would be copied. */
class BodyParts {
  length = 0
  #chunks: Buffer[] | undefined
  #whole: Buffer | undefined

  constructor(declared: number) {
    if (declared > smallBodyBytes) this.#whole = Buffer.allocUnsafeSlow(declared)
  }

  add(chunk: Buffer): void {
    if (this.#whole && this.length + chunk.length > this.#whole.length) {
      this.#chunks = [this.#whole.subarray(0, this.length)]
      this.#whole = undefined
    }
    if (this.#whole) this.#whole.set(chunk, this.length)
    // Most bodies arrive in one chunk.
    else if (this.#chunks) this.#chunks.push(chunk)
    else this.#chunks = [chunk]
    this.length += chunk.length
  }

  join(): Buffer {
    if (this.#whole) return this.#whole.subarray(0, this.length)
    return this.#chunks?.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks ?? [])
  }
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
