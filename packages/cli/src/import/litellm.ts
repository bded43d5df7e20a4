import type { RouteOptions } from '@fairlead/core'
import type { Imported } from './imported.ts'
import type { Group, LitellmDocument } from './litellm-document.ts'
import { groupsOf } from './litellm-models.ts'
import { addPrices } from './litellm-prices.ts'
import { amountOf, globalSettings, routeSettings, type RouteSettings } from './litellm-settings.ts'
import { variablesOf } from './litellm-providers.ts'
import { Notes } from './notes.ts'
import { ProviderEntries } from './provider-entries.ts'
import { routeOf, scaled, stickyWeights } from './targets.ts'

/** Translates the configuration of LiteLLM's proxy. */
export function fromLitellm(document: LitellmDocument): Imported {
  const notes = new Notes()
  const providers = new ProviderEntries(variablesOf(document))
  const groups = groupsOf(document, { providers, notes })
  addPrices(groups, { providers, notes })
  const settings = routeSettings(document, groups, notes)
  const routes = new Map([...groups].map(([name, group]) => [name, routeFor(name, group, groups, settings, notes)]))
  for (const [alias, { name, path }] of settings.aliases) {
    const route = routes.get(name)
    // An alias yields to a model of the same name, which providers may list. A route does not.
    if (route) routes.set(alias, route)
    else notes.add(path, `"${name}" is no model of model_list that could be imported`)
  }
  const [weighted] = [...routes].flatMap(([name, { strategy }]) => (strategy === 'weighted' ? name : []))
  if (weighted !== undefined) notes.add(groups.get(weighted)?.path ?? 'model_list', stickyWeights)
  const config = {
    providers: providers.list(),
    ...(routes.size > 0 && { routes: Object.fromEntries(routes) }),
    ...globalSettings(document, notes),
  }
  return { config, notes }
}

function routeFor(
  name: string,
  group: Group,
  groups: ReadonlyMap<string, Group>,
  settings: RouteSettings,
  notes: Notes,
): RouteOptions {
  const fallbacks = (settings.fallbacks.get(name) ?? []).flatMap((other) =>
    groups.get(other)!.targets.map(({ model }) => model),
  )
  const timeouts = timeoutsOf(group, notes)
  return {
    ...targetsOf(group, fallbacks, settings.strategy, notes),
    ...(Object.keys(timeouts).length > 0 && { timeouts }),
    ...(settings.cache && { cache: settings.cache }),
  }
}

function targetsOf(group: Group, fallbacks: readonly string[], strategy: RouteSettings['strategy'], notes: Notes) {
  const { targets, path } = group
  const limits = targets.some(({ params }) => params.rpm ?? params.tpm)
  const [first] = targets
  const measure = (['weight', 'rpm', 'tpm'] as const).find((each) => (first?.params[each] ?? null) !== null)
  if (limits) {
    const isWeight = targets.length > 1 && strategy === 'weighted' && measure !== 'weight'
    notes.add(
      `${path}.litellm_params.${measure === 'tpm' ? 'tpm' : 'rpm'}`,
      isWeight
        ? 'is the weight of its target; Fairlead has no limit for a target'
        : 'Fairlead has no limit for a target',
    )
  }
  const orders = targets.map(({ params }) => amountOf(params.order))
  if (targets.length > 1 && orders.some((order) => order !== undefined)) {
    if (new Set(orders).size < orders.length) {
      notes.add(`${path}.litellm_params.order`, 'targets of the same order are tried one after the other')
    }
    const sorted = targets.toSorted(
      (a, b) => (amountOf(a.params.order) ?? Infinity) - (amountOf(b.params.order) ?? Infinity),
    )
    return routeOf(sorted, fallbacks, 'fallback')
  }
  if (strategy !== 'weighted' && fallbacks.length === 0) return routeOf(targets, [], strategy)
  if (strategy !== 'weighted' && targets.length > 1) {
    notes.add(path, `the strategy "${strategy}" would not keep fallbacks last, so its targets have weights`)
  }
  const weights = measure ? scaled(targets.map(({ params }) => amountOf(params[measure]) ?? 0)) : []
  return routeOf(
    targets.map(({ model }, index) => ({ model, weight: weights[index] })),
    fallbacks,
  )
}

/** Timeouts of a route are those of its slowest model. */
function timeoutsOf({ targets, path }: Group, notes: Notes): NonNullable<RouteOptions['timeouts']> {
  const longest = (name: 'timeout' | 'stream_timeout'): number | undefined => {
    const values = targets.flatMap(({ params }) => amountOf(params[name]) ?? [])
    if (values.length === 0) return undefined
    if (new Set(values).size > 1 || values.length < targets.length) {
      notes.add(`${path}.litellm_params.${name}`, 'differs between the models of the route; the longest one counts')
    }
    return Math.max(1, Math.round(Math.max(...values) * 1_000))
  }
  const attemptMs = longest('timeout')
  const firstItemMs = longest('stream_timeout')
  return {
    ...(attemptMs !== undefined && { attemptMs }),
    ...(attemptMs !== undefined && attemptMs > 600_000 && { totalMs: attemptMs }),
    ...(firstItemMs !== undefined && { firstItemMs }),
  }
}
