import type { RouteOptions } from '@fairlead/core'
import { readAmount, defined, noteLeftOut, toTimeouts } from './fields.ts'
import type { Imported } from './imported.ts'
import { type LitellmDocument, litellmFields, modelInfo, type Parameters, parameters } from './litellm-fields.ts'
import { addPrices, isPrice, type Target } from './litellm-prices.ts'
import { type Context, readTarget, findVariables } from './litellm-providers.ts'
import { readCache, readFallbacks, globalSettings, notImported, readStrategy } from './litellm-settings.ts'
import { Notes } from './notes.ts'
import { ProviderEntries } from './provider-entries.ts'
import { createRoute, scaled, stickyWeights } from './targets.ts'

/** Translates the configuration of LiteLLM's proxy. */
export function fromLitellm(document: LitellmDocument): Imported {
  const notes = new Notes()
  const providers = new ProviderEntries(findVariables(document))
  const groups = readGroups(document, { providers, notes })
  addPrices([...groups.values()].flat(), { providers, notes })
  const strategy = readStrategy(document, notes)
  const fallbacks = readFallbacks(document, groups, notes)
  const cache = readCache(document, notes)
  const routes = new Map<string, RouteOptions>()
  for (const [name, targets] of groups) {
    const others = (fallbacks.get(name) ?? []).flatMap((other) => groups.get(other)!.map(modelName))
    const timeouts = routeTimeouts(targets, notes)
    routes.set(name, { ...toTargets(targets, others, strategy, notes), ...defined({ timeouts, cache }) })
  }
  for (const [alias, target] of Object.entries(document.router_settings?.model_group_alias ?? {})) {
    const name = typeof target === 'string' ? target : target.model
    const route = routes.get(name)
    // An alias yields to a model of the same name, which providers may list. A route does not.
    if (route) routes.set(alias, route)
    else notes.add(`router_settings.model_group_alias.${alias}`, notImported(name))
  }
  const weighted = [...routes].find(([, route]) => route.strategy === 'weighted')
  if (weighted) notes.add(groups.get(weighted[0])?.[0]?.path ?? 'model_list', stickyWeights)
  noteLeftOut(document, litellmFields, '', notes)
  const config = {
    providers: providers.list(),
    ...(routes.size > 0 && { routes: Object.fromEntries(routes) }),
    ...globalSettings(document, notes),
  }
  return { config, notes }
}

/** The targets of the document by the names of their models, in its order. */
function readGroups(document: LitellmDocument, context: Context): ReadonlyMap<string, readonly Target[]> {
  const { notes } = context
  const groups = new Map<string, Target[]>()
  for (const [index, { model_name: name, litellm_params: given, model_info: info }] of document.model_list.entries()) {
    const path = `model_list[${index}]`
    const params = withCredential(given, document, path, notes)
    noteLeftOut(withoutPrices(params), parameters, `${path}.litellm_params`, notes)
    noteLeftOut(withoutPrices(info ?? {}), modelInfo, `${path}.model_info`, notes)
    if (params.model === '*') {
      notes.add(`${path}.litellm_params.model`, '"*" is every provider: list those that you use in `providers`')
      continue
    }
    const target = readTarget(params, `${path}.litellm_params`, context)
    if (!target) continue
    const { provider, id } = target
    if (!`${name}${provider}${id}`.includes('*')) {
      groups.set(name, [...(groups.get(name) ?? []), { path, provider, id, params, info }])
    } else if (id !== '*' || (name !== '*' && name !== `${provider}/*`)) {
      // A provider with `models: 'any'` takes every id after its own, and the first one those without a provider.
      notes.add(`${path}.model_name`, `clients write ${provider}/<model> in place of "${name}"`)
    }
  }
  return groups
}

function withoutPrices(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isPrice(name)))
}

function withCredential(params: Parameters, document: LitellmDocument, path: string, notes: Notes): Parameters {
  const { litellm_credential_name: name } = params
  if (!name) return params
  const credential = document.credential_list?.find((each) => each.credential_name === name)
  if (credential) return { ...params, ...credential.credential_values }
  notes.add(`${path}.litellm_params.litellm_credential_name`, `credential_list has no credential "${name}"`)
  return params
}

function modelName({ provider, id }: Target): string {
  return `${provider}/${id}`
}

function toTargets(
  targets: readonly Target[],
  fallbacks: readonly string[],
  strategy: NonNullable<RouteOptions['strategy']>,
  notes: Notes,
): Pick<RouteOptions, 'targets' | 'strategy'> {
  const { path, params: first } = targets[0]!
  const measure = (['weight', 'rpm', 'tpm'] as const).find((each) => (first[each] ?? null) !== null)
  if (targets.some(({ params }) => params.rpm ?? params.tpm)) {
    const isWeight = targets.length > 1 && strategy === 'weighted' && measure !== 'weight'
    notes.add(
      `${path}.litellm_params.${measure === 'tpm' ? 'tpm' : 'rpm'}`,
      `${isWeight ? 'is the weight of its target; ' : ''}Fairlead has no limit for a target`,
    )
  }
  const models = targets.map((target) => ({ model: modelName(target) }))
  const orders = targets.map(({ params }) => readAmount(params.order) ?? Infinity)
  if (targets.length > 1 && orders.some(Number.isFinite)) {
    if (new Set(orders).size < orders.length) {
      notes.add(`${path}.litellm_params.order`, 'targets of the same order are tried one after the other')
    }
    // The difference of two infinities is no number.
    const sorted = [...models.entries()].toSorted(([a], [b]) => orders[a]! - orders[b]! || 0)
    return createRoute(
      sorted.map(([, model]) => model),
      fallbacks,
      'fallback',
    )
  }
  if (strategy !== 'weighted' && fallbacks.length === 0) return createRoute(models, [], strategy)
  if (strategy !== 'weighted' && targets.length > 1) {
    notes.add(path, `the strategy "${strategy}" would not keep fallbacks last, so its targets have weights`)
  }
  const weights = measure ? scaled(targets.map(({ params }) => readAmount(params[measure]) ?? 0)) : []
  return createRoute(
    models.map((model, index) => ({ ...model, weight: weights[index] })),
    fallbacks,
  )
}

/** A route has the timeouts of its slowest model. */
function routeTimeouts(targets: readonly Target[], notes: Notes): RouteOptions['timeouts'] {
  const longest = (name: 'timeout' | 'stream_timeout'): number | undefined => {
    const values = targets.flatMap(({ params }) => readAmount(params[name]) ?? [])
    if (values.length === 0) return undefined
    if (new Set(values).size > 1 || values.length < targets.length) {
      const field = `${targets[0]!.path}.litellm_params.${name}`
      notes.add(field, 'differs between the models of the route; the longest one counts')
    }
    return Math.max(...values)
  }
  return toTimeouts(longest('timeout'), longest('stream_timeout'))
}
