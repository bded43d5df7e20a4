/** A JSON object, as plain data. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const texts = new WeakMap<object, Uint8Array>()

/**
 * Keeps the JSON text that an object was parsed from, in UTF-8, so that it can be sent on without being written anew.
 * Nobody may change the object from now on: a changed one is a new object, which has no text.
 */
export function keepJsonText(object: JsonObject, text: Uint8Array): void {
  texts.set(object, text)
}

/** The JSON text that an object of a client's request was parsed from, in UTF-8. Undefined if it was not kept. */
export function findJsonText(object: JsonObject): Uint8Array | undefined {
  return texts.get(object)
}
