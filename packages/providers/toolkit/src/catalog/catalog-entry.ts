import type { ImageModel, Pricing, TextModel } from '@fairlead/core/provider'

/** A model as its publisher describes it, with the sources. */
export interface CatalogEntry {
  readonly model: TextModel | ImageModel
  /** A price that the publisher has announced, and its first day. */
  readonly nextPricing?: { readonly from: Day; readonly pricing: Pricing }
  /** The prices of an image model that is billed by token. */
  readonly tokenPrices?: ImageTokenPrices
  /**
   * Whether it is an earlier model, which the publisher may retire at any time: it is listed only if the upstream lists it.
   * Default: false.
   */
  readonly earlier?: true
  /** The day of the last check. */
  readonly checked: Day
  /** The pages that state the facts. */
  readonly sources: readonly [string, ...string[]]
  /** The facts that the publisher's own pages do not confirm. Default: nothing. */
  readonly doubt?: string
}

/** US dollars per million tokens. */
export interface ImageTokenPrices {
  readonly input: number
  /** Text and thinking tokens beside the image. */
  readonly textOutput: number
  readonly imageOutput: number
}

/** A day in UTC: `2026-11-21`. */
export type Day = `${number}-${number}-${number}`

/** An entry as a publisher's file states it: the fields of the model among its own. */
export type CatalogRow = (TextModel | ImageModel) & Omit<CatalogEntry, 'model'>

/** Prices of text models that follow from their standard prices. */
export interface PriceRule {
  readonly ids: RegExp
  /** By the name that the API gives to a tier, a speed, or a region, as multiples of the standard price. */
  readonly tiers?: Readonly<Record<string, number>>
  /** The price of cache writes, as a multiple of the input price. */
  readonly cacheWrite?: number
  /** The price of cache writes that last an hour, as a multiple of the input price. */
  readonly longCacheWrite?: number
  /** The price of a search of the web. */
  readonly webSearch?: number
  /** The prices of prompts above a size in tokens, as multiples of the prices of shorter prompts. */
  readonly longPrompts?: { readonly above: number; readonly input: number; readonly output: number }
}

/**
 * The entries of a publisher.
 *
 * @param rules all that match a model apply, later ones first
 */
export function catalogEntries(rules: readonly PriceRule[], rows: readonly CatalogRow[]): readonly CatalogEntry[] {
  return rows.map(({ nextPricing, tokenPrices, earlier, checked, sources, doubt, ...model }) => {
    const found = rules.filter(({ ids }) => ids.test(model.id))
    const applies = found.length > 0 && model.type === 'text' && !model.embedding
    const priced = (pricing: Pricing) => (applies ? withRules(pricing, found) : pricing)
    return {
      model: model.pricing ? { ...model, pricing: priced(model.pricing) } : model,
      ...(nextPricing && { nextPricing: { ...nextPricing, pricing: priced(nextPricing.pricing) } }),
      ...(tokenPrices && { tokenPrices }),
      ...(earlier && { earlier }),
      checked,
      sources,
      ...(doubt !== undefined && { doubt }),
    }
  })
}

function withRules(standard: Pricing, rules: readonly PriceRule[]): Pricing {
  const {
    cacheWrite,
    longCacheWrite,
    webSearch,
    longPrompts: factors,
  }: Partial<PriceRule> = Object.assign({}, ...rules)
  const tiers: Readonly<Record<string, number>> = Object.assign({}, ...rules.map((rule) => rule.tiers))
  const withWrites = <Prices extends { readonly input: number }>(prices: Prices) => ({
    ...prices,
    ...(cacheWrite && { cacheWrite: rounded(prices.input * cacheWrite) }),
    ...(longCacheWrite && { longCacheWrite: rounded(prices.input * longCacheWrite) }),
  })
  const { input, output, cachedInput } = standard
  const longPrompts = factors
    ? {
        above: factors.above,
        input: rounded(input * factors.input),
        output: rounded(output * factors.output),
        ...(cachedInput !== undefined && { cachedInput: rounded(cachedInput * factors.input) }),
      }
    : standard.longPrompts
  return {
    ...withWrites(standard),
    ...(webSearch && { webSearch }),
    ...(longPrompts && { longPrompts: withWrites(longPrompts) }),
    ...(Object.keys(tiers).length > 0 && { tiers }),
  }
}

/** Without the errors of binary fractions. */
function rounded(price: number): number {
  return Math.round(price * 1e6) / 1e6
}
