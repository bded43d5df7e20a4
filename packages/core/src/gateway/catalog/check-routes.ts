import type { Issue } from '../../runtime/errors.ts'
import { suggestName } from '../../runtime/schema/names.ts'
import type { Model } from '../model.ts'
import type { Provider } from '../provider.ts'
import {
  type RouteOptions,
  type RoutingOptions,
  type TargetOptions,
  toTargetOptions,
} from '../routing/route-options.ts'
import { findUnlisted } from './load-listing.ts'

/** Checks routes and aliases against the providers. Models that are listed only at run time are not checked. */
export function checkRoutes(routing: RoutingOptions, providers: readonly Provider[]): Issue[] {
  const known = knowledgeOf(providers)
  const { routes = {}, aliases = {} } = routing
  return [
    ...Object.entries(routes).flatMap(([id, route]) => routeIssues(id, route, known)),
    ...Object.keys(aliases).flatMap((alias) => {
      const issue = aliasIssue(alias, { routes, aliases }, known)
      return issue === undefined ? [] : { field: `routing.aliases.${alias}`, issue }
    }),
  ]
}

function routeIssues(id: string, route: RouteOptions, known: KnownModels): Issue[] {
  const field = `routing.routes.${id}`
  const provider = known.providerOf(id)
  if (provider !== undefined) {
    return [{ field, issue: `must not start with "${provider}/", which is reserved for the models of that provider` }]
  }
  const targets = route.targets.map(toTargetOptions)
  const issues = targets.flatMap((target, index) =>
    targetIssues(target, targets.slice(0, index), route.strategy, known).map((issue) => ({
      field: `${field}.targets[${index}]`,
      issue,
    })),
  )
  if (targets.every(({ weight }) => weight === 0)) {
    issues.push({ field: `${field}.targets`, issue: 'must have at least one target with a weight above 0' })
  }
  return issues
}

function targetIssues(
  { model, weight }: TargetOptions,
  previous: readonly TargetOptions[],
  strategy: RouteOptions['strategy'],
  known: KnownModels,
): string[] {
  const unknown = known.unknownTarget(model)
  const issues = unknown === undefined ? [] : [unknown]
  if (previous.some((other) => other.model === model)) issues.push(`duplicate target "${model}"`)
  if (weight !== undefined && strategy !== 'weighted') issues.push('has a weight, which requires strategy "weighted"')
  const type = known.typeOf(model)
  const [firstType] = previous.flatMap((other) => known.typeOf(other.model) ?? [])
  if (type !== undefined && firstType !== undefined && type !== firstType) {
    issues.push(`"${model}" is of type ${type}, but the targets before it are of type ${firstType}`)
  }
  return issues
}

function aliasIssue(
  alias: string,
  { routes, aliases }: { readonly routes: object; readonly aliases: Readonly<Record<string, string>> },
  known: KnownModels,
): string | undefined {
  const id = aliases[alias] ?? ''
  if (Object.hasOwn(routes, alias)) return `"${alias}" is also a route; remove one of them`
  if (known.has(alias)) return `"${alias}" is a listed model; an alias must not be one`
  if (alias.split('*').length > 2) return 'must have at most one "*"'
  if (Object.hasOwn(routes, id) || known.has(id)) return undefined
  if (Object.hasOwn(aliases, id)) return `"${id}" is an alias; use the id of a model or route`
  if (known.mayBeListedLater(id)) return undefined
  return `unknown model "${id}"; ${known.suggestionFor(id, Object.keys(routes))}`
}

type KnownModels = ReturnType<typeof knowledgeOf>

/** The models that are known before any provider is called. */
function knowledgeOf(providers: readonly Provider[]) {
  const lists = new Map(providers.map((provider) => [provider.id, toKnownList(provider)]))
  const all = [...lists.values()]
  return {
    /** The issue with the full id of a target; undefined if it is valid, or can be checked only at run time. */
    unknownTarget(fullId: string): string | undefined {
      const [provider, model] = splitFullId(fullId)
      const list = lists.get(provider)
      if (!list) return `unknown provider "${provider}"; ${suggestName(provider, [...lists.keys()], 'providers')}`
      if (list.mayHave(model)) return undefined
      return `unknown model "${model}" of provider "${provider}"; ${suggestName(model, [...list.types.keys()], 'models')}`
    },
    typeOf(fullId: string): string | undefined {
      const [provider, model] = splitFullId(fullId)
      return lists.get(provider)?.types.get(model)
    },
    /** Whether it is the id of a model, alone or as `provider/id`. */
    has(id: string): boolean {
      const [provider, model] = splitFullId(id)
      return all.some(({ types }) => types.has(id)) || (lists.get(provider)?.types.has(model) ?? false)
    },
    /** Whether an unknown id may be one that a provider finds, or lists at run time. */
    mayBeListedLater(id: string): boolean {
      const [provider, model] = splitFullId(id)
      return lists.get(provider)?.mayHave(model) ?? all.some((list) => list.mayHave(id))
    },
    /** The provider that the id starts with. */
    providerOf(id: string): string | undefined {
      const [provider] = splitFullId(id)
      return lists.has(provider) ? provider : undefined
    },
    /** @param others further valid ids */
    suggestionFor: (id: string, others: readonly string[]) =>
      suggestName(id, [...others, ...all.flatMap(({ types }) => [...types.keys()])], 'models'),
  }
}

/**
 * The known models of a provider before it is called: their types by id, and whether it may have a model, because
 * it has it, or finds it, or lists its models at run time.
 */
function toKnownList(provider: Provider) {
  const { models, knownModels = [] } = provider
  const isComplete = Array.isArray(models)
  const known: readonly Model[] = isComplete ? models : knownModels
  const types = new Map(known.filter((model) => model?.id).map(({ id, type }) => [id, type]))
  return { types, mayHave: (id: string) => !isComplete || types.has(id) || findUnlisted(provider, id) !== undefined }
}

/** Splits at the first slash, because the ids of models may contain slashes. Without a slash, the provider is empty. */
function splitFullId(fullId: string): readonly [provider: string, model: string] {
  const slash = fullId.indexOf('/')
  return slash < 0 ? ['', fullId] : [fullId.slice(0, slash), fullId.slice(slash + 1)]
}
