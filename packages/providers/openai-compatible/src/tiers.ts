import type { TokenUsage } from '@fairlead/core/provider'

/** Values of `service_tier` that have the standard price. */
const standard: ReadonlySet<unknown> = new Set(['auto', 'default', 'standard', 'on_demand', 'scale'])

/**
 * The usage with the tier that answered, which decides the price.
 *
 * @param reported the tier of the reply
 * @param asked the tier of the request, which counts if the server reports none
 */
export function withTier(usage: TokenUsage | undefined, reported: unknown, asked: unknown): TokenUsage | undefined {
  const tier = typeof reported === 'string' ? reported : asked
  return usage === undefined || typeof tier !== 'string' || standard.has(tier) ? usage : { ...usage, tiers: [tier] }
}
