import * as z from 'zod'
import type { FairleadOptions } from './fairlead-options.ts'
import type { Reconfigurable } from '../gateway/configuration.ts'
import type { Cache } from '../gateway/caching/cache-entries.ts'
import { requireOptions } from '../runtime/schema/require-options.ts'
import { checkRoutes } from '../gateway/catalog/check-routes.ts'
import { listingIssues } from '../gateway/catalog/load-listing.ts'
import { type RoutingOptions, routingOptions } from '../gateway/routing/route-options.ts'
import type { Feature } from '../runtime/feature.ts'
import type { RuntimeStores } from '../runtime/stores/stores.ts'
import type { Provider } from '../gateway/provider.ts'
import { retentionPeriods } from '../runtime/retention.ts'
import { budgetOptions } from '../runtime/budgets/budget-options.ts'
import { rateLimitOptions } from '../runtime/quota/rate-limit.ts'
import { findIssues } from '../runtime/schema/validate.ts'
import type { Issue } from '../runtime/errors.ts'
import { maxTimerMs } from '../runtime/clock.ts'

const checkedOptions = z.object({
  routing: routingOptions.optional(),
  limits: rateLimitOptions
    .extend({ budgets: budgetOptions.optional(), rateLimiter: z.unknown().optional() })
    .optional(),
  testing: z.strictObject({ clock: z.unknown().optional(), random: z.unknown().optional() }).optional(),
  retention: retentionPeriods.optional(),
  baseUrl: z.string().optional(),
  secretKeys: z.object({ current: z.string(), previous: z.string().optional() }).optional(),
})

/** Every option of `createFairlead`: the keys of `FairleadOptions`, which a type can't list. */
const optionNames: Readonly<Record<keyof Required<FairleadOptions>, true>> = {
  providers: true,
  features: true,
  analysisModel: true,
  stores: true,
  blobs: true,
  retention: true,
  cache: true,
  media: true,
  baseUrl: true,
  secretKeys: true,
  log: true,
  observer: true,
  routing: true,
  limits: true,
  testing: true,
}

/** Throws a `TypeError` that names each option at fault and the fix. Programs without types call this too. */
export function checkOptions(options: FairleadOptions): void {
  requireOptions(options, Object.keys(optionNames), 'createFairlead({ providers: [local()] })')
  checkProviders(options.providers)
  checkFeatures(options.features, options.stores)
  for (const [name, methods] of Object.entries(methodsOf)) {
    requireMethods(name, options[name as keyof typeof methodsOf], methods)
  }
  checkRouting(options)
}

const reconfigurableNames: Readonly<Record<keyof Required<Reconfigurable>, true>> = {
  providers: true,
  analysisModel: true,
  routing: true,
}

/** The same for the options of `reconfigure`. @param cache the core's cache */
export function checkReconfigurable(options: Reconfigurable, cache: Cache | undefined): void {
  requireOptions(options, Object.keys(reconfigurableNames), 'reconfigure({ providers: [local()] })')
  checkProviders(options.providers)
  checkRouting({ ...options, cache })
}

function checkRouting(options: Omit<FairleadOptions, 'features'>): void {
  const { routing = {}, cache, providers, limits, testing, retention, baseUrl, secretKeys } = options
  const issues = findIssues(checkedOptions, { routing, limits, testing, retention, baseUrl, secretKeys })
  const all = issues.length > 0 ? issues : [...checkRoutes(routing, providers), ...checkCaches(routing, cache)]
  if (all.length > 0) throw new TypeError(all.map(inWords).join('\n'))
}

/** The methods by which an object that a program made is known. */
const methodsOf = {
  stores: ['transact', 'read'],
  blobs: ['put', 'get'],
  cache: ['get', 'set'],
  log: ['error', 'warn'],
} as const satisfies Partial<Record<keyof FairleadOptions, readonly string[]>>

function requireMethods(name: string, value: unknown, methods: readonly string[]): void {
  if (value === undefined) return
  requireMade(value, name)
  const missing = methods.find((method) => typeof (value as Record<string, unknown> | null)?.[method] !== 'function')
  if (missing !== undefined) throw new TypeError(`${name}: must have a method "${missing}"`)
}

function checkFeatures(features: unknown = [], stores: unknown): void {
  if (!Array.isArray(features)) throw new TypeError('features: must be an array, such as [accounts()]')
  for (const [index, feature] of features.entries()) {
    requireMade(feature, `features[${index}]`)
    if (typeof feature?.operations !== 'object') {
      throw new TypeError(`features[${index}] is not a feature: declare it with defineFeature`)
    }
    const { name, tables = [] } = feature as Feature
    if (tables.length > 0 && stores === undefined) {
      throw new TypeError(
        `stores: are required by the feature "${name}", whose tables (${tables.join(', ')}) are not in memory, such as await sqliteStores({ path, tables }) of @fairlead/storage`,
      )
    }
  }
}

/** Rejects with a `TypeError` for a feature whose tables the stores lack. */
export async function checkTables(stores: RuntimeStores, features: readonly Feature[]): Promise<void> {
  const stored = features.filter(({ tables = [] }) => tables.length > 0)
  if (stored.length === 0) return
  const present = await stores.read(async (view) => new Set(Object.keys(view)))
  for (const { name, tables = [] } of stored) {
    const missing = tables.find((table) => !present.has(table))
    if (missing === undefined) continue
    throw new TypeError(`stores: lack the table "${missing}" of the feature "${name}"; open them with its tables`)
  }
}

function checkCaches({ routes = {} }: RoutingOptions, cache: Cache | undefined): Issue[] {
  if (cache) return []
  const issue = 'needs a cache: give createFairlead one, such as memoryCache() of @fairlead/cache'
  const ids = Object.keys(routes).filter((id) => routes[id]?.cache)
  return ids.map((id) => ({ field: `routing.routes.${id}.cache`, issue }))
}

function requireMade(value: unknown, field: string): void {
  if (typeof value === 'function') throw new TypeError(`${field} is a function: call it`)
  if (value instanceof Promise) throw new TypeError(`${field} is a promise: await it`)
}

const providerId = /^[a-z0-9][a-z0-9.-]*$/

function checkProviders(providers: readonly Provider[] | undefined): void {
  if (providers === undefined) {
    throw new TypeError('providers: is required, such as [local()] of @fairlead/provider-local')
  }
  if (!Array.isArray(providers)) throw new TypeError('providers: must be an array: put the provider in brackets')
  const ids = new Set<string>()
  for (const [index, provider] of providers.entries()) {
    requireMade(provider, `providers[${index}]`)
    if (typeof provider !== 'object' || provider === null) throw new TypeError(`providers[${index}] is not a provider`)
    const { id, contract } = provider
    if (typeof id !== 'string' || !providerId.test(id)) {
      throw new TypeError(
        `providers[${index}].id: "${id}" is not a valid provider id: use lowercase letters, digits, dots and dashes`,
      )
    }
    if (ids.has(id)) {
      throw new TypeError(
        `providers[${index}]: another provider is called "${id}" too; give one of them an id of its own`,
      )
    }
    checkCapacities(provider)
    checkReadOn(provider)
    const faults = listingIssues(provider)
    if (faults.length > 0) {
      throw new TypeError(faults.map((fault) => `providers[${index}].${inWords(fault)}`).join('\n'))
    }
    if (contract !== 2) throw new TypeError(`the provider "${id}" is written to contract ${contract}, not 2`)
    ids.add(id)
  }
}

function checkCapacities({ id, capacities = [] }: Provider): void {
  for (const [index, { concurrency, queue = 0 }] of capacities.entries()) {
    const field = `the provider "${id}": capacities[${index}]`
    if (!Number.isInteger(concurrency) || concurrency < 1) {
      throw new TypeError(`${field}.concurrency must be an integer of at least 1`)
    }
    if (!Number.isInteger(queue) || queue < 0) throw new TypeError(`${field}.queue must be an integer of at least 0`)
  }
}

function checkReadOn({ id, readOn }: Provider): void {
  if (readOn === undefined || (Number.isInteger(readOn.maxMs) && readOn.maxMs >= 1 && readOn.maxMs <= maxTimerMs))
    return
  throw new TypeError(`the provider "${id}": readOn.maxMs must be an integer between 1 and ${maxTimerMs}`)
}

function inWords({ field, issue, suggestion }: Issue): string {
  const hint = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  return `${field ?? 'The options'}: ${issue}${hint}`
}
