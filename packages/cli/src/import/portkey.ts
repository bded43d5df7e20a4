import type { RouteOptions } from '@fairlead/core'
import { CommandError } from '../command-error.ts'
import { defined, milliseconds, noteLeftOut, own, toRetries, toTimeouts } from './fields.ts'
import type { Imported, Setting } from './imported.ts'
import { fieldPath, Notes } from './notes.ts'
import { portkeyFields, portkeyProviders, type PortkeyTarget } from './portkey-fields.ts'
import { notCopied, ProviderEntries, serverName, chooseServer, variableName } from './provider-entries.ts'
import { createRoute, scaled, stickyWeights, type WeightedTarget } from './targets.ts'

interface PortkeyOptions {
  /** Of the route. */
  readonly name: string
  /** The model that clients send, for targets that set none. */
  readonly model?: string | undefined
  /** Portkey's provider of each virtual key. */
  readonly virtualKeys: ReadonlyMap<string, string>
}

interface Context {
  readonly options: PortkeyOptions
  readonly providers: ProviderEntries
  readonly notes: Notes
}

/** Targets that are tried together, by their weights, and then the targets of the next tier. */
type Tiers = readonly (readonly WeightedTarget[])[]

/** Translates a Portkey config into a route with the name of the model that clients send. */
export function fromPortkey(document: PortkeyTarget, options: PortkeyOptions): Imported {
  const notes = new Notes()
  const providers = new ProviderEntries()
  const [first = [], ...rest] = readTiers(document, '', { options, providers, notes })
  if (first.length === 0) {
    throw new CommandError(['Fairlead has no provider for any target:', ...notes.lines()].join('\n'))
  }
  if (rest.some((tier) => new Set(tier.map(({ weight }) => weight)).size > 1)) {
    notes.add('targets', 'weights among fallbacks are dropped: fallbacks are tried one after the other')
  }
  const weights = scaled(first.map(({ weight = 1 }) => weight))
  if (first.length > 1) notes.add('targets', stickyWeights)
  const targets = everyTarget(document)
  const largest = (name: string, values: readonly number[], reason: string) => {
    if (new Set(values).size > 1) notes.add(name, reason)
    return values.length === 0 ? undefined : Math.max(...values)
  }
  const timeout = largest(
    'request_timeout',
    targets.flatMap((target) => target.request_timeout ?? []),
    'differs between targets; the longest one counts',
  )
  const route: RouteOptions = {
    ...createRoute(
      first.map(({ model }, index) => ({ model, weight: weights[index] })),
      rest.flat().map(({ model }) => model),
    ),
    ...defined({
      timeouts: toTimeouts(timeout === undefined ? undefined : timeout / 1_000),
      cache: readCacheOptions(targets, notes),
    }),
  }
  const attempts = largest(
    'retry.attempts',
    targets.flatMap(({ retry }) => retry?.attempts ?? []),
    'differs between targets; the highest one counts for all',
  )
  const config = {
    providers: providers.list(),
    routes: { [options.name]: route },
    ...defined({ retries: toRetries(attempts) }),
  }
  return { config, notes }
}

function readTiers(target: PortkeyTarget, path: string, context: Context): Tiers {
  const { notes } = context
  noteLeftOut(target, portkeyFields, path, notes)
  if (!target.targets) {
    const model = readPortkeyTarget(target, path, context)
    return model === undefined ? [] : [[{ model, weight: target.weight ?? 1 }]]
  }
  const { mode = 'single', default: chosenName } = target.strategy ?? {}
  if (mode === 'conditional')
    notes.add(fieldPath(path, 'strategy.conditions'), 'Fairlead chooses by the model alone; the default target is used')
  const { provider, virtual_key, api_key, custom_host, override_params } = target
  const groupSettings = Object.entries({ provider, virtual_key, api_key, custom_host, override_params })
  // The targets of a group inherit its credentials and its model.
  const inherited = Object.fromEntries(groupSettings.filter(([, value]) => value))
  const tiers = target.targets.flatMap((child, index) => {
    const isChosen = mode === 'conditional' && chosenName !== undefined ? child.name === chosenName : index === 0
    if (['single', 'conditional'].includes(mode) && !isChosen) return []
    const place = fieldPath(path, `targets[${index}]`)
    return [{ weight: child.weight ?? 1, tiers: readTiers({ ...inherited, ...child }, place, context) }]
  })
  if (mode !== 'loadbalance') return tiers.flatMap((each) => each.tiers)
  if (tiers.some((each) => each.tiers.length > 1)) {
    notes.add(fieldPath(path, 'targets'), 'fallbacks of one target of a load balancer become fallbacks of all of them')
  }
  const first = tiers.flatMap(({ weight, tiers: [tier = []] }) => {
    const total = tier.reduce((sum, each) => sum + (each.weight ?? 1), 0)
    return tier.map((each) => ({ ...each, weight: total > 0 ? (weight * (each.weight ?? 1)) / total : 0 }))
  })
  return [first, ...tiers.flatMap(({ tiers: [, ...others] }) => others)].filter((tier) => tier.length > 0)
}

function everyTarget(target: PortkeyTarget): readonly PortkeyTarget[] {
  return [target, ...(target.targets ?? []).flatMap(everyTarget)]
}

function readCacheOptions(targets: readonly PortkeyTarget[], notes: Notes): RouteOptions['cache'] {
  const [cache] = targets.flatMap((target) => target.cache ?? [])
  if (cache === undefined) return undefined
  const { mode, max_age: seconds } = typeof cache === 'string' ? { mode: cache, max_age: undefined } : cache
  if (mode === 'semantic') {
    notes.add('cache.mode', 'Fairlead has no semantic cache; only equal requests get a cached response')
  }
  notes.add('cache', 'accounts do not share cached responses')
  // Portkey keeps responses for seven days.
  return { ttlMs: milliseconds(seconds ?? 604_800)! }
}

/** The target as `provider/model`. Adds its provider. Undefined, with a note, if Fairlead has none for it. */
function readPortkeyTarget(target: PortkeyTarget, path: string, context: Context): string | undefined {
  const { providers, notes } = context
  const { slug, model } = readModel(target, path, context.options)
  const key = target.virtual_key ?? slug
  const { name, field } = readVendor(target, key, path, context)
  const vendor = own(portkeyProviders, name)
  if (!vendor) {
    notes.add(
      field,
      `Fairlead has no provider for "${name}"; the target is left out. The AI SDK may have one: docs/ai-sdk.md`,
    )
    return undefined
  }
  const given = vendor === 'azure' ? azureAddress(target, path, notes) : target.custom_host || undefined
  const { use, baseUrl } = chooseServer(vendor, given, fieldPath(path, 'custom_host'), notes)
  const id = use === 'openai-compatible' ? serverName(baseUrl!) : (key ?? use)
  const provider = providers.add({
    use,
    id,
    apiKey: readKey(target, key, id, vendor, path, context),
    baseUrl,
    models: use === 'azure' || use === 'openai-compatible' ? 'any' : undefined,
  })
  return `${provider}/${model}`
}

/** Newer configs write the provider into the model: `@openai-prod/gpt-4o`. */
function readModel(target: PortkeyTarget, path: string, options: PortkeyOptions) {
  const written = target.override_params?.model ?? target.azure_deployment_id ?? target.deployment_id ?? options.model
  if (!written) {
    throw new CommandError(
      `${fieldPath(path, 'override_params.model')} is missing: name the model that your clients send with --model gpt-4o`,
    )
  }
  const [, slug, model] = /^@([^/]+)\/(.+)$/.exec(written) ?? []
  if (model !== undefined) return { slug, model }
  return { slug: /^@(.+)$/.exec(target.provider ?? '')?.[1], model: written }
}

/** Portkey's name of the provider, and the field that says it. */
function readVendor(
  { provider, virtual_key: virtualKey }: PortkeyTarget,
  key: string | undefined | null,
  path: string,
  { options, notes }: Context,
): { readonly name: string; readonly field: string } {
  if (provider && !provider.startsWith('@')) return { name: provider, field: fieldPath(path, 'provider') }
  const field = fieldPath(path, virtualKey ? 'virtual_key' : provider ? 'provider' : 'override_params.model')
  if (!key) throw new CommandError(`${fieldPath(path, 'provider')} is missing: name the provider, such as "openai"`)
  const given = options.virtualKeys.get(key)
  if (given !== undefined) return { name: given, field }
  // The longest name first: `azure-openai` before `openai`.
  const names = Object.keys(portkeyProviders).toSorted((a, b) => b.length - a.length)
  const name = names.find((each) => key.toLowerCase().includes(each))
  if (name === undefined) {
    throw new CommandError(`${field} "${key}" does not say its provider: name it with --virtual-key ${key}=openai`)
  }
  notes.add(field, `"${key}" was taken for a key of ${name}; --virtual-key ${key}=… names another provider`)
  return { name, field }
}

function readKey(
  { api_key: secret }: PortkeyTarget,
  key: string | undefined | null,
  id: string,
  vendor: string,
  path: string,
  { providers, notes }: Context,
): Setting | undefined {
  if (key) {
    const env = variableName(id)
    notes.add(fieldPath(path, 'virtual_key'), `put the key behind "${key}" into the variable ${env}`)
    return { env }
  }
  if (!secret) return undefined
  const env = providers.variableFor(id, secret)
  notes.add(fieldPath(path, 'api_key'), notCopied(env))
  return vendor === 'ollama' ? undefined : { env }
}

function azureAddress(target: PortkeyTarget, path: string, notes: Notes): Setting {
  const resource = target.azure_resource_name ?? target.resource_name
  if (resource) return `https://${resource}.openai.azure.com`
  const env = 'AZURE_OPENAI_BASE_URL'
  notes.add(
    fieldPath(path, 'azure_resource_name'),
    `is missing: set ${env} to https://<resource>.openai.azure.com/openai/v1`,
  )
  return { env }
}
