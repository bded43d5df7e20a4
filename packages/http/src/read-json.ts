import { setImmediate } from 'node:timers/promises'
import { FairleadError } from '@fairlead/core'
import type { HttpRequest } from './exchange.ts'
import { describeJsonError } from './json-error.ts'
import { createJsonScan, describeExcess, type JsonExcess } from './json-scan.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Decoding this much, where each character has several bytes, holds the event loop for about 10 ms. */
const sliceBytes = 2 * 1_048_576

/** Reads the JSON body of a request. An empty one is an object without fields. Rejects other types, encodings and sizes. */
export async function readJson(request: HttpRequest, maxBytes: number): Promise<unknown> {
  const scan = createJsonScan()
  const body = await request.readBody(maxBytes, scan)
  if (!body) throw excessiveBody(scan.excess, maxBytes)
  if (body.length === 0) return {}
  checkType(request)
  const isLong = body.length > sliceBytes
  let text: string
  try {
    text = isLong ? await decodeSlices(body) : utf8.decode(body)
  } catch (error) {
    throw new FairleadError('INVALID_REQUEST', 'The body is not valid UTF-8.', { cause: error })
  }
  const value = parse(text)
  if (isLong) await setImmediate()
  return value
}

/** Gives the event loop a turn after each slice. */
async function decodeSlices(body: Uint8Array): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  for (let start = 0; start < body.length; start += sliceBytes) {
    text += decoder.decode(body.subarray(start, start + sliceBytes), { stream: true })
    await setImmediate()
  }
  return text + decoder.decode()
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
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  return type.trim() === 'application/json' && parameters.every((one) => /^utf-?8$/.test(charsetIn(one) ?? 'utf-8'))
}

/** The charset that a parameter names. Undefined for any other parameter. */
function charsetIn(parameter: string): string | undefined {
  const equals = parameter.indexOf('=')
  if (equals < 0 || parameter.slice(0, equals).trim() !== 'charset') return undefined
  return parameter
    .slice(equals + 1)
    .trim()
    .replaceAll(/^"|"$/g, '')
}
