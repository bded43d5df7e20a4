import { FairleadError, invalidBecause, type Issue } from '../../runtime/errors.ts'
import type { Caller } from '../../runtime/access.ts'
import { matchesAny, clip, listNames, maxNameLength, nearest, suggestName } from '../../runtime/schema/names.ts'
import type { Model, ModelFor, ModelType, ModelUse } from '../model.ts'
import type { Provider } from '../provider.ts'
import { aliasFinder, assembleRoute, type OmittedTarget } from './configured-routes.ts'
import { findUnlisted, type Listing } from './load-listing.ts'
import { type RoutingOptions, toTargetOptions } from '../routing/route-options.ts'
import { type AnalyzerTarget, type ListedModel, type ModelRoute, type ModelTarget, modelUse } from '../routing/route.ts'

export type Registry = ReturnType<typeof createRegistry>

/** The models and analyzers that a caller may use. */
export type RegistryView = ReturnType<Registry['of']>

/**
 * All models of all providers, and the routes over them.
 *
 * Of two with the same id, a route has precedence over a model, and the provider that is configured first over the second.
 * The other model is listed as `provider/id`, so that each model stays reachable, whatever ids other providers choose.
 */
export function createRegistry(
  listings: readonly Listing[],
  { routes = {}, aliases = {} }: Pick<RoutingOptions, 'routes' | 'aliases'> = {},
) {
  const models = assignIds(listings, [...Object.keys(routes), ...Object.keys(aliases)])
  const byName = new Map([...models.byFullId, ...models.byId].map(([id, target]) => [id, directRoute(target)]))
  const omittedTargets: OmittedTarget[] = []
  const unavailable = listings.flatMap(({ provider, failed }) => (failed ? provider.id : []))
  /** The providers without a list whose model an id may be. */
  const ownersOf = (fullIds: readonly string[]) =>
    unavailable.filter((provider) => fullIds.some((fullId) => fullId.startsWith(`${provider}/`)))
  const whyMissing = (fullId: string) =>
    ownersOf([fullId]).length > 0 ? 'its provider could not list its models' : 'its provider does not list it'
  const withFinder = listings.flatMap(({ provider }) => (provider.findModel ? provider : []))
  /** A target for an id that no provider lists: of the provider that the id names, or of the first that knows the id. */
  function findTarget(name: string): ModelTarget<Model> | undefined {
    const named = listings.find(({ provider }) => name.startsWith(`${provider.id}/`))?.provider
    if (named) return toTarget(named, name, findUnlisted(named, name.slice(named.id.length + 1)))
    let assumed: ModelTarget<Model> | undefined
    for (const provider of withFinder) {
      const target = toTarget(provider, name, findUnlisted(provider, name))
      if (target && !target.model.assumed) return target
      assumed ??= target
    }
    return assumed
  }
  const assembled = Object.entries(routes).flatMap(([id, options]) => {
    const findListed = (fullId: string) => models.byFullId.get(fullId) ?? findTarget(fullId)
    const { route, omitted } = assembleRoute(id, options, findListed, whyMissing)
    omittedTargets.push(...omitted.map((target) => ({ route: id, ...target })))
    return route ?? []
  })
  for (const route of assembled) byName.set(route.model.id, route)
  const findAlias = aliasFinder(aliases)
  const find = (id: string): ModelRoute<Model> | undefined => {
    const own = byName.get(id)
    if (own) return own
    const alias = findAlias(id)
    // A pattern must not hide a version of a model that a provider has.
    const unlisted = !alias || alias.byPattern ? findRoute(id) : undefined
    if (!alias || (unlisted && !unlisted.model.assumed)) return unlisted
    const route = byName.get(alias.id) ?? findRoute(alias.id)
    return route && { ...route, name: id, warnings: [aliased(id, route.model.id), ...(route.warnings ?? [])] }
  }
  function findRoute(id: string): ModelRoute<Model> | undefined {
    const target = withFinder.length > 0 && !Object.hasOwn(routes, id) ? findTarget(id) : undefined
    if (!target) return undefined
    // The ids of clients are without limit, so the targets share the state that each would have.
    const route = directRoute({ ...target, unlisted: true })
    return target.model.assumed ? { ...route, warnings: [passedOn(id, target)] } : route
  }
  const listed = [...assembled.map(({ model }) => model), ...models.listed]
  /** The ids with their provider, if an unknown id is written like one. */
  const fullIdsLike = (id: string, use?: ModelUse) =>
    id.includes('/')
      ? [...models.byFullId].flatMap(([fullId, { model }]) =>
          use === undefined || modelUse(model) === use ? fullId : [],
        )
      : []

  /**
   * Throws `PROVIDER_UNAVAILABLE` for a route without an available target, and for an unknown id while the model list of a
   * provider is missing, because the model may be on it.
   */
  function requireAvailable(name: string): void {
    if (find(name)) return
    const id = findAlias(name)?.id ?? name
    const route = Object.hasOwn(routes, id) ? routes[id] : undefined
    const fullIds = route ? route.targets.map((target) => toTargetOptions(target).model) : [id]
    const owners = ownersOf(fullIds)
    const suspects = route || owners.length > 0 ? owners : unavailable
    if (route || suspects.length > 0) throw modelUnavailable(name, suspects)
  }

  const analyzers = listings.flatMap(({ provider, analyzers: own = [] }): AnalyzerTarget[] =>
    own.map((analyzer) => ({ provider, analyzer, id: analyzer.id })),
  )
  const unrestricted = view()

  /** @param lists the models that a key, and each key that it descends from, may call. Default: all */
  function view(lists: readonly (readonly string[])[] = []) {
    const allows = (names: readonly string[]) => lists.every((list) => matchesAny(list, names))
    const isLimited = lists.length > 0
    const ownListed = () => (isLimited ? listed.filter(({ id }) => isAllowed(id)) : listed)
    const isAllowed = (id: string, route = find(id)) => lists.every((list) => includes(list, id, route))

    /** A route is allowed by its own name, and if all of its targets are. */
    function includes(list: readonly string[], id: string, route: ModelRoute<Model> | undefined): boolean {
      if (matchesAny(list, [id])) return true
      if (!route) return false
      return matchesAny(list, [route.model.id]) || route.targets.every((target) => matchesAny(list, namesOf(target)))
    }

    function findAllowed(id: string): ModelRoute<Model> | undefined {
      const route = find(id)
      return !isLimited || isAllowed(id, route) ? route : undefined
    }

    /** Throws `FORBIDDEN` for a model that the key of the caller may not call. */
    function requireAllowed(id: string): void {
      if (isLimited) requireIncluded(id, find(id))
    }

    function requireIncluded(id: string, route: ModelRoute<Model> | undefined): void {
      const list = lists.find((each) => !includes(each, id, route))
      if (list) throw modelForbidden(id, list)
    }

    return {
      /** In the order of the configuration. */
      analyzers: (): readonly AnalyzerTarget[] =>
        analyzers.filter(({ provider, id }) => allows([id, `${provider.id}/${id}`])),
      /** Routes first, then models, each in the order of the configuration. */
      models: (type?: ModelType): readonly ListedModel[] =>
        type === undefined ? ownListed() : ownListed().filter((model) => model.type === type),
      /** Finds a model by its listed id, as `provider/id`, by an alias, or as one that a provider serves without listing it. */
      find: (id: string): ListedModel | undefined => findAllowed(id)?.model,
      /** The id of the model that an unknown id was probably meant for. Aliases are not among them, because no list has them. */
      nearest: (id: string): string | undefined =>
        nearest(
          id,
          [...ownListed().map((model) => model.id), ...fullIdsLike(id)].filter((each) => isAllowed(each)),
        ),
      /**
       * The route for a model. Throws `FORBIDDEN` as `requireAllowed` does, `INVALID_REQUEST` with field `model` for an
       * unknown model and one of another use, and `PROVIDER_UNAVAILABLE` as `requireAvailable` does.
       */
      route<Use extends ModelUse>(use: Use, id: string): ModelRoute<ModelFor<Use>> {
        const route = find(id)
        if (isLimited) requireIncluded(id, route)
        if (route && modelUse(route.model) === use) return route as ModelRoute<ModelFor<Use>>
        requireAvailable(id)
        const fault = faultOf(use, clip(id, maxNameLength), route?.model)
        const ids = ownListed()
          .filter((model) => modelUse(model) === use)
          .map((model) => model.id)
        const advice = route
          ? `${groupNames[use]}: ${listNames(ids)}`
          : suggestName(id, ids, groupNames[use], fullIdsLike(id, use))
        throw invalidBecause('model_not_found', { field: 'model', issue: `${fault}; ${advice}` })
      },
      requireAllowed,
      requireAvailable,
    }
  }

  /** The names by which a target is allowed: the listed id of its model, and `provider/id`. */
  function namesOf({ provider, id }: ModelTarget<Model>): readonly string[] {
    const fullId = `${provider.id}/${id}`
    const ownId = models.byFullId.get(fullId)?.model.id
    return ownId === undefined ? [fullId] : [fullId, ownId]
  }

  return {
    ...unrestricted,
    /** The models and analyzers that the caller may use. */
    of(caller: Caller) {
      if (caller.kind !== 'account' || !caller.limits) return unrestricted
      const lists = caller.limits.flatMap(({ models: allowed }) => (allowed ? [allowed] : []))
      return lists.length > 0 ? view(lists) : unrestricted
    },
    providers: listings.map(({ provider }) => provider),
    /** Number of models of a provider. */
    countOf: (provider: Provider) => listings.find((listing) => listing.provider === provider)?.models.length ?? 0,
    /** Targets of routes that are not in use, for the log. */
    omittedTargets,
  }
}

function assignIds(listings: readonly Listing[], taken: readonly string[]) {
  const pairs = listings.flatMap(({ provider, models }) => models.map((model) => ({ provider, model })))
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

function toTarget(provider: Provider, id: string, model: Model | undefined): ModelTarget<Model> | undefined {
  return model && { provider, id: model.id, model: { ...model, id, provider: provider.id } }
}

function directRoute(target: ModelTarget<Model>): ModelRoute<Model> {
  return { targets: [target], model: target.model }
}

function aliased(alias: string, id: string): Issue {
  return { field: 'model', issue: `"${clip(alias, maxNameLength)}" is an alias; "${id}" answered` }
}

function passedOn(id: string, { provider }: ModelTarget<Model>): Issue {
  return {
    field: 'model',
    issue: `"${clip(id, maxNameLength)}" is not a listed model; "${provider.id}" was asked for it`,
  }
}

function modelForbidden(id: string, allowed: readonly string[]): FairleadError {
  const name = clip(id, maxNameLength)
  const issue = `"${name}" is not among the models that this credential may call (${listNames(allowed)})`
  return new FairleadError('FORBIDDEN', `model: ${issue}`, { issues: [{ field: 'model', issue }] })
}

/** The catalog retries a failed model list after this time. */
const retryAfterMs = 30_000

function modelUnavailable(id: string, providers: readonly string[]): FairleadError {
  const names = providers.length > 0 ? ` Unavailable providers: ${providers.join(', ')}.` : ''
  const [provider, ...others] = providers
  return new FairleadError(
    'PROVIDER_UNAVAILABLE',
    `Model "${clip(id, maxNameLength)}" is not available.${names} Try again later.`,
    { facts: { ...(provider !== undefined && others.length === 0 && { provider }), attempts: 0 }, retryAfterMs },
  )
}

const groupNames: Readonly<Record<ModelUse, string>> = {
  text: 'models of type text',
  image: 'models of type image',
  embedding: 'models that embed texts',
}

function faultOf(use: ModelUse, name: string, found: Model | undefined): string {
  if (!found) return `unknown model "${name}"`
  if (modelUse(found) === 'embedding') return `"${name}" only embeds texts`
  return use === 'embedding' ? `"${name}" does not embed texts` : `"${name}" is a model of type ${found.type}`
}
