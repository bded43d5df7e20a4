import { parseJson } from '@fairlead/core/provider'
import { type EventInbox, eventTooLong, maxEventLength, receiveText } from './event-inbox.ts'

/**
 * JSON instead of server-sent events: values one after the other, as lines are, or the elements of a list.
 *
 * @param eventsOf the events that a value stands for; undefined for a value that is an event. Default: every value is one
 * @param keepsPings whether pieces of nothing but space, which say that the server is alive, are reported like comments
 */
export function createJsonInbox(
  eventsOf: ((value: unknown) => readonly unknown[] | undefined) | undefined,
  endMark: string | undefined,
  keepsPings: boolean,
): EventInbox {
  const values = new JsonValues(endMark)
  const receive = receiveText()
  const read = (text: string): readonly string[] => {
    const value = eventsOf && text !== endMark ? parseJson(text) : undefined
    const events = value === undefined ? undefined : eventsOf?.(value)
    if (!events) return [text]
    const texts = events.map((event) => JSON.stringify(event))
    return endMark === undefined ? texts : [...texts, endMark]
  }
  return {
    get isPartial() {
      return values.isPartial
    },
    receive(piece) {
      const text = receive(piece)
      const found = values.add(text)
      if (!piece) found.push(...values.end())
      if (keepsPings && found.length === 0 && text !== '' && text.trim() === '') return [undefined]
      return eventsOf ? found.flatMap(read) : found
    },
  }
}

const [newline, quote, comma, opening, backslash, closing] = [0x0a, 0x22, 0x2c, 0x5b, 0x5c, 0x5d]
const [openingBrace, closingBrace] = [0x7b, 0x7d]

/** Splits text into the texts of its JSON values, without parsing them. A text that is no JSON ends with its line. */
class JsonValues {
  readonly #endMark: string | undefined
  /** Whether the values are the elements of a list, which has not ended. */
  #isInList = false
  /** The beginning of a value, or of an end mark, that has not arrived completely. */
  #begun = ''
  #isInValue = false
  /** Objects and lists around the next character, within the value. */
  #depth = 0
  #isInString = false
  #isEscaped = false

  constructor(endMark: string | undefined) {
    this.#endMark = endMark
  }

  get isPartial(): boolean {
    return this.#isInList || this.#begun !== ''
  }

  add(piece: string): string[] {
    const found: string[] = []
    let text = piece
    if (!this.#isInValue) {
      text = this.#begun + piece
      this.#begun = ''
    }
    let at = 0
    for (;;) {
      if (!this.#isInValue) at = this.#findStart(text, at, found)
      const end = this.#isInValue ? this.#findEnd(text, at) : -1
      if (end < 0) {
        this.#begun += text.slice(at)
        if (this.#begun.length > maxEventLength) throw eventTooLong()
        return found
      }
      found.push(this.#begun + text.slice(at, end))
      this.#begun = ''
      this.#isInValue = false
      at = end
    }
  }

  /** A word needs no line break after it. Other values must be complete. */
  end(): string[] {
    if (this.#begun === '' || this.#depth > 0 || this.#isInString) return []
    const word = this.#begun.trim()
    this.#begun = ''
    return [word]
  }

  /** Skips everything between values, and adds end marks to `found`. */
  #findStart(text: string, from: number, found: string[]): number {
    const endMark = this.#endMark
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isSpace(code) || (code === comma && this.#isInList)) continue
      if (endMark !== undefined && endMark.startsWith(text.slice(at, at + endMark.length))) {
        if (at + endMark.length > text.length) return at
        found.push(endMark)
        at += endMark.length - 1
      } else if (code === opening && !this.#isInList) this.#isInList = true
      else if (code === closing && this.#isInList) this.#isInList = false
      else {
        this.#isInValue = true
        this.#depth = 0
        this.#isInString = false
        this.#isEscaped = false
        return at
      }
    }
    return text.length
  }

  /** The index after the value; -1 if it has not ended. */
  #findEnd(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#isInString) {
        if (code === newline) return at
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === backslash) this.#isEscaped = true
        else if (code === quote) {
          this.#isInString = false
          if (this.#depth === 0) return at + 1
        }
      } else if (code === quote) this.#isInString = true
      else if (code === openingBrace || code === opening) this.#depth++
      else if (this.#depth === 0) {
        if (code === newline || (this.#isInList && (code === comma || code === closing))) return at
      } else if ((code === closingBrace || code === closing) && --this.#depth === 0) return at + 1
    }
    return -1
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === newline || code === 0x0d
}
