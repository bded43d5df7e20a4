import { FairleadError, type Issue, invalidRequest } from '../../runtime/errors.ts'
import { clip, maxNameLength } from '../../runtime/names.ts'
import type { Analyzer, ImageModel, Model, ModelType, TextModel } from '../model.ts'
import type { Provider } from '../provider.ts'
import { type RouteOptions, type RoutingOptions, toTargetOptions } from '../routing/route-options.ts'
import type { AnalyzerTarget, ListedModel, ModelRoute, ModelTarget } from '../routing/route.ts'

/** Knows every model of every provider, and the routes over them. */
export interface Registry {
  readonly providers: readonly Provider[]
  /** In the order of the configuration. */
  readonly analyzers: readonly AnalyzerTarget[]
  /** How many models a provider has. */
  countOf(provider: Provider): number
  /** Routes first, then models, each in the order of the configuration. */
  models(type?: ModelType): readonly ListedModel[]
  /** A model by its listed id, as `provider/id`, or by an id that is retired. */
  find(id: string): ListedModel | undefined
  /**
   * Where to send a request for a model. Refuses an unknown one and one of another type, field `model`, and with
   * `PROVIDER_UNAVAILABLE` a route none of whose targets is there, and a model of a provider that could not list any.
   */
  route<Type extends ModelType>(type: Type, id: string): ModelRoute<Extract<Model, { type: Type }>>
  /** Refuses with `PROVIDER_UNAVAILABLE` a name that is not known only because its provider could not list what it has. */
  requireAvailable(id: string): void
  /** For the log. */
  readonly leftOut: readonly LeftOut[]
}

/** A target that a route names and that can't be used. */
export interface LeftOut {
  readonly route: string
  readonly target: string
  readonly reason: string
}

/** A provider and what it was found to have. */
export interface Offer {
  readonly provider: Provider
  readonly models: readonly Model[]
  /** Default: none. */
  readonly analyzers?: readonly Analyzer[]
  /** Whether the provider could not say what it has; it may have more tomorrow. Default: no. */
  readonly failed?: boolean
}

/**
 * Where two have one model id, a route has it before a model, and the first configured before the second; the other is
 * listed as `provider/id`. As that each model can always be reached, whatever ids others choose.
 */
export function createRegistry(
  offers: readonly Offer[],
  { routes = {}, aliases = {} }: Pick<RoutingOptions, 'routes' | 'aliases'> = {},
): Registry {
  const models = nameModels(offers, [...Object.keys(routes), ...Object.keys(aliases)])
  const byName = new Map([...models.byFullId, ...models.byId].map(([id, target]) => [id, directRoute(target)]))
  const leftOut: LeftOut[] = []
  const assembled = Object.entries(routes).flatMap(([id, options]) => {
    const result = assembleRoute(id, options, (fullId) => models.byFullId.get(fullId))
    leftOut.push(...result.leftOut.map((left) => ({ route: id, ...left })))
    return result.route ?? []
  })
  for (const route of assembled) byName.set(route.model.id, route)
  for (const [id, present] of Object.entries(aliases)) {
    const route = byName.get(present)
    if (route) byName.set(id, { ...route, warnings: [retired(id, route.model.id)] })
  }
  const listed = [...assembled.map(({ model }) => model), ...models.listed]
  const away = offers.flatMap(({ provider, failed }) => (failed ? provider.id : []))
  const isUnavailable = (id: string) =>
    !byName.has(id) && (Object.hasOwn(routes, id) || away.some((provider) => id.startsWith(`${provider}/`)))
  function requireAvailable(id: string): void {
    if (isUnavailable(id) || (Object.hasOwn(aliases, id) && isUnavailable(aliases[id] ?? ''))) throw unavailable(id)
  }

  return {
    providers: offers.map(({ provider }) => provider),
    analyzers: offers.flatMap(({ provider, analyzers = [] }) =>
      analyzers.map((analyzer) => ({ provider, analyzer, id: analyzer.id })),
    ),
    countOf: (provider) => offers.find((offer) => offer.provider === provider)?.models.length ?? 0,
    models: (type) => (type === undefined ? listed : listed.filter((model) => model.type === type)),
    find: (id) => byName.get(id)?.model,
    route(type, id) {
      const route = byName.get(id)
      if (route && isOfType(route, type)) return route
      requireAvailable(id)
      throw invalidRequest(wrongModel(type, id, { found: route?.model, listed, away }))
    },
    requireAvailable,
    leftOut,
  }
}

interface NamedModels {
  readonly byFullId: ReadonlyMap<string, ModelTarget<Model>>
  readonly byId: ReadonlyMap<string, ModelTarget<Model>>
  readonly listed: readonly ListedModel[]
}

function nameModels(offers: readonly Offer[], taken: readonly string[]): NamedModels {
  const pairs = offers.flatMap(({ provider, models }) => models.map((model) => ({ provider, model })))
  const byFullId = new Map<string, ModelTarget<Model>>()
  const byId = new Map<string, ModelTarget<Model>>()
  const reserved = new Set([...taken, ...pairs.map(({ provider, model }) => `${provider.id}/${model.id}`)])
  const listed = pairs.map(({ provider, model }): ListedModel => {
    const fullId = `${provider.id}/${model.id}`
    const id = byId.has(model.id) || reserved.has(model.id) ? fullId : model.id
    const target = { provider, id: model.id, model: { ...model, id, provider: provider.id } }
    byId.set(id, target)
    byFullId.set(fullId, target)
    return target.model
  })
  return { byFullId, byId, listed }
}

function directRoute(target: ModelTarget<Model>): ModelRoute<Model> {
  return { targets: [target], model: target.model }
}

function isOfType<Type extends ModelType>(
  route: ModelRoute<Model>,
  type: Type,
): route is ModelRoute<Extract<Model, { type: Type }>> {
  return route.model.type === type
}

function retired(id: string, present: string): Issue {
  return { field: 'model', issue: `"${id}" is retired; "${present}" answered` }
}

/** About when a provider that could not list its models is asked again. */
const refreshAfterMs = 30_000

function unavailable(id: string): FairleadError {
  return new FairleadError(
    'PROVIDER_UNAVAILABLE',
    `No model behind "${clip(id, maxNameLength)}" is there at present. Try again later.`,
    {
      retryAfterMs: refreshAfterMs,
    },
  )
}

const maxNamed = 12

interface Known {
  /** The model of another type that has the id. */
  readonly found: Model | undefined
  readonly listed: readonly Model[]
  /** Providers that could not list theirs. */
  readonly away: readonly string[]
}

function wrongModel(type: ModelType, id: string, { found, listed, away }: Known): Issue {
  const fitting = listed.filter((model) => model.type === type).map((model) => model.id)
  const named = fitting.slice(0, maxNamed).join(', ') || 'none'
  const more = fitting.length > maxNamed ? ` and ${fitting.length - maxNamed} more` : ''
  const name = clip(id, maxNameLength)
  const fault = found ? `"${name}" is a model of type ${found.type}` : `unknown model "${name}"`
  const untold = away.length > 0 ? `; those of ${away.join(', ')} are not known at present` : ''
  return { field: 'model', issue: `${fault}; models of type ${type}: ${named}${more}${untold}` }
}

export interface AssembledRoute {
  /** Undefined while none of its targets is there. */
  readonly route: ModelRoute<Model> | undefined
  /** For the log: what was left out, and why. */
  readonly leftOut: readonly { readonly target: string; readonly reason: string }[]
}

/** A configured route over the models that are there. */
function assembleRoute(
  id: string,
  { targets, strategy = 'fallback', timeouts, cache }: RouteOptions,
  find: (fullId: string) => ModelTarget<Model> | undefined,
): AssembledRoute {
  const chosen: ModelTarget<Model>[] = []
  const leftOut: { target: string; reason: string }[] = []
  for (const { model: fullId, weight } of targets.map(toTargetOptions)) {
    const found = find(fullId)
    if (!found) leftOut.push({ target: fullId, reason: 'its provider does not list it' })
    else if (!fitTogether([...chosen, found].map(({ model }) => model))) {
      leftOut.push({ target: fullId, reason: 'it is of another type than those before it, or has no size in common' })
    } else chosen.push({ ...found, model: { ...found.model, id }, ...(weight !== undefined && { weight }) })
  }
  const [first, ...others] = chosen
  if (!first) return { route: undefined, leftOut }
  const model = combineModels(id, [first.model, ...others.map((target) => target.model)])
  const manner = { strategy, ...(timeouts && { timeouts }), ...(cache && { cache }) }
  return { route: { targets: [first, ...others], model, ...manner }, leftOut }
}

/** What callers may count on, whichever of these models of one type answers: the first's facts, within what all can do. */
function combineModels(id: string, models: readonly [ListedModel, ...ListedModel[]]): ListedModel {
  const [first] = models
  const common = {
    id,
    maxTokens: Math.min(...models.map(({ maxTokens }) => maxTokens)),
    seed: models.every(({ seed }) => seed),
  }
  return first.type === 'text'
    ? { ...first, ...common, ...commonText(models as readonly TextModel[]) }
    : { ...first, ...common, sizes: commonSizes(models as readonly ImageModel[]) as ImageModel['sizes'] }
}

function commonText(models: readonly TextModel[]): Partial<TextModel> {
  const contextSizes = models.flatMap(({ contextSize }) => contextSize ?? [])
  return {
    streaming: models.every(({ streaming }) => streaming),
    structured: models.every(({ structured }) => structured),
    // What is not known of one is not known of all.
    ...(contextSizes.length === models.length && { contextSize: Math.min(...contextSizes) }),
  }
}

/** The sizes that all of the models make, in the order of the first. */
function commonSizes(models: readonly Pick<ImageModel, 'sizes'>[]): readonly string[] {
  const [first, ...others] = models
  return (first?.sizes ?? []).filter((size) => others.every(({ sizes }) => sizes.includes(size)))
}

/** Whether the models have anything in common that a caller could ask for. */
function fitTogether(models: readonly Model[]): boolean {
  const [first] = models
  if (models.some(({ type }) => type !== first?.type)) return false
  return first?.type !== 'image' || commonSizes(models as readonly ImageModel[]).length > 0
}
