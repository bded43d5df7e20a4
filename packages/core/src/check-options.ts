import { checkRoutes } from './gateway/catalog/check-routes.ts'
import { type RoutingOptions, routingOptions } from './gateway/routing/route-options.ts'
import type { Provider } from './gateway/provider.ts'
import { type RateLimitOptions, rateLimitOptions } from './runtime/rate-limit.ts'
import { issuesOf } from './runtime/validate.ts'
import type { Issue } from './runtime/errors.ts'

interface CheckedOptions extends RoutingOptions {
  readonly rateLimits?: RateLimitOptions | undefined
}

const checkedOptions = routingOptions.extend({ rateLimits: rateLimitOptions.optional() })

/** Refuses, with a `TypeError` that names each fault and its mend, what no house can be built of. */
export function checkOptions(providers: readonly Provider[], options: CheckedOptions, hasCache: boolean): void {
  checkProviders(providers)
  const issues = issuesOf(checkedOptions, options)
  const all = issues.length > 0 ? issues : [...checkRoutes(options, providers), ...checkCaches(options, hasCache)]
  if (all.length > 0) throw new TypeError(all.map(inWords).join('\n'))
}

function checkCaches({ routes = {} }: RoutingOptions, hasCache: boolean): Issue[] {
  if (hasCache) return []
  const issue = 'there is no cache: give createFairlead one, such as memoryCache() of @fairlead/cache'
  const ids = Object.keys(routes).filter((id) => routes[id]?.cache)
  return ids.map((id) => ({ field: `routes.${id}.cache`, issue }))
}

const providerId = /^[a-z0-9][a-z0-9.-]*$/

function checkProviders(providers: readonly Provider[]): void {
  const ids = new Set<string>()
  for (const [index, provider] of providers.entries()) {
    refuseFactory(provider, index)
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
    if (contract !== 1) throw new TypeError(`the provider "${id}" is written to contract ${contract}, not 1`)
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

/** Programs without types call this too. */
function refuseFactory(provider: unknown, index: number): void {
  if (typeof provider === 'function') throw new TypeError(`providers[${index}] is a function: call it`)
  if (typeof provider !== 'object' || provider === null) throw new TypeError(`providers[${index}] is no provider`)
}

function inWords({ field, issue, suggestion }: Issue): string {
  const mend = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  return `${field ?? 'The options'}: ${issue}${mend}`
}
