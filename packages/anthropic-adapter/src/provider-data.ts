import type { ProviderOptions } from '@fairlead/core/provider'
import { objectParser, type ParseObject, unseal } from '@fairlead/http'

/** A block of a message, unchecked. */
export type Block = Readonly<Record<string, unknown>>

/**
 * What a provider needs back with a part, in the form of Anthropic's API. Signatures of Anthropic stay as they are. The data
 * of other providers is encoded in the same places, because every client sends these back unchanged.
 */
export interface ProviderData {
  /** Data for each of Anthropic's providers, without nulls; undefined if there is none. */
  forAnthropic(fields: Block): ProviderOptions | undefined
  /** The same for fields that mean something to other providers too, and so are not ignored. */
  only(fields: Block): ProviderOptions
  /** Parses JSON texts of the request. */
  readonly parse: ParseObject
  /** The names of all fields so far. Other providers ignore them. */
  readonly names: ReadonlySet<string>
  /** Anthropic's own fields of a part, if it is Anthropic's. */
  ofAnthropic(options: ProviderOptions | undefined): Block | undefined
  /** The data of another provider in a field of the request; undefined if it has none. */
  ofOther(text: unknown, field: string): Sealed | undefined
}

/** @param providers the ids of the providers that speak Anthropic's API */
export function providerData(providers: readonly string[]): ProviderData {
  const names = new Set<string>()
  const parse = objectParser()
  const only = (fields: Block) => Object.fromEntries(providers.map((id) => [id, fields]))
  return {
    names,
    parse,
    only,
    forAnthropic(fields) {
      const kept = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
      if (Object.keys(kept).length === 0) return undefined
      for (const name of Object.keys(kept)) names.add(name)
      return only(kept)
    },
    ofAnthropic(options) {
      const id = providers.find((each) => options?.[each])
      return id === undefined ? undefined : options?.[id]
    },
    ofOther(text, field) {
      const data = unseal(text, field, parse)
      // A client could have changed them to a text, which spreading would split into a field for each character.
      return typeof data?.['options'] === 'object' ? (data as unknown as Sealed) : undefined
    },
  }
}

/** Data of a provider with the part that it belongs to. */
export interface Sealed {
  /** Default: reasoning, whose block has the data. */
  readonly of?: 'text' | 'tool_call'
  /** The id of the tool call. */
  readonly id?: string
  readonly options: ProviderOptions
}
