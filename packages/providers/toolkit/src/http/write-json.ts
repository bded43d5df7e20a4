import { findJsonText, isObject, type JsonObject } from '@fairlead/core/provider'

/** V8 allocates a text above 128 kB apart from others, which takes longer than to write it. */
const maxTextLength = 65_536

/**
 * The JSON text of a request's body. The objects in its lists, such as messages and tools, are sent as the client wrote
 * them, if their texts are known. A text of several parts is bytes.
 */
export function writeJson(body: unknown): string | Uint8Array {
  if (!isObject(body) || !hasParts(body)) return JSON.stringify(body)
  const written = new WrittenJson()
  let separator = '{'
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    written.add(`${separator}${JSON.stringify(name)}:`)
    if (isListOfObjects(value)) written.addList(value)
    else written.add(JSON.stringify(value))
    separator = ','
  }
  written.add('}')
  return written.end()
}

/** Longer lists may be long texts. */
const maxShortList = 16

/** Whether the text should be written in parts: because of the client's own, or because it may be long. */
function hasParts(body: JsonObject): boolean {
  for (const name in body) {
    const value = body[name]
    if (!isListOfObjects(value)) continue
    if (value.length > maxShortList || value.some((item) => isObject(item) && findJsonText(item))) return true
  }
  return false
}

function isListOfObjects(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && isObject(value[0])
}

class WrittenJson {
  readonly #parts: Uint8Array[] = []
  /** The text behind the parts. */
  #text = ''

  add(text: string): void {
    this.#text += text
    if (this.#text.length > maxTextLength) this.#flush()
  }

  addList(items: readonly unknown[]): void {
    let separator = '['
    for (const item of items) {
      const text = isObject(item) ? findJsonText(item) : undefined
      this.add(text ? separator : separator + (JSON.stringify(item) ?? 'null'))
      if (text) {
        this.#flush()
        this.#parts.push(text)
      }
      separator = ','
    }
    this.add(']')
  }

  end(): string | Uint8Array {
    if (this.#parts.length === 0) return this.#text
    this.#flush()
    return Buffer.concat(this.#parts)
  }

  #flush(): void {
    this.#parts.push(Buffer.from(this.#text))
    this.#text = ''
  }
}
