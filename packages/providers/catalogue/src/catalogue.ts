import type { Model } from '@fairlead/core/provider'
import type { CatalogueEntry } from './catalogue-entry.ts'
import { anthropicEntries } from './publishers/anthropic.ts'
import { deepseekEntries } from './publishers/deepseek.ts'
import { googleEntries } from './publishers/google.ts'
import { groqEntries } from './publishers/groq.ts'
import { mistralEntries } from './publishers/mistral.ts'
import { openaiEntries } from './publishers/openai.ts'
import { xaiEntries } from './publishers/xai.ts'
import { withTierPrices } from './tier-prices.ts'

/** The models of each publisher, the most capable first. */
export const catalogue = {
  openai: withTierPrices('openai', openaiEntries),
  anthropic: withTierPrices('anthropic', anthropicEntries),
  google: withTierPrices('google', googleEntries),
  groq: groqEntries,
  mistral: mistralEntries,
  deepseek: deepseekEntries,
  xai: xaiEntries,
} as const satisfies Readonly<Record<string, readonly CatalogueEntry[]>>

export type Publisher = keyof typeof catalogue

/** The last list of each publisher, and how many announced prices were in effect. */
const latest = new Map<Publisher, { readonly arrived: number; readonly models: readonly Model[] }>()

/**
 * The models of a publisher, as a provider lists them: the same array until a price changes.
 *
 * @param now in milliseconds since the epoch, for announced prices
 */
export function catalogueModels(publisher: Publisher, now: number): readonly Model[] {
  const entries = catalogue[publisher]
  const arrived = entries.filter((entry) => hasArrived(entry, now)).length
  const known = latest.get(publisher)
  if (known?.arrived === arrived) return known.models
  const models = entries.map((entry) => modelAt(entry, now))
  latest.set(publisher, { arrived, models })
  return models
}

/** The entry of a model; undefined if the catalogue doesn't have it. */
export function findEntry(publisher: Publisher, id: string): CatalogueEntry | undefined {
  return catalogue[publisher].find(({ model }) => model.id === id)
}

function modelAt(entry: CatalogueEntry, now: number): Model {
  return hasArrived(entry, now) ? { ...entry.model, pricing: entry.nextPricing.pricing } : entry.model
}

function hasArrived(
  entry: CatalogueEntry,
  now: number,
): entry is CatalogueEntry & Required<Pick<CatalogueEntry, 'nextPricing'>> {
  return entry.nextPricing !== undefined && now >= Date.parse(entry.nextPricing.from)
}
