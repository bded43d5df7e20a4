import { type EmbeddingFacts, type ImageModel, type Model, type TextModel, textCapabilities } from '../model.ts'
import { type RouteOptions, type RoutingOptions, toTargetOptions } from '../routing/route-options.ts'
import { type ListedModel, type ModelRoute, type ModelTarget, modelUse } from '../routing/route.ts'

export interface OmittedTarget {
  readonly route: string
  readonly target: string
  readonly reason: string
}

const incompatible = 'it differs in type or embedding dimensions from the targets before it, or shares no image size'

/** A configured route over its available targets, undefined if there are none, and the others with the reason. */
export function assembleRoute(
  id: string,
  { targets: configured, strategy = 'fallback', timeouts, cache }: RouteOptions,
  find: (fullId: string) => ModelTarget<Model> | undefined,
  whyMissing: (fullId: string) => string,
) {
  const targets: ModelTarget<Model>[] = []
  const omitted: Omit<OmittedTarget, 'route'>[] = []
  for (const { model: fullId, weight } of configured.map(toTargetOptions)) {
    const found = find(fullId)
    if (!found) omitted.push({ target: fullId, reason: whyMissing(fullId) })
    else if (!isCompatible([found.model, ...targets.map(({ model }) => model)])) {
      omitted.push({ target: fullId, reason: incompatible })
    } else targets.push({ ...found, model: { ...found.model, id }, ...(weight !== undefined && { weight }) })
  }
  const [first, ...others] = targets
  if (!first) return { route: undefined, omitted }
  const model = combineModels(id, [first.model, ...others.map((target) => target.model)])
  const options = { strategy, ...(timeouts && { timeouts }), ...(cache && { cache }) }
  const route: ModelRoute<Model> = { targets: [first, ...others], name: id, model, ...options }
  return { route, omitted }
}

/** The properties of the first model, limited to what all models support. */
function combineModels(id: string, models: readonly [ListedModel, ...ListedModel[]]): ListedModel {
  const [first] = models
  const limited = models.filter((model) => model.type === 'image' || !model.maxTokensUnknown)
  const common = {
    id,
    maxTokens: Math.min(...(limited.length > 0 ? limited : models).map(({ maxTokens }) => maxTokens)),
    ...(limited.length > 0 && { maxTokensUnknown: false }),
    seed: models.every(({ seed }) => seed),
  }
  return first.type === 'text'
    ? { ...combineText(first, models as readonly TextModel[]), ...common, provider: first.provider }
    : { ...first, ...common, sizes: commonSizes(models as readonly ImageModel[]) as ImageModel['sizes'] }
}

/** A route can do what all of its targets can. The context size is the largest, because requests skip targets that cannot hold them. It is absent if one is unknown. */
function combineText(first: TextModel, models: readonly TextModel[]): TextModel {
  const { contextSize: _contextSize, embedding, ...others } = first
  const contextSizes = models.flatMap(({ contextSize }) => contextSize ?? [])
  const all = (capability: 'streaming' | (typeof textCapabilities)[number]) =>
    models.every((model) => model[capability])
  return {
    ...others,
    streaming: all('streaming'),
    ...Object.fromEntries(textCapabilities.map((capability) => [capability, all(capability)])),
    ...(embedding && { embedding: combineEmbedding(embedding, models) }),
    ...(contextSizes.length === models.length && { contextSize: Math.max(...contextSizes) }),
  }
}

/** The length can be chosen if it can with every model. */
function combineEmbedding({ dimensions }: EmbeddingFacts, models: readonly TextModel[]): EmbeddingFacts {
  const minDimensions = Math.max(...models.map(({ embedding }) => embedding?.minDimensions ?? dimensions))
  return { dimensions, ...(minDimensions < dimensions && { minDimensions }) }
}

/** The sizes that all models support, in the order of the first. */
function commonSizes(models: readonly Pick<ImageModel, 'sizes'>[]): readonly string[] {
  const [first, ...others] = models
  return (first?.sizes ?? []).filter((size) => others.every(({ sizes }) => sizes.includes(size)))
}

/** Whether a request could be answered by any of the models, with embeddings of the same length. */
function isCompatible(models: readonly [Model, ...Model[]]): boolean {
  const [first] = models
  if (models.some((model) => modelUse(model) !== modelUse(first) || readDimensions(model) !== readDimensions(first)))
    return false
  return first.type !== 'image' || commonSizes(models as readonly ImageModel[]).length > 0
}

function readDimensions(model: Model): number | undefined {
  return model.type === 'text' ? model.embedding?.dimensions : undefined
}

/** The model or route that an alias stands for. */
export interface FoundAlias {
  /** The id of a model or route. */
  readonly id: string
  /** Whether a pattern such as `gpt-*` matched, and not the alias itself. */
  readonly byPattern: boolean
}

/** Finds what an id stands for: by the alias itself, or by the first pattern that matches. */
export type FindAlias = (id: string) => FoundAlias | undefined

/** `gpt-*` matches every id that begins with `gpt-`. */
export function aliasFinder(aliases: NonNullable<RoutingOptions['aliases']>): FindAlias {
  const patterns = Object.entries(aliases).filter(([alias]) => isPattern(alias))
  return (id) => {
    if (Object.hasOwn(aliases, id)) return { id: aliases[id]!, byPattern: false }
    const found = patterns.find(([pattern]) => matches(pattern, id))
    return found && { id: found[1], byPattern: true }
  }
}

function isPattern(alias: string): boolean {
  return alias.includes('*')
}

function matches(pattern: string, id: string): boolean {
  const star = pattern.indexOf('*')
  const end = pattern.slice(star + 1)
  return id.length >= pattern.length - 1 && id.startsWith(pattern.slice(0, star)) && id.endsWith(end)
}
