import type { FairleadCore } from '@fairlead/core/adapter'
import type { ProviderOptions } from '@fairlead/core/provider'
import { objectParser, type ParseObject, unseal } from '@fairlead/http'

/** A block of a message, unchecked. */
export type Block = Readonly<Record<string, unknown>>

/**
 * The data that a provider needs back with a part, in the form of Anthropic's API. Signatures of Anthropic stay as they
 * are. The data of other providers is encoded in the same places, because every client sends these back unchanged.
 */
export class ProviderData {
  /** The names of all fields so far that only Anthropic's providers understand. */
  readonly names = new Set<string>()
  /** The fields of the request that only a provider of the API can do as asked. */
  readonly required = new Set<string>()
  /** Parses JSON texts of the request. */
  readonly parse: ParseObject = objectParser()
  readonly #providers: readonly string[]
  readonly #core: Pick<FairleadCore, 'supportsDialect'>

  /** @param providers the ids of the providers that get data in the form of Anthropic's API */
  constructor(providers: readonly string[], core: Pick<FairleadCore, 'supportsDialect'>) {
    this.#providers = providers
    this.#core = core
  }

  /** Whether a provider gets the request as the client wrote it. */
  isAnthropic(provider: string): boolean {
    return this.#core.supportsDialect(provider, 'anthropic')
  }

  /** Data for each of Anthropic's providers, without nulls; undefined if there is none. */
  forAnthropic(fields: Block): ProviderOptions | undefined {
    const kept = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
    if (Object.keys(kept).length === 0) return undefined
    for (const name of Object.keys(kept)) this.names.add(name)
    return this.only(kept)
  }

  /** The same for fields that mean something to other providers too, and so are not ignored. */
  only(fields: Block): ProviderOptions {
    return Object.fromEntries(this.#providers.map((id) => [id, fields]))
  }

  /** Anthropic's own fields of a part, if it is Anthropic's. */
  ofAnthropic(options: ProviderOptions | undefined): Block | undefined {
    for (const id in options) if (this.#providers.includes(id) || this.isAnthropic(id)) return options[id]
    return undefined
  }

  /** The data of another provider in a field of the request; undefined if it has none. */
  ofOther(text: unknown, field: string): Sealed | undefined {
    const data = unseal(text, field, this.parse)
    // A client could have changed them to a text, which spreading would split into a field for each character.
    const isData = typeof data?.['options'] === 'object' || typeof data?.['block'] === 'object'
    return isData ? (data as unknown as Sealed) : undefined
  }
}

/** Data of a provider with the part that it belongs to. */
export interface Sealed {
  /** Default: reasoning, whose block has the data. */
  readonly of?: 'text' | 'tool_call'
  /** The id of the tool call. */
  readonly id?: string
  readonly options: ProviderOptions
  /** An opaque part instead. */
  readonly block?: Block
}
