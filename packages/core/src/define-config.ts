import type { Provider } from './gateway/provider.ts'
import type { FairleadOptions } from './fairlead-options.ts'

/** The contents of a `fairlead.config.ts`. */
export interface FairleadConfig extends Omit<FairleadOptions, keyof NotFromFile> {
  /** The first that has a model id gets its calls. Default: those that the environment switches on. */
  readonly providers?: readonly ProviderEntry[]
  readonly cache?: {
    /** How much is kept where no `REDIS_URL` is set. Default: 67,108,864. */
    readonly maxBytes?: number
  }
}

/** What the service brings itself. */
type NotFromFile = Pick<
  FairleadOptions,
  'providers' | 'cache' | 'rateLimiter' | 'stores' | 'blobs' | 'baseUrl' | 'secretKeys' | 'clock' | 'log' | 'random'
>

/** A built-in provider with all that its variables say, one with options, or one that is made already. */
export type ProviderEntry = string | ProviderUse | Provider

export interface ProviderUse {
  /** A built-in provider, such as `openai`, or the package of a plugin, such as `fairlead-provider-acme`. */
  readonly use: string
  /** What the provider is made with. `{ env: 'NAME' }` stands for the value of a variable. */
  readonly [option: string]: unknown
}

/** Gives a configuration its types. */
export function defineConfig(config: FairleadConfig): FairleadConfig {
  return config
}
