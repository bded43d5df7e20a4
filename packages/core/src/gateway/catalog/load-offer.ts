import { z } from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { safeText } from '../ask-provider.ts'
import { type Analyzer, type Model, modelTypes } from '../model.ts'
import type { Provider } from '../provider.ts'
import { callWithTimeout } from '../routing/provider-health.ts'
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
        ? await callWithTimeout(provider.models.bind(provider), {
            what: `models of ${provider.id}`,
            ms: patienceMs,
            clock,
          })
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

const price = z.number().min(0)
const prices = { input: price, output: price, cachedInput: price.optional(), cacheWrite: price.optional() }
/** Ids are written down with each call: what some store would refuse may not be one. */
const id = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, { error: 'must have 1 to 200 characters, none of control' })
const basics = {
  id,
  name: safeText,
  description: safeText,
  pricing: z.object({ ...prices, longPrompts: z.object({ ...prices, above: z.int().min(1) }).optional() }).optional(),
  maxTokens: z.int().min(1),
  seed: z.boolean().optional(),
  testDouble: z.boolean().optional(),
}
const size = z.string().regex(/^[1-9]\d{0,4}x[1-9]\d{0,4}$/)
const languages = z.array(z.string().regex(/^[a-z]{2}$/, { error: 'must be an ISO 639-1 code' })).optional()

/** What providers may say that they have. */
const offerSchemas = {
  model: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('text'),
      ...basics,
      streaming: z.boolean().optional(),
      contextSize: z.int().min(1).optional(),
      structured: z.boolean().optional(),
    }),
    z.object({
      type: z.literal('image'),
      ...basics,
      sizes: z.tuple([size], size),
    }),
  ]),
  analyzer: z.object({ id, tasks: z.object({ sentiment: languages, entities: languages, keywords: languages }) }),
} as const
