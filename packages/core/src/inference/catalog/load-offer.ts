import type { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Provider } from '../../ports/provider.ts'
import { type Analyzer, type Model, modelTypes } from '../../values/model.ts'
import { askInTime } from '../routing/ask-in-time.ts'
import { offerSchemas } from './offer-schema.ts'
import type { Offer } from './registry.ts'

const patienceMs = 10_000

export type LoadedOffer = Required<Offer>

/**
 * Asks a provider for its models and analyzers. One that can't say in time has none for now, and what breaks the contract
 * is left out; the log says so.
 */
export async function loadOffer(provider: Provider, clock: Clock, log: Log): Promise<LoadedOffer> {
  try {
    const list: unknown =
      typeof provider.models === 'function'
        ? await askInTime(provider.models.bind(provider), { what: `models of ${provider.id}`, ms: patienceMs, clock })
        : provider.models
    const leftOut = (what: string) => (fault: string) =>
      log.warn({ provider: provider.id, fault }, `${what} is left out`)
    const known = named(list, 'models').filter((entry) => !isOfLaterType(entry))
    const models = sound(known, offerSchemas.model, leftOut('a model')).map((model) => completed(model, provider))
    const listed = named(provider.analyzers ?? [], 'analyzers')
    const analyzers = sound(listed, offerSchemas.analyzer, leftOut('an analyzer')) as readonly Analyzer[]
    return { provider, models, analyzers, failed: false }
  } catch (error) {
    log.warn({ provider: provider.id, error }, 'the provider can not list its models')
    return { provider, models: [], analyzers: [], failed: true }
  }
}

function named(list: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(list)) throw new TypeError(`the list of ${what} is no list`)
  return list
}

/** Copies of those entries that keep to the contract, each id once. */
function sound<Schema extends z.ZodType<{ readonly id: string }>>(
  entries: readonly unknown[],
  schema: Schema,
  leaveOut: (fault: string) => void,
): readonly z.output<Schema>[] {
  const kept = new Map<string, z.output<Schema>>()
  for (const entry of entries) {
    const { success, data, error } = schema.safeParse(entry)
    if (!success) leaveOut(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
    else if (kept.has(data.id)) leaveOut(`two are called "${data.id}"`)
    else kept.set(data.id, data)
  }
  return [...kept.values()]
}

/** Types that a later version of the contract may know are nothing to warn of. */
function isOfLaterType(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null || !('type' in entry)) return false
  return typeof entry.type === 'string' && !(modelTypes as readonly string[]).includes(entry.type)
}

function completed(model: z.output<typeof offerSchemas.model>, provider: Provider): Model {
  if (model.type === 'image') return model as Model
  const streaming = provider.streamText !== undefined && (model.streaming ?? true)
  return { ...model, streaming } as Model
}
