import { parseJson } from './json.ts'
import { JsonLists } from './json-lists.ts'

/** The most tokens of a JSON body: brackets, commas, colons, and each string, number, `true`, `false` or `null`. */
export const maxJsonTokens = 100_000
/** The deepest nesting of a JSON body. */
export const maxJsonDepth = 64

/** Why a JSON body is rejected before it is parsed. */
export type JsonExcess = 'tokens' | 'depth'

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
  /** How many bytes came before those at hand. */
  #before = 0
  /** The long lists of the text, if they are asked for. */
  readonly lists: JsonLists | undefined

  /**
   * @param numbers that the text may have beside its tokens, with the commas behind them. Default: none
   * @param findsLists whether to note where the long lists of the text are. Default: false
   */
  constructor({ numbers = 0, findsLists = false }: { readonly numbers?: number; readonly findsLists?: boolean } = {}) {
    this.#numbersLeft = numbers
    this.lists = findsLists ? new JsonLists() : undefined
  }

  /** Reads on. False as soon as the text has too many tokens or is nested too deeply. */
  add(bytes: Uint8Array): boolean {
    while (this.#next < bytes.length && this.excess === undefined) {
      if (this.#inString) this.#skipString(bytes)
      else this.#readToken(bytes, this.#next++)
    }
    this.#next -= bytes.length
    this.#before += bytes.length
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

  #readToken(bytes: Uint8Array, at: number): void {
    const byte = bytes[at]!
    const kind = kinds[byte]!
    if (kind > space) this.lists?.note(byte, this.#depth, this.#before + at)
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

/** Other bytes than UTF-8 become U+FFFD. */
const lenient = new TextDecoder()
/** Shorter texts take no longer as a whole. */
const minLongBytes = 131_072

/**
 * The value of a JSON text in UTF-8, after a byte order mark if it has one; undefined for any other text. Long lists are
 * parsed in slices.
 */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  const scan = bytes.length >= minLongBytes ? new JsonScan({ findsLists: true }) : undefined
  const value = scan?.add(bytes) ? scan.lists?.parseAtOnce(bytes) : undefined
  return value ?? parseJson(lenient.decode(bytes))
}
