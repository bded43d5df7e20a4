import * as z from 'zod'
import type { Clock } from '../../runtime/clock.ts'
import type { Issue } from '../../runtime/errors.ts'
import type { Log } from '../../runtime/log.ts'
import { nearest } from '../../runtime/schema/names.ts'
import { findIssues } from '../../runtime/schema/validate.ts'
import { ProviderError } from '../provider-error.ts'
import { safeText } from '../provider-responses.ts'
import {
  type ProviderAnalyzer,
  type Model,
  type TextModel,
  maxDimensions,
  modelTypes,
  textCapabilities,
} from '../model.ts'
import type { Provider } from '../provider.ts'
import { callWithTimeout } from '../routing/provider-health.ts'

const timeoutMs = 10_000

/** The models and analyzers of a provider. */
export interface Listing {
  readonly provider: Provider
  readonly models: readonly Model[]
  /** Default: none. */
  readonly analyzers?: readonly ProviderAnalyzer[]
  /** Whether the provider could not list its models, so that any id may be one of them. Default: false. */
  readonly failed?: boolean
}

export type LoadedListing = Required<Listing>

/**
 * Lists the models and analyzers of a provider, or says why it could not: one that fails or takes longer than ten seconds
 * has its known models. Entries that violate the contract are ignored and logged.
 */
export async function loadListing(
  provider: Provider,
  clock: Clock,
  log: Log,
): Promise<{ readonly listing: LoadedListing; readonly error?: unknown }> {
  try {
    const { models } = provider
    const options = { purpose: `models of ${provider.id}`, ms: timeoutMs, clock }
    const list = typeof models === 'function' ? await callWithTimeout(models.bind(provider), options) : models
    return { listing: toListing(provider, list, log, false) }
  } catch (error) {
    return { listing: knownListing(provider, log, !isFinal(error)), error }
  }
}

/** @param failed whether the upstream may have further models */
export function knownListing(provider: Provider, log: Log, failed = true): LoadedListing {
  try {
    const { knownModels } = provider
    if (knownModels) return toListing(provider, knownModels, log, failed)
  } catch {
    // It has none that can be read.
  }
  return { provider, models: [], analyzers: [], failed: true }
}

const maxIssues = 20

/**
 * The faults in the models and analyzers that a provider has as arrays: `models[2].maxTokens: must be at least 1`. Lists of an
 * upstream are checked when they arrive, and lose their invalid entries.
 */
export function listingIssues(provider: Provider): readonly Issue[] {
  const lists = ['models', 'knownModels', 'analyzers'] as const
  return lists.flatMap((field) => listIssues(field, readList(provider, field))).slice(0, maxIssues)
}

function listIssues(field: 'models' | 'knownModels' | 'analyzers', list: unknown): readonly Issue[] {
  if (field === 'models' ? typeof list === 'function' : list === undefined) return []
  if (!Array.isArray(list)) {
    return [
      { field, issue: field === 'models' ? 'must be an array, or a function that returns one' : 'must be an array' },
    ]
  }
  const schema = z.object({ entry: listingSchemas[field === 'analyzers' ? 'analyzer' : 'model'] })
  const ids = new Set<unknown>()
  return list.flatMap((entry: unknown, index): readonly Issue[] => {
    const place = `${field}[${index}]`
    if (hasUnknownType(entry)) {
      const near = nearest(entry.type, modelTypes)
      return near === undefined ? [] : [{ field: `${place}.type`, issue: `must be "${near}"` }]
    }
    const found = findIssues(schema, { entry })
    if (found.length > 0)
      return found.map((issue) => ({ ...issue, field: `${place}${issue.field?.slice('entry'.length)}` }))
    const { id } = entry as { readonly id: string }
    if (ids.has(id)) return [{ field: `${place}.id`, issue: `another entry has the id "${id}" too` }]
    ids.add(id)
    return []
  })
}

/** Undefined if a getter throws: the list may be there later. */
function readList(provider: Provider, field: 'models' | 'knownModels' | 'analyzers'): unknown {
  try {
    return provider[field]
  } catch {
    return field === 'models' ? () => [] : undefined
  }
}

/** Whether an upstream will not list its models later either: many have no list, or do not show it to every key. */
function isFinal(error: unknown): boolean {
  return error instanceof ProviderError && (error.failure === 'give_up' || error.failure === 'credential')
}

function toListing(provider: Provider, list: unknown, log: Log, failed: boolean): LoadedListing {
  const onInvalid = (kind: string) => (issue: string) =>
    log.warn({ provider: provider.id, issue }, `ignoring an invalid ${kind}`)
  const entries = toArray(list, 'models').filter((entry) => !hasUnknownType(entry))
  const models = validEntries(entries, listingSchemas.model, onInvalid('model')).map((model) =>
    withImplied(model, provider),
  )
  const analyzerEntries = toArray(provider.analyzers ?? [], 'analyzers')
  const analyzers = validEntries(analyzerEntries, listingSchemas.analyzer, onInvalid('analyzer'))
  return { provider, models, analyzers: analyzers as readonly ProviderAnalyzer[], failed }
}

/** The model that a provider finds for an id it does not list; undefined for none, and for an invalid one. */
export function findUnlisted(provider: Provider, id: string): Model | undefined {
  try {
    const { success, data } = listingSchemas.model.safeParse(provider.findModel?.(id))
    return success && data.id === id ? withImplied(data, provider) : undefined
  } catch {
    return undefined
  }
}

function toArray(list: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(list)) throw new TypeError(`${name} is not an array`)
  return list
}

/** Copies of the valid entries, the first of each id. */
function validEntries<Schema extends z.ZodType<{ readonly id: string }>>(
  entries: readonly unknown[],
  schema: Schema,
  onInvalid: (issue: string) => void,
): readonly z.output<Schema>[] {
  const valid = new Map<string, z.output<Schema>>()
  for (const entry of entries) {
    const { success, data, error } = schema.safeParse(entry)
    if (!success) onInvalid(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
    else if (valid.has(data.id)) onInvalid(`duplicate id "${data.id}"`)
    else valid.set(data.id, data)
  }
  return [...valid.values()]
}

/** Later versions of the contract may add types, so these are ignored without a warning. */
function hasUnknownType(entry: unknown): entry is { readonly type: string } {
  if (typeof entry !== 'object' || entry === null || !('type' in entry)) return false
  return typeof entry.type === 'string' && !(modelTypes as readonly string[]).includes(entry.type)
}

/** Tools and images are parts of conversations, and all but embedding models can stream and search if the provider does. */
function withImplied(model: z.output<typeof listingSchemas.model>, provider: Provider): Model {
  if (model.type === 'image') return model as Model
  const { chat, tools, vision, embedding: facts, streaming = true } = model as TextModel
  const canStream = provider.streamText !== undefined && streaming && !facts
  return {
    ...model,
    streaming: canStream,
    webSearch: provider.webSearch === true && !facts,
    ...((chat || tools || vision) && { chat: true }),
  } as Model
}

const price = z.number().min(0)
const prices = {
  input: price,
  output: price,
  cachedInput: price.optional(),
  cacheWrite: price.optional(),
  longCacheWrite: price.optional(),
}
/** Every store must accept an id, because ids are stored with each call. */
const id = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, { error: 'must have 1 to 200 characters and no control characters' })
const modelFields = {
  id,
  name: safeText,
  description: safeText,
  pricing: z
    .object({
      ...prices,
      longPrompts: z.object({ ...prices, above: z.int().min(1) }).optional(),
      webSearch: price.optional(),
      images: z.record(z.string(), z.record(z.string(), price)).optional(),
      tiers: z.record(z.string(), price).optional(),
    })
    .optional(),
  maxTokens: z.int().min(1),
  seed: z.boolean().optional(),
  testDouble: z.boolean().optional(),
  assumed: z.boolean().optional(),
}
const embedding = z
  .object({
    dimensions: z.int().min(1).max(maxDimensions),
    minDimensions: z.int().min(1).optional(),
    maxTexts: z.int().min(1).optional(),
  })
  .refine(({ dimensions, minDimensions = 1 }) => minDimensions <= dimensions, {
    error: 'minDimensions must be at most dimensions',
  })
const size = z.string().regex(/^[1-9]\d{0,4}x[1-9]\d{0,4}$/)
const languages = z.array(z.string().regex(/^[a-z]{2}$/, { error: 'must be an ISO 639-1 code' })).optional()

const listingSchemas = {
  model: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('text'),
      ...modelFields,
      streaming: z.boolean().optional(),
      contextSize: z.int().min(1).optional(),
      maxTokensUnknown: z.boolean().optional(),
      maxPromptCharacters: z.int().min(1).optional(),
      maxStopSequences: z.int().min(1).optional(),
      ...Object.fromEntries(textCapabilities.map((capability) => [capability, z.boolean().optional()])),
      embedding: embedding.optional(),
    }),
    z.object({
      type: z.literal('image'),
      ...modelFields,
      sizes: z.tuple([size], size),
      maxImages: z.int().min(1).optional(),
    }),
  ]),
  analyzer: z.object({ id, tasks: z.object({ sentiment: languages, entities: languages, keywords: languages }) }),
} as const
