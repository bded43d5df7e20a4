import type { AnswerUsage } from './messages/answer.ts'
import type { Issue } from '../runtime/errors.ts'
import type { ImageModel, Model, Prices, Pricing, TextModel } from './model.ts'
import type { ImageRequest } from './provider.ts'

/** A cost in US dollars, with warnings for the client. */
export interface Cost {
  readonly costUsd: number
  readonly warnings: readonly Issue[]
}

const tokensPerPrice = 1_000_000
/** An average of English text. */
const charactersPerToken = 4
/** Costs are rounded to a millionth of a cent, to hide the errors of binary fractions. */
const precision = 1e8

/** @param length in characters */
export function estimateTokens(length: number): number {
  return Math.ceil(length / charactersPerToken)
}

/** The usage of two calls. */
export function totalUsage(one: AnswerUsage, other: AnswerUsage): AnswerUsage {
  const total = (field: keyof Omit<AnswerUsage, 'tiers' | 'native'>) => (one[field] ?? 0) + (other[field] ?? 0)
  const counted = (['reasoningTokens', 'cachedPromptTokens', 'cacheWriteTokens', 'webSearches'] as const).filter(
    (field) => one[field] !== undefined || other[field] !== undefined,
  )
  return {
    promptTokens: total('promptTokens'),
    completionTokens: total('completionTokens'),
    ...Object.fromEntries(counted.map((field) => [field, total(field)])),
  }
}

/** The token counts in the usage record of a call. */
export function recordedTokens({
  cacheWriteTokens: _written,
  longCacheWriteTokens: _long,
  webSearches: _searches,
  tiers: _tiers,
  native: _native,
  ...counts
}: AnswerUsage) {
  return counts
}

export function textCost(model: TextModel, usage: AnswerUsage): Cost {
  const { pricing } = model
  if (!pricing) return unknownCost(model)
  const { longPrompts } = pricing
  const prices = longPrompts && usage.promptTokens > longPrompts.above ? longPrompts : pricing
  const costUsd = tokenCost(prices, usage)
  const cost = usage.tiers ? tierCost(model, costUsd, usage.tiers) : { costUsd: rounded(costUsd), warnings: [] }
  return usage.webSearches ? withSearches(model, cost, usage.webSearches) : cost
}

/** Tiers do not change the price of a search. */
function withSearches({ id, pricing }: TextModel, { costUsd, warnings }: Cost, count: number): Cost {
  const price = pricing?.webSearch
  if (price !== undefined) return { costUsd: rounded(costUsd + price * count), warnings }
  const issue = `the price of a web search with "${id}" is unknown: it counts as 0`
  return { costUsd, warnings: [...warnings, { field: null, issue }] }
}

/** The cost in the tiers that answered, whose factors multiply. */
function tierCost({ id, pricing }: TextModel, standardUsd: number, names: readonly string[]): Cost {
  const { tiers = {} } = pricing ?? {}
  const factorOf = (name: string) => (Object.hasOwn(tiers, name) ? tiers[name] : undefined)
  const unknown = names.filter((name) => factorOf(name) === undefined)
  return {
    costUsd: rounded(names.reduce((cost, name) => cost * (factorOf(name) ?? 1), standardUsd)),
    warnings: unknown.map((name) => ({
      field: null,
      issue: `the price of the tier "${name}" of "${id}" is unknown: it counts as the standard price`,
    })),
  }
}

/** The parameters that the price of an image depends on. */
export type ImageKind = Pick<ImageRequest, 'width' | 'height' | 'quality' | 'qualityLevel'>

/**
 * The cost of images: as the provider reports it, otherwise by the model's prices.
 *
 * @param kind default: one of the usual price
 */
export function imageCost(
  model: ImageModel,
  { costUsd, promptTokens = 0 }: { readonly costUsd?: number | undefined; readonly promptTokens?: number | undefined },
  count = 1,
  kind?: ImageKind,
): Cost {
  const { pricing } = model
  if (costUsd !== undefined) return { costUsd: rounded(costUsd), warnings: [] }
  if (!pricing) return unknownCost(model)
  const { usd, warnings } = kind && pricing.images ? imagePrice(model, pricing.images, kind) : usualImage(pricing)
  return { costUsd: rounded((promptTokens * pricing.input) / tokensPerPrice + usd * count), warnings }
}

function usualImage({ output }: Prices) {
  return { usd: output, warnings: [] }
}

/** The price by quality and size. One that is not known counts as the highest that may apply, with a warning. */
function imagePrice({ id }: ImageModel, prices: NonNullable<Pricing['images']>, kind: ImageKind) {
  const { width, height, quality, qualityLevel } = kind
  const size = `${width}x${height}`
  const level = qualityLevel ?? (quality === 'hd' ? 'high' : 'medium')
  const bySize = prices[level] ?? prices[quality]
  const usd = qualityLevel === 'auto' ? undefined : bySize?.[size]
  if (usd !== undefined) return { usd, warnings: [] }
  const ofSize = Object.values(prices).flatMap((each) => each[size] ?? [])
  const all = Object.values(prices).flatMap((each) => Object.values(each))
  const issue = `the price of "${id}" for quality "${level}" and size ${size} is unknown: it counts as the highest that is known`
  return { usd: Math.max(0, ...(ofSize.length > 0 ? ofSize : all)), warnings: [{ field: null, issue }] }
}

/** The total of several costs. Equal warnings are listed once. */
export function totalCost(costs: readonly Cost[]): Cost {
  const warnings = new Map(costs.flatMap((cost) => cost.warnings.map((warning) => [warning.issue, warning])))
  return { costUsd: rounded(costs.reduce((sum, { costUsd }) => sum + costUsd, 0)), warnings: [...warnings.values()] }
}

function tokenCost(
  { input, output, cachedInput = input, cacheWrite = input, longCacheWrite = cacheWrite }: Prices,
  {
    promptTokens,
    completionTokens,
    cachedPromptTokens = 0,
    cacheWriteTokens = 0,
    longCacheWriteTokens = 0,
  }: AnswerUsage,
): number {
  const cached = Math.min(cachedPromptTokens, promptTokens)
  const written = Math.min(cacheWriteTokens, promptTokens - cached)
  const long = Math.min(longCacheWriteTokens, written)
  const writing = (written - long) * cacheWrite + long * longCacheWrite
  const prompt = (promptTokens - cached - written) * input + cached * cachedInput + writing
  return (prompt + completionTokens * output) / tokensPerPrice
}

function unknownCost({ id }: Model): Cost {
  return { costUsd: 0, warnings: [{ field: null, issue: `the price of "${id}" is unknown: its cost counts as 0` }] }
}

function rounded(usd: number): number {
  return Math.round(usd * precision) / precision
}
