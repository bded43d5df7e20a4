import type { ProviderOptions } from '@fairlead/core/provider'

/** A piece of reasoning as OpenRouter sends it: text, a summary, or encrypted data, often with a signature. */
export type ReasoningDetail = Readonly<Record<string, unknown>>

/** What OpenRouter needs back of an answer's reasoning. */
export interface ReasoningDetails {
  add(details: readonly ReasoningDetail[] | null | undefined): void
  /** The details that arrived since the last call; undefined if there are none. */
  take(): ProviderOptions | undefined
}

/** Texts that a stream sends in pieces. */
const growing = ['text', 'summary', 'data']

/** @param provider the id of the provider */
export function reasoningDetails(provider: string): ReasoningDetails {
  let open: ReasoningDetail[] = []
  return {
    add(details) {
      for (const detail of details ?? []) {
        const at = open.findIndex(({ index, type }) => index === detail['index'] && type === detail['type'])
        if (at < 0 || typeof detail['index'] !== 'number') open.push(detail)
        else open[at] = joined(open[at]!, detail)
      }
    },
    take() {
      if (open.length === 0) return undefined
      const taken = open
      open = []
      return { [provider]: { reasoning_details: taken } }
    },
  }
}

/** Those of a whole answer. */
export function detailsOf(details: readonly ReasoningDetail[], provider: string): ProviderOptions | undefined {
  const all = reasoningDetails(provider)
  all.add(details)
  return all.take()
}

function joined(first: ReasoningDetail, next: ReasoningDetail): ReasoningDetail {
  const fields = Object.entries(next).filter(([, value]) => value !== null && value !== undefined)
  const grown = fields.map(([name, value]) => {
    const before = first[name]
    const grows = growing.includes(name) && typeof before === 'string' && typeof value === 'string'
    return [name, grows ? before + value : value] as const
  })
  return { ...first, ...Object.fromEntries(grown) }
}
