import type { Provider } from '@fairlead/core/provider'
import type { UserDefaults } from '@fairlead/accounts'
import type { FairleadOptions, LimitOptions, RateLimitOptions, RoutingOptions } from '@fairlead/core'
import type { WebhookLimits } from '@fairlead/webhooks'

/** The default export of a `fairlead.config.ts`. */
export interface FairleadConfig
  extends
    RoutingOptions,
    Pick<FairleadOptions, 'analysisModel' | 'features' | 'observer'>,
    Pick<LimitOptions, 'budgets'> {
  /** The first provider that has a model gets its calls. Default: the providers enabled by environment variables. */
  readonly providers?: readonly ProviderEntry[]
  readonly cache?: {
    /** Maximum size of the cache in bytes, if `REDIS_URL` is not set. Default: 67,108,864. */
    readonly maxBytes?: number
  }
  /** Maximum requests and changes per minute of an account. Default: no limit of requests. */
  readonly rateLimits?: RateLimitOptions
  /** The budget and the models of new users, until an admin changes them. Default: no limits. */
  readonly defaults?: UserDefaults
  /** Bounds of stored events, pending deliveries, and requests to one host. */
  readonly webhooks?: WebhookLimits
}

/** The name of a built-in provider that is configured by environment variables, a provider with options, or a provider object. */
export type ProviderEntry = string | ProviderUse | Provider

export interface ProviderUse {
  /** The name of a built-in provider, such as `openai`, or of a plugin package, such as `fairlead-provider-acme`. */
  readonly use: string
  /** The options of the provider. `{ env: 'NAME' }` is replaced by the value of the environment variable. */
  readonly [option: string]: unknown
}

/** Returns the configuration unchanged, with type checking. */
export function defineConfig(config: FairleadConfig): FairleadConfig {
  return config
}
