import { catalogEntries, type PriceRule } from '../catalog-entry.ts'

const pages = 'https://platform.claude.com/docs/en/models'
/** Tools are on the overview, images and their URLs in the guide to vision, reasoning in the guide to efforts. */
const guides = [
  'https://platform.claude.com/docs/en/models/overview',
  'https://platform.claude.com/docs/en/build-with-claude/vision',
  'https://platform.claude.com/docs/en/build-with-claude/effort',
] as const
const chat = { type: 'text', chat: true, tools: true, vision: true, urls: true, structured: true } as const
/** The pages state no maximum of stop sequences. */
const current = { ...chat, reasoning: true, maxStopSequences: 1_000, checked: '2026-11-22' } as const
const million = { ...current, contextSize: 1_000_000, maxTokens: 128_000 } as const

const secondHand = 'https://models.dev'
const anthropicPrices = 'https://platform.claude.com/docs/en/about-claude/pricing'
const earlier = { ...chat, earlier: true, checked: '2026-11-23' } as const
const earlierMillion = {
  ...earlier,
  description: 'Reasons before it answers; an earlier model.',
  reasoning: true,
  contextSize: 1_000_000,
  maxTokens: 128_000,
} as const
const fable = { ...earlierMillion, sources: [anthropicPrices, `${pages}/opus-5/overview`] } as const
const early = {
  ...earlier,
  description: 'Answers at once; an earlier model.',
  contextSize: 200_000,
  maxTokens: 64_000,
} as const
const opus = {
  pricing: { input: 5, output: 25, cachedInput: 0.5 },
  sources: [anthropicPrices, secondHand],
  doubt: "The limits are not confirmed on Anthropic's own pages.",
} as const
const sonnet = {
  pricing: { input: 3, output: 15, cachedInput: 0.3 },
  sources: [secondHand],
  doubt: "Not confirmed on Anthropic's own pages.",
} as const

/** Checked on 2026-11-22. */
const rules: readonly PriceRule[] = [
  // Cache writes are priced for five minutes, the default:
  // https://platform.claude.com/docs/en/build-with-claude/prompt-caching
  { ids: /^claude-/, cacheWrite: 1.25, longCacheWrite: 2 },
  // Not confirmed on Anthropic's own pages since the list above was checked.
  { ids: /^claude-/, webSearch: 0.01 },
  // https://platform.claude.com/docs/en/about-claude/pricing
  { ids: /^claude-(?!haiku-4|sonnet-4-5|opus-4-[15])/, tiers: { us: 1.1 } },
  // https://platform.claude.com/docs/en/build-with-claude/fast-mode
  { ids: /^claude-(fable-5-2|mythos-5-2|opus-5|opus-4-8)/, tiers: { fast: 2 } },
]

export const anthropic = catalogEntries(rules, [
  {
    ...million,
    id: 'claude-fable-5-2',
    name: 'Claude Fable 5.2',
    description: 'For demanding reasoning; thinks before every answer.',
    pricing: { input: 8, output: 40, cachedInput: 0.2 },
    sources: [
      ...guides,
      `${pages}/fable-5-2/migration-guide`,
      'https://github.com/archid21/rightsize/releases/tag/v0.10.2',
    ],
    doubt: "The prompt cache prices come from a third party, not confirmed on Anthropic's own price list.",
  },
  {
    ...million,
    id: 'claude-opus-5-5',
    name: 'Claude Opus 5.5',
    description: 'For long work with code and knowledge; thinks before every answer.',
    pricing: { input: 4, output: 20, cachedInput: 0.2 },
    sources: [`${pages}/opus-5-5/overview`, ...guides],
  },
  {
    ...million,
    id: 'claude-sonnet-5-5',
    name: 'Claude Sonnet 5.5',
    description: 'Quick and capable.',
    pricing: { input: 2, output: 10, cachedInput: 0.1 },
    sources: [`${pages}/sonnet-5-5/overview`, ...guides],
  },
  {
    ...million,
    id: 'claude-haiku-5-5',
    name: 'Claude Haiku 5.5',
    description: 'The quickest, for classifying, extracting and routing.',
    pricing: {
      input: 0.1,
      output: 0.5,
      cachedInput: 0.01,
      longPrompts: { above: 100_000, input: 0.5, output: 2.5, cachedInput: 0.05 },
    },
    sources: [`${pages}/haiku-5-5/overview`, ...guides],
  },
  {
    ...million,
    id: 'claude-opus-5',
    name: 'Claude Opus 5',
    description: 'For complex work with code; Opus 5.5 follows it.',
    pricing: { input: 5, output: 25, cachedInput: 0.5 },
    sources: [`${pages}/opus-5/overview`, ...guides],
  },
  {
    ...million,
    id: 'claude-sonnet-5',
    name: 'Claude Sonnet 5',
    description: 'Quick and capable; Sonnet 5.5 follows it.',
    pricing: { input: 2, output: 10, cachedInput: 0.2 },
    sources: [`${pages}/sonnet-5/overview`, ...guides],
  },
  {
    ...current,
    id: 'claude-haiku-4-5',
    name: 'Claude Haiku 4.5',
    description: 'Small and quick; takes a temperature, as later ones do not.',
    contextSize: 200_000,
    maxTokens: 64_000,
    pricing: { input: 1, output: 5, cachedInput: 0.1 },
    sources: [...guides, 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching'],
  },
  { ...fable, id: 'claude-fable-5-1', name: 'Claude Fable 5.1', pricing: { input: 10, output: 50, cachedInput: 0.25 } },
  { ...fable, id: 'claude-fable-5', name: 'Claude Fable 5', pricing: { input: 10, output: 50, cachedInput: 1 } },
  { ...earlierMillion, ...opus, id: 'claude-opus-4-8', name: 'Claude Opus 4.8' },
  { ...earlierMillion, ...opus, id: 'claude-opus-4-7', name: 'Claude Opus 4.7' },
  { ...earlierMillion, ...opus, id: 'claude-opus-4-6', name: 'Claude Opus 4.6' },
  { ...early, ...opus, id: 'claude-opus-4-5', name: 'Claude Opus 4.5' },
  { ...earlierMillion, ...sonnet, id: 'claude-sonnet-4-6', name: 'Claude Sonnet 4.6', maxTokens: 64_000 },
  { ...early, ...sonnet, id: 'claude-sonnet-4-5', name: 'Claude Sonnet 4.5' },
])
