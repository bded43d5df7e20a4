import type { Model, Pricing } from '@fairlead/core/provider'
import type { CatalogueEntry, Day } from './catalogue-entry.ts'

/** What some models of a publisher cost in other tiers than the standard one. */
interface TierPrices {
  readonly ids: RegExp
  /** By the name that the API gives to a tier, a speed, or a region. */
  readonly tiers?: Readonly<Record<string, number>>
  /** The price of cache writes that last an hour, as a multiple of the input price. */
  readonly longCacheWrite?: number
  readonly checked: Day
  readonly sources: readonly [string, ...string[]]
}

const checked = '2026-11-22'
const openaiPages = ['https://openai.com/api-fast-mode', 'https://developers.openai.com/api/docs/pricing'] as const
const fastMode = 'https://platform.claude.com/docs/en/build-with-claude/fast-mode'

/** All that match a model apply, later ones first. */
const tierPrices: Readonly<Record<string, readonly TierPrices[]>> = {
  openai: [
    { ids: /^(gpt-[56]|o\d)/, tiers: { flex: 0.5, priority: 2, fast: 2 }, checked, sources: openaiPages },
    { ids: /^gpt-5\.5(-2|$)/, tiers: { priority: 2.5, fast: 2.5 }, checked, sources: openaiPages },
    { ids: /^gpt-4\.1/, tiers: { priority: 1.75, fast: 1.75 }, checked, sources: openaiPages },
    {
      ids: /^gpt-6-astra/,
      tiers: { ultrafast: 6 },
      checked,
      sources: ['https://vercel.com/changelog/openai-ultrafast-mode-now-available-on-ai-gateway'],
    },
  ],
  anthropic: [
    {
      ids: /^claude-/,
      longCacheWrite: 2,
      checked,
      sources: ['https://platform.claude.com/docs/en/build-with-claude/prompt-caching'],
    },
    {
      ids: /^claude-(?!haiku-4|sonnet-4-5|opus-4-[15])/,
      tiers: { us: 1.1 },
      checked,
      sources: ['https://platform.claude.com/docs/en/about-claude/pricing'],
    },
    { ids: /^claude-(fable-5-2|mythos-5-2|opus-5|opus-4-8)/, tiers: { fast: 2 }, checked, sources: [fastMode] },
  ],
  // The page gives 1.75 to 2 times for the priority tier, and no price of each model: the upper end.
  google: [
    {
      ids: /^gemini-/,
      tiers: { flex: 0.5, priority: 2 },
      checked,
      sources: ['https://ai.google.dev/gemini-api/docs/optimization'],
    },
  ],
}

/** Adds the prices of tiers to the models of a publisher, so that their entries state only standard prices. */
export function withTierPrices(
  publisher: keyof typeof tierPrices,
  entries: readonly CatalogueEntry[],
): readonly CatalogueEntry[] {
  return entries.map((entry) => {
    const { model, nextPricing } = entry
    const pricing = pricingOf(publisher, model, model.pricing)
    const next = nextPricing && pricingOf(publisher, model, nextPricing.pricing)
    if (pricing === model.pricing) return entry
    return {
      ...entry,
      model: { ...model, ...(pricing && { pricing }) },
      ...(nextPricing && next && { nextPricing: { ...nextPricing, pricing: next } }),
    }
  })
}

function pricingOf(publisher: string, model: Model, pricing: Pricing | undefined): Pricing | undefined {
  const found = (tierPrices[publisher] ?? []).filter(({ ids }) => ids.test(model.id))
  if (!pricing || model.type !== 'text' || model.embedding || found.length === 0) return pricing
  const { longPrompts } = pricing
  const factor = found.find(({ longCacheWrite }) => longCacheWrite !== undefined)?.longCacheWrite
  const long = (input: number) => (factor === undefined ? {} : { longCacheWrite: rounded(input * factor) })
  const tiers = Object.assign({}, ...found.map((each) => each.tiers)) as Readonly<Record<string, number>>
  return {
    ...pricing,
    ...long(pricing.input),
    ...(longPrompts && { longPrompts: { ...longPrompts, ...long(longPrompts.input) } }),
    ...(Object.keys(tiers).length > 0 && { tiers }),
  }
}

/** Without the errors of binary fractions. */
function rounded(price: number): number {
  return Math.round(price * 1e6) / 1e6
}
