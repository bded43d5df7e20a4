import { z } from 'zod'
import { maxTimerMs } from '../../runtime/clock.ts'

/**
 * In which order the targets of a route are asked:
 * - `fallback`: as they stand
 * - `weighted`: each first as often as its weight says; an account keeps to its target while weights stay
 * - `fastest`: by what they took lately, those not measured lately now and then
 * - `cheapest`: by what the request will cost at most
 */
export const strategies = ['fallback', 'weighted', 'fastest', 'cheapest'] as const
export type Strategy = (typeof strategies)[number]

/** How long a call may take, in milliseconds. */
export interface Timeouts {
  /** Until the first piece of a stream. Default: 60,000. */
  readonly firstItemMs?: number | undefined
  /** Between two pieces of a stream. Default: 60,000. */
  readonly idleMs?: number | undefined
  /** In all, over every attempt; each attempt has its share of what is left. Default: 120,000. */
  readonly totalMs?: number | undefined
}

export interface TargetOptions {
  /** Written `provider/model`. */
  readonly model: string
  /** Its share of first questions under `weighted`; 0 is asked only where others fail. Default: 1. */
  readonly weight?: number | undefined
}

/** A target in its long form. */
export function toTargetOptions(target: string | TargetOptions): TargetOptions {
  return typeof target === 'string' ? { model: target } : target
}

export interface RouteOptions {
  /** One or more, all of one type; each `provider/model`. */
  readonly targets: readonly (string | TargetOptions)[]
  /** Default: `fallback`. */
  readonly strategy?: Strategy | undefined
  /** In place of those that hold for every call. */
  readonly timeouts?: Timeouts | undefined
  /** For how long an answer may be given to the same account again, in milliseconds. Default: not at all. */
  readonly cache?: { readonly ttlMs: number } | undefined
}

export interface RetryOptions {
  /** How often a target is asked again for one call. Default: 2. */
  readonly perTarget?: number | undefined
  /** How many calls in all may be such repetitions, as a share of all calls. Default: 0.1. */
  readonly budget?: number | undefined
}

export interface CircuitOptions {
  /** So many failures of a target in a row, and it is left alone for a while. Default: 5. */
  readonly failures?: number | undefined
  /** How long before one call tries it again, in milliseconds; after each trial that fails, twice as long, up to six times. Default: 10,000. */
  readonly openMs?: number | undefined
}

export interface ConcurrencyOptions {
  /** How many calls a target works on at once. Default: 1,000. */
  readonly perTarget?: number | undefined
  /** How many more may wait for a target. Default: 1,000. */
  readonly queue?: number | undefined
  /**
   * The largest share, above 0 and up to 1, that one account may hold of a target's places that no other account holds.
   * Below 1, the slow calls of one account always leave places for others. Default: 0.8.
   */
  readonly accountShare?: number | undefined
}

/** Where calls go, and how hard it is tried. */
export interface RoutingOptions {
  /** Models of your own making, by the id that callers name: each goes to one of its targets. Default: none. */
  readonly routes?: Readonly<Record<string, RouteOptions>> | undefined
  /** Retired model ids, each with the id that answers in its place, and a warning. Default: none. */
  readonly aliases?: Readonly<Record<string, string>> | undefined
  readonly timeouts?: Timeouts | undefined
  readonly retries?: RetryOptions | undefined
  readonly circuit?: CircuitOptions | undefined
  readonly concurrency?: ConcurrencyOptions | undefined
}

const fullId = z.string().regex(/^[^/]+\/./, { error: 'must be written as "provider/model"' })
const target = z.union(
  [fullId, z.strictObject({ model: fullId, weight: z.number().min(0).max(1_000_000).optional() })],
  { error: 'must be "provider/model" or { model: "provider/model", weight: a number from 0 }' },
)
const milliseconds = z.int().min(1).max(maxTimerMs)
const timeoutsSchema = z.strictObject({
  firstItemMs: milliseconds.optional(),
  idleMs: milliseconds.optional(),
  totalMs: milliseconds.optional(),
})
const modelId = z.string().min(1).max(200)
const byModelId: { readonly error: z.core.$ZodErrorMap } = {
  error: ({ code }) => (code === 'invalid_key' ? 'must have an id of 1 to 200 characters' : undefined),
}

/** The form of `RoutingOptions`. What they say of providers is checked against these. */
export const routingOptions = z.strictObject({
  routes: z
    .record(
      modelId,
      z.strictObject({
        targets: z.array(target).min(1, { error: 'must name at least one target' }),
        strategy: z.enum(strategies).optional(),
        timeouts: timeoutsSchema.optional(),
        cache: z.strictObject({ ttlMs: z.int().min(1) }).optional(),
      }),
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

const defaults: EveryTimeout = { firstItemMs: 60_000, idleMs: 60_000, totalMs: 120_000 }

/** Those that are told, over those that hold else. */
export function withTimeouts(told: Timeouts | undefined, others: EveryTimeout = defaults): EveryTimeout {
  if (!told) return others
  return {
    firstItemMs: told.firstItemMs ?? others.firstItemMs,
    idleMs: told.idleMs ?? others.idleMs,
    totalMs: told.totalMs ?? others.totalMs,
  }
}

/** How long a call may take on whichever route takes longest, in milliseconds. */
export function maxCallMs({ timeouts, routes = {} }: Pick<RoutingOptions, 'timeouts' | 'routes'>): number {
  const usual = withTimeouts(timeouts)
  return Math.max(usual.totalMs, ...Object.values(routes).map((route) => withTimeouts(route.timeouts, usual).totalMs))
}
