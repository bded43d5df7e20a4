import type { IncomingHttpHeaders } from 'node:http'
import { isAscii } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { FairleadError } from '@fairlead/core'
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
  const scan = new JsonScan({ numbers })
  const declared = declaredLength(request)
  if (declared > maxReadFirstBytes && declared <= maxBytes) checkType(request)
  return source.readBody(maxBytes, scan).then((body) => {
    if (!body) throw excessiveBody(scan.excess, maxBytes)
    if (body.length === 0) return {}
    checkType(request)
    return body.length > sliceBytes ? parseInTurn(body) : parse(decode(body, utf8))
  })
}

/** The length that the headers of a request state, or 0. */
export function declaredLength({ headers }: BodySource['request']): number {
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

/** The most tokens of a JSON body: brackets, commas, colons, and each string, number, `true`, `false` or `null`. */
export const maxJsonTokens = 100_000
/** The deepest nesting of a JSON body. */
export const maxJsonDepth = 64

/** Why a JSON body is rejected before it is parsed. */
export type JsonExcess = 'tokens' | 'depth'

/** Why a body was not read to its end, as a sentence. */
export function describeExcess(excess: JsonExcess | undefined, maxBytes: number): string {
  if (excess === 'depth') return `The body must not be nested deeper than ${maxJsonDepth} levels.`
  if (excess === 'tokens') return `The body may have at most ${maxJsonTokens.toLocaleString('en')} JSON tokens.`
  return `The body may have at most ${maxBytes} bytes.`
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

/** Of a number or a literal name. */
const word = 0
const space = 1
const separator = 2
const opening = 3
const closing = 4
const stringStart = 5

/** The kind of a byte outside of strings. */
const kinds = new Uint8Array(256).fill(word)
for (const [characters, kind] of [
  [' \t\r\n', space],
  [',:', separator],
  ['[{', opening],
  [']}', closing],
  ['"', stringStart],
] as const) {
  for (const character of characters) kinds[character.charCodeAt(0)] = kind
}

/**
 * Counts the tokens and the nesting of a JSON text as its bytes arrive. `JSON.parse` blocks the event loop for as long as
 * a text has values: about 150 ms for 1 MiB of small objects, but 4 ms for 1 MiB in one string. The scan takes about a
 * nanosecond a byte, and nothing of it is noticed where the text is no JSON: that is for the parser to say.
 */
export class JsonScan {
  /** The first limit that the text exceeds. */
  excess: JsonExcess | undefined
  #tokens = 0
  #depth = 0
  #inString = false
  #inWord = false
  #isBehindWord = false
  #numbersLeft: number
  /** Where the next unread byte is, counted from the start of the bytes at hand: beyond their end after a backslash. */
  #next = 0

  /** @param numbers that the text may have beside its tokens, with the commas behind them. Default: none */
  constructor({ numbers = 0 }: { readonly numbers?: number } = {}) {
    this.#numbersLeft = numbers
  }

  /** Reads on. False as soon as the text has too many tokens or is nested too deeply. */
  add(bytes: Uint8Array): boolean {
    while (this.#next < bytes.length && this.excess === undefined) {
      if (this.#inString) this.#skipString(bytes)
      else this.#readToken(bytes[this.#next++]!)
    }
    this.#next -= bytes.length
    return this.excess === undefined
  }

  /** Begins another text, whatever the last one left open. Its tokens add to those so far. */
  restart(): void {
    this.#depth = 0
    this.#inString = false
    this.#inWord = false
    this.#next = 0
  }

  /** Reads on to the end of a string, or of the bytes. */
  #skipString(bytes: Uint8Array): void {
    const { length } = bytes
    let at = this.#next
    while (at < length) {
      const byte = bytes[at]!
      at++
      if (byte === quote) {
        this.#inString = false
        break
      }
      if (byte === backslash) at++
    }
    this.#next = at
  }

  #readToken(byte: number): void {
    const kind = kinds[byte]!
    if (kind !== space && !(kind === word && this.#inWord)) this.#count(byte, kind)
    this.#inWord = kind === word
    if (kind === opening) this.#depth++
    else if (kind === closing) this.#depth--
    else if (kind === stringStart) this.#inString = true
    if (this.#depth > maxJsonDepth) this.excess = 'depth'
    else if (this.#tokens > maxJsonTokens) this.excess = 'tokens'
  }

  #count(byte: number, kind: number): void {
    const isWord = kind === word
    if (this.#numbersLeft === 0 || !(isWord || (byte === comma && this.#isBehindWord))) this.#tokens++
    else if (isWord) this.#numbersLeft--
    this.#isBehindWord = isWord
  }
}
