import type { Feature, StoredFeature } from '../runtime/feature.ts'
import type { RoutingOptions } from '../gateway/routing/route-options.ts'
import type { Provider } from '../gateway/provider.ts'
import type { StoresFor } from './memory-stores.ts'
import type { Blobs } from '../gateway/images/images.ts'
import type { MediaOptions } from '../gateway/messages/load-media.ts'
import type { Cache } from '../gateway/caching/cache-entries.ts'
import type { RateLimitOptions, RateLimiter } from '../runtime/quota/rate-limit.ts'
import type { BudgetOptions } from '../runtime/budgets/budget-options.ts'
import type { SecretKeys } from '../runtime/keyring.ts'
import type { RetentionPeriods } from '../runtime/retention.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Observer } from './observer.ts'

export interface FairleadOptions<Features extends readonly Feature[] = readonly Feature[]> {
  /** The first provider that has a model gets its calls. */
  readonly providers: readonly Provider[]
  /**
   * Features besides the gateway: `accounts()`, `shipments()`, `webhooks()`, `audit()`, and your own. Default: none, so that only the embedding
   * program can call operations.
   */
  readonly features?: Features | undefined
  /** Routes, aliases, timeouts, retries, circuits and concurrency. */
  readonly routing?: RoutingOptions | undefined
  /** How much an account may use in a short time, and how budgets are enforced. */
  readonly limits?: LimitOptions | undefined
  /** A `structured` text model for analyses that no provider's analyzer supports. Default: none. */
  readonly analysisModel?: string | undefined
  /** The stores of the gateway and of all features. Default: in memory. Required by a feature that has `tables`. */
  readonly stores?: NoInfer<StoresFor<Features>> | undefined
  /** The store of image files. Default: the latest 64 MB in memory. */
  readonly blobs?: Blobs | undefined
  /** How long images and records of usage are kept. */
  readonly retention?: RetentionPeriods | undefined
  /** The response cache of routes that enable caching. Default: no caching. */
  readonly cache?: Cache | undefined
  /** How images and files are loaded that messages have as URLs. Default: from public addresses only. */
  readonly media?: MediaOptions | undefined
  /** The public URL of the service, for the URLs of images. Default: none, so that these URLs begin with a slash. */
  readonly baseUrl?: string | undefined
  /**
   * Signs session tokens, and encrypts the secrets of webhooks and the stored responses of Idempotency-Keys. Must be the same on every node. Default: a
   * random key, so that these become invalid when the process ends.
   */
  readonly secretKeys?: SecretKeys | undefined
  /** Default: writes errors and warnings to the console. */
  readonly log?: Log | undefined
  /** Receives what happens, for metrics, traces, and access logs: one observer, or a list of them. Default: none. */
  readonly observer?: Observer | readonly Observer[] | undefined
  /** For tests: the time, and chance. */
  readonly testing?: TestingOptions | undefined
}

/** Makes `stores` required if a feature has tables that the stores in memory lack. */
export type WithStores<Features extends readonly Feature[]> = [Extract<Features[number], StoredFeature>] extends [never]
  ? unknown
  : { readonly stores: NoInfer<StoresFor<Features>> }

/** How much an account may use in a short time, and how budgets are enforced. */
export interface LimitOptions extends RateLimitOptions {
  /** Counts requests. Default: in memory, for this process only. */
  readonly rateLimiter?: RateLimiter | undefined
  /** How the budgets of API keys and users are enforced. */
  readonly budgets?: BudgetOptions | undefined
}

/** Sources of time and randomness that tests replace so that a core is the same in every run. */
export interface TestingOptions {
  /** Default: the system clock. */
  readonly clock?: Clock | undefined
  /** Returns a number from 0 to 1, for retry delays and weighted routing. Default: `Math.random`. */
  readonly random?: (() => number) | undefined
}
