import type { Model } from '@fairlead/core/provider'
import type { CatalogEntry } from './catalog-entry.ts'
import { anthropic } from './publishers/anthropic.ts'
import { deepseek } from './publishers/deepseek.ts'
import { google } from './publishers/google.ts'
import { groq } from './publishers/groq.ts'
import { mistral } from './publishers/mistral.ts'
import { openai } from './publishers/openai.ts'
import { xai } from './publishers/xai.ts'

/** The models of each publisher, the most capable first. */
export const catalog = { openai, anthropic, google, groq, mistral, deepseek, xai } as const

export type Publisher = keyof typeof catalog

/** The last list of each publisher, and how many announced prices were in effect. */
const latest = new Map<Publisher, { readonly arrived: number; readonly models: readonly Model[] }>()

/**
 * The models of a publisher, as a provider lists them: the same array until a price changes. Without earlier models.
 *
 * @param now in milliseconds since the epoch, for announced prices
 */
export function catalogModels(publisher: Publisher, now: number): readonly Model[] {
  const entries = catalog[publisher].filter(({ earlier }) => !earlier)
  const arrived = entries.filter((entry) => hasArrived(entry, now)).length
  const known = latest.get(publisher)
  if (known?.arrived === arrived) return known.models
  const models = entries.map((entry) => modelAt(entry, now))
  latest.set(publisher, { arrived, models })
  return models
}

/** The entry of a model, or of the one that it is a version of; undefined if the catalog doesn't have it. */
export function findEntry(publisher: Publisher, id: string): CatalogEntry | undefined {
  const find = (wanted: string) => catalog[publisher].find(({ model }) => model.id === wanted)
  return find(id) ?? find(familyId(id))
}

/**
 * A model with the facts of the catalog. A dated or fine-tuned version that it doesn't have takes the facts of its
 * family.
 *
 * @param now in milliseconds since the epoch, for announced prices
 */
export function findModel(publisher: Publisher, id: string, now: number): Model | undefined {
  const entry = findEntry(publisher, id)
  if (!entry) return undefined
  return entry.model.id === id ? modelAt(entry, now) : toVersion(modelAt(entry, now), id)
}

function modelAt(entry: CatalogEntry, now: number): Model {
  return hasArrived(entry, now) ? { ...entry.model, pricing: entry.nextPricing.pricing } : entry.model
}

function hasArrived(
  entry: CatalogEntry,
  now: number,
): entry is CatalogEntry & Required<Pick<CatalogEntry, 'nextPricing'>> {
  return entry.nextPricing !== undefined && now >= Date.parse(entry.nextPricing.from)
}

/** The ends of ids that name a version: `-2024-08-06`, `-20251001`, `@20251001`, `-0613`, `-001`, and `-latest`. */
const version = /[-@](\d{4}-\d\d-\d\d|\d{8}|\d{3,4}|latest)$/
/** `ft:gpt-4o-mini-2024-07-18:organization:name:id` */
const fineTuned = /^ft:([^:]+):/

/** The id of the model that an id is a version of, or the same id. */
export function familyId(id: string): string {
  return (fineTuned.exec(id)?.[1] ?? id).replace(version, '')
}

/**
 * A version of a model. A fine-tuned one has no price, because it costs more than its family, and each publisher charges a
 * different surcharge.
 */
function toVersion(model: Model, id: string): Model {
  const { pricing, ...facts } = model
  if (fineTuned.test(id)) return { ...facts, id, name: `${model.name} (fine-tuned)` }
  const name = `${model.name} (${version.exec(id)?.[1] ?? id})`
  return { ...facts, id, name, ...(pricing && { pricing }) }
}
