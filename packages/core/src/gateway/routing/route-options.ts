import * as z from 'zod'
import { maxTimerMs } from '../../runtime/clock.ts'

/**
 * The order in which the targets of a route are tried:
 * - `fallback`: as listed
 * - `weighted`: in proportion to their weights; an account stays on its target
 * - `fastest`: by recent latency and calls in flight
 * - `cheapest`: by the maximum price of the request
 */
export const strategies = ['fallback', 'weighted', 'fastest', 'cheapest'] as const
export type Strategy = (typeof strategies)[number]

/**
 * Timeouts of a call, in milliseconds. They are the only time limits of a response: HTTP providers set none, and the
 * server keeps connections open for longer. A stream has no limit in total while its items arrive.
 */
export interface Timeouts {
  /** Until the first item or ping of a stream, at each target. Default: 120,000. */
  readonly firstItemMs?: number | undefined
  /** Between two items or pings of a stream. Default: 120,000. */
  readonly idleMs?: number | undefined
  /** Until the first item of a stream that has only had pings, as while a model thinks. Default: 3,600,000. */
  readonly thinkingMs?: number | undefined
  /** For a whole answer, over all attempts. No attempt begins later, of a stream neither. Default: 600,000. */
  readonly totalMs?: number | undefined
  /** For one attempt at a whole answer, so that a slow target leaves time for others. Default: all that remains. */
  readonly attemptMs?: number | undefined
}

export interface TargetOptions {
  /** As `provider/model`. */
  readonly model: string
  /** Weight with the strategy `weighted`. A target of weight 0 is called only if others fail. Default: 1. */
  readonly weight?: number | undefined
}

export function toTargetOptions(target: string | TargetOptions): TargetOptions {
  return typeof target === 'string' ? { model: target } : target
}

export interface RouteOptions {
  /** One or more models of the same type, each as `provider/model`. */
  readonly targets: readonly (string | TargetOptions)[]
  /** Default: `fallback`. */
  readonly strategy?: Strategy | undefined
  /** Default: the global timeouts. */
  readonly timeouts?: Timeouts | undefined
  /** How long responses are cached for the same account, in milliseconds. Default: not at all. */
  readonly cache?: { readonly ttlMs: number } | undefined
}

export interface RetryOptions {
  /** Maximum retries of one call on the same target. Default: 2. */
  readonly perTarget?: number | undefined
  /** Maximum retries as a share of all calls, from 0 to 1, plus ten. 0 turns retries off. Default: 0.1. */
  readonly budget?: number | undefined
}

export interface CircuitOptions {
  /** Failures of a target in a row that open its circuit. Default: 5. */
  readonly failures?: number | undefined
  /**
   * How long a circuit stays open before one call tries the target again, in milliseconds. Each failed trial doubles it, up
   * to six times the value. Default: 10,000.
   */
  readonly openMs?: number | undefined
}

export interface ConcurrencyOptions {
  /** Maximum concurrent calls to a target. Default: 10,000; the service lowers it to what its limit of open files allows. */
  readonly perTarget?: number | undefined
  /** Maximum calls that wait for a target. Default: 1,000. */
  readonly queue?: number | undefined
  /**
   * The share, above 0 and up to 1, of a target's slots not held by other accounts that one account can hold. Below 1, the
   * slow calls of one account always leave slots for others. Default: 0.8 for models whose provider declares a capacity;
   * otherwise 1, so that an account alone can use every slot.
   */
  readonly accountShare?: number | undefined
}

/** Routes, and the limits of calls to providers. */
export interface RoutingOptions {
  /** Models that are served by one of several targets, by their public id. Default: none. */
  readonly routes?: Readonly<Record<string, RouteOptions>> | undefined
  /**
   * Other ids of models, each with the id of the model or route that answers. An alias may have one `*`, such as `gpt-*`,
   * which stands for any characters: the first match counts, and ids that a provider lists or knows come before. Responses have a warning.
   * Default: none.
   */
  readonly aliases?: Readonly<Record<string, string>> | undefined
  readonly timeouts?: Timeouts | undefined
  readonly retries?: RetryOptions | undefined
  readonly circuit?: CircuitOptions | undefined
  readonly concurrency?: ConcurrencyOptions | undefined
}

const fullId = z.string().regex(/^[^/]+\/./, { error: 'must have the form "provider/model"' })
const target = z.union(
  [fullId, z.strictObject({ model: fullId, weight: z.number().min(0).max(1_000_000).optional() })],
  { error: 'must be "provider/model" or { model: "provider/model", weight: <number from 0> }' },
)
const milliseconds = z.int().min(1).max(maxTimerMs)
const timeoutsSchema = z.strictObject({
  firstItemMs: milliseconds.optional(),
  idleMs: milliseconds.optional(),
  thinkingMs: milliseconds.optional(),
  totalMs: milliseconds.optional(),
  attemptMs: milliseconds.optional(),
})
const modelId = z.string().min(1).max(200)
const byModelId: { readonly error: z.core.$ZodErrorMap } = {
  error: ({ code }) => (code === 'invalid_key' ? 'must have an id of 1 to 200 characters' : undefined),
}

/** The schema of `RoutingOptions`. Ids of providers and models are checked separately, against the providers. */
export const routingOptions = z.strictObject({
  routes: z
    .record(
      modelId,
      z.strictObject(
        {
          targets: z.array(target).min(1, { error: 'must have at least one target' }),
          strategy: z.enum(strategies).optional(),
          timeouts: timeoutsSchema.optional(),
          cache: z.strictObject({ ttlMs: z.int().min(1) }).optional(),
        },
        {
          error: ({ code }) =>
            code === 'invalid_type' ? 'must be an object, such as { targets: ["provider/model"] }' : undefined,
        },
      ),
      byModelId,
    )
    .optional(),
  aliases: z.record(modelId, modelId, byModelId).optional(),
  timeouts: timeoutsSchema.optional(),
  retries: z
    .strictObject({ perTarget: z.int().min(0).max(10).optional(), budget: z.number().min(0).max(1).optional() })
    .optional(),
  circuit: z.strictObject({ failures: z.int().min(1).optional(), openMs: milliseconds.optional() }).optional(),
  concurrency: z
    .strictObject({
      perTarget: z.int().min(1).optional(),
      queue: z.int().min(0).optional(),
      accountShare: z.number().gt(0).max(1).optional(),
    })
    .optional(),
}) satisfies z.ZodType<RoutingOptions>

export type EveryTimeout = { readonly [Name in keyof Timeouts]-?: NonNullable<Timeouts[Name]> }

export const defaultTimeouts: EveryTimeout = {
  firstItemMs: 120_000,
  idleMs: 120_000,
  thinkingMs: 3_600_000,
  totalMs: 600_000,
  attemptMs: Infinity,
}

/** The longest time for a whole answer on all routes, in milliseconds. */
export function maxCallMs({ timeouts, routes = {} }: Pick<RoutingOptions, 'timeouts' | 'routes'>): number {
  const totalMs = timeouts?.totalMs ?? defaultTimeouts.totalMs
  return Math.max(totalMs, ...Object.values(routes).map((route) => route.timeouts?.totalMs ?? totalMs))
}
