import type { JsonObject, ProviderOptions } from '@fairlead/core/provider'

/** Texts that a stream sends in pieces. */
const growing = ['text', 'summary', 'data']

/**
 * The parts of an answer's reasoning that OpenRouter needs back: pieces of text, of a summary, or of encrypted data,
 * often with a signature.
 */
export class ReasoningDetails {
  readonly #provider: string
  #open: JsonObject[] = []

  /** @param provider the id of the provider */
  constructor(provider: string, details: readonly JsonObject[] = []) {
    this.#provider = provider
    this.add(details)
  }

  add(details: readonly JsonObject[]): void {
    for (const detail of details) {
      const at = this.#open.findIndex(({ index, type }) => index === detail['index'] && type === detail['type'])
      if (at < 0 || typeof detail['index'] !== 'number') this.#open.push(detail)
      else this.#open[at] = joined(this.#open[at]!, detail)
    }
  }

  /** The details that arrived since the last call; undefined if there are none. */
  take(): ProviderOptions | undefined {
    if (this.#open.length === 0) return undefined
    const taken = this.#open
    this.#open = []
    return { [this.#provider]: { reasoning_details: taken } }
  }
}

function joined(first: JsonObject, next: JsonObject): JsonObject {
  const fields = Object.entries(next).filter(([, value]) => value !== null && value !== undefined)
  const grown = fields.map(([name, value]) => {
    const before = first[name]
    const grows = growing.includes(name) && typeof before === 'string' && typeof value === 'string'
    return [name, grows ? before + value : value] as const
  })
  return { ...first, ...Object.fromEntries(grown) }
}
