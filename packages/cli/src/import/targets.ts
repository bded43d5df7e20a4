import type { RouteOptions } from '@fairlead/core'

export interface WeightedTarget {
  /** As `provider/model`. */
  readonly model: string
  readonly weight?: number | undefined
}

/** How weights differ from weights in other gateways. */
export const stickyWeights =
  'weights choose a target for each account, not for each request: a single account uses one target until it fails'

/**
 * A route that calls the first targets by the strategy, and the fallbacks only after all of them failed: with weights, a
 * fallback has the weight 0.
 */
export function createRoute(
  first: readonly WeightedTarget[],
  fallbacks: readonly string[] = [],
  strategy: RouteOptions['strategy'] = 'weighted',
): Pick<RouteOptions, 'targets' | 'strategy'> {
  const own = merged(first)
  const others = [...new Set(fallbacks)].filter((model) => own.every((target) => target.model !== model))
  if (own.length === 1 || strategy === 'fallback') return { targets: [...own.map(({ model }) => model), ...others] }
  if (strategy !== 'weighted') return { strategy, targets: [...own.map(({ model }) => model), ...others] }
  const targets = own.map(({ model, weight = 1 }) => (weight === 1 ? model : { model, weight }))
  return { strategy, targets: [...targets, ...others.map((model) => ({ model, weight: 0 }))] }
}

/** Adds the weights of targets that are the same. */
function merged(targets: readonly WeightedTarget[]): readonly WeightedTarget[] {
  const weights = new Map<string, number>()
  for (const { model, weight = 1 } of targets) weights.set(model, (weights.get(model) ?? 0) + weight)
  return [...weights].map(([model, weight]) => ({ model, weight }))
}

const maxWeight = 1_000_000

/** The same proportions in small whole numbers: 6 and 12 become 1 and 2, 0.9 and 0.1 become 9 and 1. */
export function scaled(weights: readonly number[]): readonly number[] {
  const largest = Math.max(...weights, 0)
  if (largest === 0) return weights.map(() => 1)
  const isWhole = largest <= maxWeight && weights.every(Number.isInteger)
  const factor = largest <= 100 ? 10_000 : maxWeight / largest
  const whole = isWhole ? weights : weights.map((weight) => Math.round(weight * factor))
  const divisor = whole.reduce(commonDivisor)
  return whole.map((weight) => weight / divisor)
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}
