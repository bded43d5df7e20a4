import type { Feature } from './runtime/feature.ts'
import type { RoutingOptions } from './gateway/routing/route-options.ts'
import type { Provider } from './gateway/provider.ts'
import type { Stores } from './feature-stores.ts'
import type { Blobs } from './gateway/images.ts'
import type { Cache } from './gateway/caching/cache-entries.ts'
import type { RateLimitOptions, RateLimiter } from './runtime/rate-limit.ts'
import type { SecretKeys } from './runtime/keyring.ts'
import type { Clock } from './runtime/clock.ts'
import type { Log } from './runtime/log.ts'
import type { ProviderMeter } from './gateway/routing/targets.ts'

export interface FairleadOptions<Features extends readonly Feature[] = readonly Feature[]> extends RoutingOptions {
  /** The first provider that has a model id gets its calls. */
  readonly providers: readonly Provider[]
  /**
   * What the core has beside the models: `accounts()`, `shipments()`, and features of your own. Default: none, so that the
   * embedding program alone can call it.
   */
  readonly features?: Features | undefined
  /** The text model, one that is `structured`, that analyzes what no analyzer of a provider reads. Default: none. */
  readonly analysisModel?: string | undefined
  /** Where accounts, counters and usage are kept. Default: in memory. */
  readonly stores?: Stores | undefined
  /** Where images are kept. Default: in memory, the latest 64 MB. */
  readonly blobs?: Blobs | undefined
  /** Where answers are kept that a route lets be given again. Default: nowhere. */
  readonly cache?: Cache | undefined
  /** How many requests an account may send in a minute. Default: no limit. */
  readonly rateLimits?: RateLimitOptions | undefined
  /** Where requests are counted for `rateLimits`. Default: in memory, for this process alone. */
  readonly rateLimiter?: RateLimiter | undefined
  /** Where the outside reaches the service, for the addresses of images. Default: none, so that addresses begin with a slash. */
  readonly baseUrl?: string | undefined
  /**
   * What sessions are signed and kept outcomes sealed with, alike on every node. Default: a key that is gone with the
   * process, and with it all that it signed and sealed.
   */
  readonly secretKeys?: SecretKeys | undefined
  /** Default: the system's. */
  readonly clock?: Clock | undefined
  /** Default: errors go to standard error, and warnings nowhere. */
  readonly log?: Log | undefined
  /** Is told how providers answer. Default: nobody is. */
  readonly meter?: ProviderMeter | undefined
  /** From 0 to 1, for waits before retries and for draws by weight. Default: `Math.random`. */
  readonly random?: (() => number) | undefined
}
