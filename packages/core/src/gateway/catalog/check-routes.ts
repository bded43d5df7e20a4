import type { Issue } from '../../runtime/errors.ts'
import { nearest } from '../../runtime/names.ts'
import type { Provider } from '../provider.ts'
import {
  type RouteOptions,
  type RoutingOptions,
  type TargetOptions,
  toTargetOptions,
} from '../routing/route-options.ts'

/** What is wrong with routes and aliases beside these providers; of models that are not listed yet, nothing is said. */
export function checkRoutes(routing: RoutingOptions, providers: readonly Provider[]): Issue[] {
  const known = knownModels(providers)
  const { routes = {}, aliases = {} } = routing
  return [
    ...Object.entries(routes).flatMap(([id, route]) => routeIssues(id, route, known)),
    ...Object.keys(aliases).flatMap((id) => {
      const issue = aliasFault(id, { routes, aliases }, known)
      return issue === undefined ? [] : { field: `aliases.${id}`, issue }
    }),
  ]
}

function routeIssues(id: string, route: RouteOptions, known: KnownModels): Issue[] {
  const field = `routes.${id}`
  const owner = known.ownerOf(id)
  if (owner !== undefined) {
    const issue = `is the full name of a model of the provider "${owner}"; give the route a name of its own`
    return [{ field, issue }]
  }
  const targets = route.targets.map(toTargetOptions)
  const issues = targets.flatMap((target, index) => {
    const faults = targetFaults(target, targets.slice(0, index), route.strategy, known)
    return faults.map((issue) => ({ field: `${field}.targets[${index}]`, issue }))
  })
  if (targets.every(({ weight }) => weight === 0)) {
    issues.push({ field: `${field}.targets`, issue: 'must give one of the targets a weight above 0' })
  }
  return issues
}

function targetFaults(
  { model, weight }: TargetOptions,
  before: readonly TargetOptions[],
  strategy: RouteOptions['strategy'],
  known: KnownModels,
): string[] {
  const fault = known.faultOf(model)
  const faults = fault === undefined ? [] : [fault]
  if (before.some((other) => other.model === model)) faults.push(`"${model}" stands here twice`)
  if (weight !== undefined && strategy !== 'weighted') {
    faults.push('has a weight, which counts only under strategy "weighted"')
  }
  const type = known.typeOf(model)
  const [firstType] = before.flatMap((other) => known.typeOf(other.model) ?? [])
  if (type !== undefined && firstType !== undefined && type !== firstType) {
    faults.push(`"${model}" is of type ${type}, those before it of ${firstType}`)
  }
  return faults
}

function aliasFault(
  id: string,
  { routes, aliases }: { readonly routes: object; readonly aliases: Readonly<Record<string, string>> },
  known: KnownModels,
): string | undefined {
  const present = aliases[id] ?? ''
  if (Object.hasOwn(routes, id)) return `"${id}" is a route; remove one of the two`
  if (known.has(id)) return `"${id}" is a model that is still there; an alias stands for one that is gone`
  if (Object.hasOwn(routes, present) || known.has(present)) return undefined
  if (Object.hasOwn(aliases, present)) return `"${present}" is an alias itself; name the model that it stands for`
  if (known.mayCome(present)) return undefined
  return `unknown model "${present}"; ${known.suggestionFor(present, Object.keys(routes))}`
}

/** What can be said of models before any provider is asked. */
export interface KnownModels {
  /** What is wrong with a target, in words; undefined where nothing is, or nothing can be said yet. */
  faultOf(fullId: string): string | undefined
  typeOf(fullId: string): string | undefined
  /** Whether a model is called that, alone or by its full name. */
  has(name: string): boolean
  /** Whether a name that is not known may be that of a model which is listed only when its provider is asked. */
  mayCome(name: string): boolean
  /** The provider whose models have full names that begin as this one does. */
  ownerOf(name: string): string | undefined
  /** What to write in the place of a name that is not known; `others` are known too. */
  suggestionFor(name: string, others: readonly string[]): string
}

function knownModels(providers: readonly Provider[]): KnownModels {
  /** Types by id; undefined for a provider that lists its models only when it is asked. */
  const lists = new Map(providers.map(({ id, models }) => [id, typesById(models)]))
  const all = [...lists.values()]
  return {
    faultOf(fullId) {
      const [provider, model] = splitFullId(fullId)
      if (!lists.has(provider))
        return `unknown provider "${provider}"; ${mend(provider, [...lists.keys()], 'providers')}`
      const list = lists.get(provider)
      if (!list || list.has(model)) return undefined
      return `the provider "${provider}" has no model "${model}"; ${mend(model, [...list.keys()], 'it has')}`
    },
    typeOf(fullId) {
      const [provider, model] = splitFullId(fullId)
      return lists.get(provider)?.get(model)
    },
    has(name) {
      const [provider, model] = splitFullId(name)
      return all.some((list) => list?.has(name)) || (lists.get(provider)?.has(model) ?? false)
    },
    mayCome(name) {
      const [provider] = splitFullId(name)
      return lists.has(provider) ? lists.get(provider) === undefined : all.includes(undefined)
    },
    ownerOf(name) {
      const [provider] = splitFullId(name)
      return lists.has(provider) ? provider : undefined
    },
    suggestionFor: (name, others) =>
      mend(name, [...others, ...all.flatMap((list) => [...(list?.keys() ?? [])])], 'models'),
  }
}

function typesById(models: Provider['models']): ReadonlyMap<string, string> | undefined {
  if (!Array.isArray(models)) return undefined
  return new Map(models.filter((model) => model?.id).map(({ id, type }) => [id, type]))
}

/** A full name's two parts, of which the first is empty where there is no slash. Slashes after the first are the model's own. */
function splitFullId(fullId: string): readonly [provider: string, model: string] {
  const slash = fullId.indexOf('/')
  return slash < 0 ? ['', fullId] : [fullId.slice(0, slash), fullId.slice(slash + 1)]
}

const maxNamed = 12

function mend(name: string, candidates: readonly string[], lead: string): string {
  const near = nearest(name, candidates)
  if (near !== undefined) return `did you mean "${near}"?`
  const more = candidates.length > maxNamed ? ` and ${candidates.length - maxNamed} more` : ''
  return `${lead}: ${candidates.slice(0, maxNamed).join(', ') || 'none'}${more}`
}
