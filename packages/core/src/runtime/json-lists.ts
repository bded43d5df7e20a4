import { isObject, type JsonObject, keepJsonText } from './json.ts'

/** Shorter lists are parsed with the rest of the text. */
export const minListBytes = 4_096
/** V8 allocates a text above 128 kB apart from others, which takes longer than to parse it. */
const sliceBytes = 65_536

/** A byte order mark is no white space. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openingBracket = 0x5b
const closingBracket = 0x5d
const closingBrace = 0x7d

/** A list that is a field of the root object. Positions are bytes of the text. */
interface ListPlace {
  /** Of the name of its field, up to the colon. */
  readonly nameStart: number
  readonly nameEnd: number
  /** Behind the opening bracket. */
  readonly start: number
  /** How many names of fields the text has before the list. */
  readonly namesBefore: number
  /** Where each item ends: its comma, or the closing bracket. */
  readonly ends: number[]
  /** How many names of fields the text has before each of these. */
  readonly names: number[]
}

/** Notes the long lists of a JSON text, such as the messages of a conversation, while it is scanned. */
export class JsonLists {
  readonly #found: ListPlace[] = []
  /** Of the root object. */
  #fields = 0
  /** Of all objects. */
  #names = 0
  /** The last string of the root object. */
  #stringAt = 0
  #name: { readonly start: number; readonly end: number } | undefined
  #open: ListPlace | undefined

  /** @param depth outside of the token, whose first byte is given */
  note(byte: number, depth: number, at: number): void {
    if (byte === colon) this.#names++
    if (depth === 1) this.#noteField(byte, at)
    else if (depth === 2 && this.#open) this.#noteItem(this.#open, byte, at)
  }

  #noteField(byte: number, at: number): void {
    if (byte === quote) this.#stringAt = at
    else if (byte === colon) {
      this.#fields++
      this.#name = { start: this.#stringAt, end: at }
    } else if (byte === openingBracket && this.#name) {
      const { start: nameStart, end: nameEnd } = this.#name
      this.#open = { nameStart, nameEnd, start: at + 1, namesBefore: this.#names, ends: [], names: [] }
    }
  }

  #noteItem(list: ListPlace, byte: number, at: number): void {
    const isClosing = byte === closingBracket || byte === closingBrace
    if (byte !== comma && !isClosing) return
    list.ends.push(at)
    list.names.push(this.#names)
    if (!isClosing) return
    if (at - list.start >= minListBytes) this.#found.push(list)
    this.#open = undefined
  }

  /** Whether the text has a long list. */
  get hasAny(): boolean {
    return this.#found.length > 0
  }

  /** The size of the longest item of the long lists, in bytes. */
  longestItem(): number {
    let longest = 0
    for (const { start, ends } of this.#found) {
      for (let at = 0; at < ends.length; at++) longest = Math.max(longest, ends[at]! - (at > 0 ? ends[at - 1]! : start))
    }
    return longest
  }

  /** Parses the text at once. Undefined if it has no long list, and where `parse` yields no value. */
  parseAtOnce(body: Uint8Array): JsonObject | undefined {
    if (!this.hasAny) return undefined
    let value: JsonObject | undefined
    for (const parsed of this.parse(body)) value = parsed
    return value
  }

  /**
   * Parses the text, each long list in slices. Yields undefined after each slice, and the value at the end: nothing for a
   * text that is not JSON, and for one whose root repeats a name. The items keep their texts.
   */
  *parse(body: Uint8Array): Generator<JsonObject | undefined, void, undefined> {
    try {
      const root: unknown = JSON.parse(utf8.decode(this.#outside(body)))
      if (!isObject(root) || Object.keys(root).length !== this.#fields) return
      for (const list of this.#found) {
        const items = root[JSON.parse(utf8.decode(body.subarray(list.nameStart, list.nameEnd)))] as unknown[]
        for (let from = 0; from < list.ends.length;) {
          const to = endOfSlice(list, from)
          const start = itemStart(list, from)
          const slice = JSON.parse(utf8.decode(asList(body.subarray(start, list.ends[to - 1])))) as unknown[]
          // A comma without an item behind it.
          if (slice.length !== to - from) return
          for (const item of slice) {
            keepText(item, list, items.length, body)
            items.push(item)
          }
          from = to
          yield undefined
        }
      }
      yield root
    } catch {
      // The caller parses the whole text, and says what is wrong with it.
    }
  }

  /** The text with the long lists empty. */
  #outside(body: Uint8Array): Uint8Array {
    const parts: Uint8Array[] = []
    let from = 0
    for (const { start, ends } of this.#found) {
      parts.push(body.subarray(from, start))
      from = ends.at(-1)!
    }
    parts.push(body.subarray(from))
    return Buffer.concat(parts)
  }
}

function itemStart({ start, ends }: ListPlace, index: number): number {
  return index === 0 ? start : ends[index - 1]! + 1
}

const scratch = Buffer.allocUnsafeSlow(sliceBytes + 2)

/** The text of items, in brackets. */
function asList(items: Uint8Array): Uint8Array {
  const text = items.length <= sliceBytes ? scratch.subarray(0, items.length + 2) : Buffer.allocUnsafe(items.length + 2)
  text[0] = openingBracket
  text.set(items, 1)
  text[items.length + 1] = closingBracket
  return text
}

/** As many items as a slice holds, and at least one. */
function endOfSlice(list: ListPlace, from: number): number {
  const { ends } = list
  const start = itemStart(list, from)
  let to = from + 1
  while (to < ends.length && ends[to]! - start <= sliceBytes) to++
  return to
}

/** A text that repeats a name in an object is not kept: its reader may take the first value, where this one took the last. */
function keepText(item: unknown, list: ListPlace, index: number, body: Uint8Array): void {
  if (!isObject(item)) return
  const { names, namesBefore, ends } = list
  const namesInText = names[index]! - (index === 0 ? namesBefore : names[index - 1]!)
  if (countNames(item) === namesInText) keepJsonText(item, body.subarray(itemStart(list, index), ends[index]))
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let count = Array.isArray(value) ? 0 : inside.length
  for (const each of inside) if (typeof each === 'object') count += countNames(each)
  return count
}
