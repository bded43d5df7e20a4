import type { IncomingHttpHeaders } from 'node:http'
import { isAscii } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { FairleadError } from '@fairlead/core'
import {
  type JsonExcess,
  type JsonLists,
  JsonScan,
  maxJsonDepth,
  maxJsonTokens,
  minListBytes,
} from '@fairlead/core/adapter'
import { describeJsonError } from './json-error.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Decoding this much, where each character has several bytes, holds the event loop for about 10 ms. */
const sliceBytes = 2 * 1_048_576
/** A body up to this size is read before its type is checked: the connection stays open for the next request. */
const maxReadFirstBytes = 65_536

/** An `Exchange`, as far as its body is concerned. */
interface BodySource {
  readonly request: { readonly headers: IncomingHttpHeaders }
  readBody(maxBytes: number, scan: JsonScan): Promise<Uint8Array | undefined>
}

/**
 * Reads the JSON body of a request. An empty one is an object without fields. Rejects other types, encodings and sizes.
 *
 * @param numbers that the body may have beside its tokens. Default: none
 */
export function readJson(source: BodySource, maxBytes: number, numbers = 0): Promise<unknown> {
  const { request } = source
  const declared = declaredLength(request)
  const scan = new JsonScan({ numbers, findsLists: declared === 0 || declared >= minListBytes })
  if (declared > maxReadFirstBytes && declared <= maxBytes) checkType(request)
  return source.readBody(maxBytes, scan).then((body) => {
    if (!body) throw excessiveBody(scan.excess, maxBytes)
    if (body.length === 0) return {}
    checkType(request)
    if (body.length > sliceBytes) return parseInTurn(body, scan.lists)
    return scan.lists?.parseAtOnce(body) ?? parse(decode(body, utf8))
  })
}

/** The length that the headers of a request state, or 0. */
export function declaredLength({ headers }: BodySource['request']): number {
  return Number(headers['content-length'] ?? 0)
}

let lastLong: Promise<void> = Promise.resolve()
const nothing = () => {}

/** Parses one long body at a time: each needs several times its size, and a part of every turn of the event loop. */
function parseInTurn(body: Uint8Array, lists: JsonLists | undefined): Promise<unknown> {
  const done = lastLong.then(() => parseLong(body, lists))
  lastLong = done.then(nothing, nothing)
  return done
}

async function parseLong(body: Uint8Array, lists: JsonLists | undefined): Promise<unknown> {
  // A long item would hold the event loop while it is decoded.
  if (lists?.hasAny && lists.longestItem() <= sliceBytes) {
    for (const parsed of lists.parse(body)) {
      if (parsed !== undefined) return parsed
      await setImmediate()
    }
  }
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

function checkType({ headers }: BodySource['request']): void {
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

/** Why a body was not read to its end, as a sentence. */
export function describeExcess(excess: JsonExcess | undefined, maxBytes: number): string {
  if (excess === 'depth') return `The body must not be nested deeper than ${maxJsonDepth} levels.`
  if (excess === 'tokens') return `The body may have at most ${maxJsonTokens.toLocaleString('en')} JSON tokens.`
  return `The body may have at most ${maxBytes} bytes.`
}
