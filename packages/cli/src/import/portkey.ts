import type { RouteOptions } from '@fairlead/core'
import { CommandError } from '../command-error.ts'
import type { Imported } from './imported.ts'
import { fieldOf, Notes } from './notes.ts'
import { type PortkeyTarget, portkeyFields } from './portkey-document.ts'
import { type PortkeyOptions, PortkeyProviders } from './portkey-providers.ts'
import { routeOf, scaled, stickyWeights, type WeightedTarget } from './targets.ts'

/** Targets that are tried together, by their weights, and then those of the next tier. */
type Tiers = readonly (readonly WeightedTarget[])[]

/** Translates a Portkey config into a route with the name of the model that clients send. */
export function fromPortkey(document: PortkeyTarget, options: PortkeyOptions & { readonly name: string }): Imported {
  const notes = new Notes()
  const providers = new PortkeyProviders(options, notes)
  const [first = [], ...rest] = tiersOf(document, '', { providers, notes })
  if (first.length === 0) {
    throw new CommandError(['Fairlead has no provider for any target:', ...notes.lines()].join('\n'))
  }
  if (rest.some((tier) => new Set(tier.map(({ weight }) => weight)).size > 1)) {
    notes.add('targets', 'weights among fallbacks are dropped: fallbacks are tried one after the other')
  }
  const weights = scaled(first.map(({ weight = 1 }) => weight))
  const weighted = first.map(({ model }, index) => ({ model, weight: weights[index] }))
  if (first.length > 1) notes.add('targets', stickyWeights)
  const timeouts = timeoutsOf(document, notes)
  const cache = cacheOf(document, notes)
  const route: RouteOptions = {
    ...routeOf(
      weighted,
      rest.flat().map(({ model }) => model),
    ),
    ...(timeouts && { timeouts }),
    ...(cache && { cache }),
  }
  const attempts = everyTarget(document).flatMap(({ retry }) => retry?.attempts ?? [])
  if (new Set(attempts).size > 1) notes.add('retry.attempts', 'differs between targets; the highest one counts for all')
  return {
    config: {
      providers: providers.list(),
      routes: { [options.name]: route },
      ...(attempts.length > 0 && { retries: { perTarget: Math.min(10, Math.max(0, ...attempts)) } }),
    },
    notes,
  }
}

interface Context {
  readonly providers: PortkeyProviders
  readonly notes: Notes
}

function tiersOf(target: PortkeyTarget, path: string, context: Context): Tiers {
  const { notes } = context
  noteTheRest(target, path, notes)
  if (!target.targets) {
    const model = context.providers.targetOf(target, path)
    return model === undefined ? [] : [[{ model, weight: target.weight ?? 1 }]]
  }
  const mode = target.strategy?.mode ?? 'single'
  const children = target.targets.map((child, index) => ({
    // Credentials and the model of a group are those of its targets.
    child: { ...inherited(target), ...child },
    path: fieldOf(path, `targets[${index}]`),
  }))
  if (mode === 'conditional')
    notes.add(fieldOf(path, 'strategy.conditions'), 'Fairlead chooses by the model alone; the default target is used')
  const chosen =
    mode === 'conditional'
      ? children.filter(
          ({ child }, index) =>
            (target.strategy?.['default'] ?? children[0]?.child.name) === child.name ||
            (target.strategy?.['default'] === undefined && index === 0),
        )
      : mode === 'single'
        ? children.slice(0, 1)
        : children
  const tiers = chosen.map(({ child, path: place }) => ({
    weight: child.weight ?? 1,
    tiers: tiersOf(child, place, context),
  }))
  if (mode !== 'loadbalance') return tiers.flatMap((each) => each.tiers)
  if (tiers.some((each) => each.tiers.length > 1)) {
    notes.add(fieldOf(path, 'targets'), 'fallbacks of one target of a load balancer become fallbacks of all of them')
  }
  const first = tiers.flatMap(({ weight, tiers: [tier = []] }) => {
    const total = tier.reduce((sum, each) => sum + (each.weight ?? 1), 0)
    return tier.map((each) => ({ ...each, weight: total > 0 ? (weight * (each.weight ?? 1)) / total : 0 }))
  })
  return [first, ...tiers.flatMap(({ tiers: [, ...others] }) => others)].filter((tier) => tier.length > 0)
}

function inherited({ provider, virtual_key, api_key, custom_host, override_params }: PortkeyTarget) {
  return Object.fromEntries(
    Object.entries({ provider, virtual_key, api_key, custom_host, override_params }).filter(([, value]) => value),
  )
}

const reasons: Readonly<Record<string, string>> = {
  input_guardrails: 'Fairlead has no guardrails',
  output_guardrails: 'Fairlead has no guardrails',
  before_request_hooks: 'Fairlead has no guardrails',
  after_request_hooks: 'Fairlead has no guardrails',
  metadata: 'Fairlead records no metadata of requests',
  api_version: 'Azure’s v1 API has no versions',
  azure_api_version: 'Azure’s v1 API has no versions',
  usage_limits: 'keys, users, and projects have budgets: docs/budgets.md',
  rate_limits: 'keys have limits of requests and tokens: docs/limits.md#limits-of-a-key',
  forward_headers: 'Fairlead forwards no headers of clients',
}

const byClass = 'Fairlead decides by the class of a failure: docs/routing.md'

function noteTheRest(target: PortkeyTarget, path: string, notes: Notes): void {
  for (const name of Object.keys(target).filter((each) => !portkeyFields.includes(each))) {
    notes.add(fieldOf(path, name), reasons[name] ?? 'Fairlead has no such setting')
  }
  for (const name of Object.keys(target.override_params ?? {}).filter((each) => each !== 'model')) {
    notes.add(fieldOf(path, `override_params.${name}`), 'Fairlead sends this setting only if a request has it')
  }
  if (target.strategy?.['on_status_codes']) notes.add(fieldOf(path, 'strategy.on_status_codes'), byClass)
  if (target.retry?.['on_status_codes']) notes.add(fieldOf(path, 'retry.on_status_codes'), byClass)
}

function everyTarget(target: PortkeyTarget): readonly PortkeyTarget[] {
  return [target, ...(target.targets ?? []).flatMap(everyTarget)]
}

function timeoutsOf(document: PortkeyTarget, notes: Notes): RouteOptions['timeouts'] {
  const values = everyTarget(document).flatMap(({ request_timeout: ms }) => ms ?? [])
  if (values.length === 0) return undefined
  if (new Set(values).size > 1) notes.add('request_timeout', 'differs between targets; the longest one counts')
  const attemptMs = Math.max(1, Math.round(Math.max(...values)))
  return { attemptMs, ...(attemptMs > 600_000 && { totalMs: attemptMs }) }
}

function cacheOf(document: PortkeyTarget, notes: Notes): RouteOptions['cache'] {
  const [cache] = everyTarget(document).flatMap((target) => target.cache ?? [])
  if (cache === undefined) return undefined
  const { mode, max_age: seconds } = typeof cache === 'string' ? { mode: cache, max_age: undefined } : cache
  if (mode === 'semantic') {
    notes.add('cache.mode', 'Fairlead has no semantic cache; only equal requests get a cached response')
  }
  notes.add('cache', 'accounts do not share cached responses')
  // Portkey keeps responses for seven days.
  return { ttlMs: Math.max(1, Math.round((seconds ?? 604_800) * 1_000)) }
}
