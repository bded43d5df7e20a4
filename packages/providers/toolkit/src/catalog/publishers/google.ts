import { catalogEntries, type PriceRule } from '../catalog-entry.ts'

const checked = '2026-11-21'
const rechecked = '2026-11-22'
const prices = 'https://ai.google.dev/gemini-api/docs/pricing'
const imageGuide = 'https://ai.google.dev/gemini-api/docs/image-generation'
const gemini = {
  type: 'text',
  contextSize: 1_048_576,
  maxTokens: 65_536,
  chat: true,
  tools: true,
  vision: true,
  structured: true,
  reasoning: true,
  checked,
} as const
const earlier = {
  ...gemini,
  description: 'Thinks before it answers; an earlier model.',
  earlier: true,
  checked: '2026-11-23',
  sources: ['https://models.dev'],
  doubt: "Not confirmed on Google's own pages. Audio input costs more.",
} as const
/** The sizes of 1K images, from 1:1 to 21:9. */
const oneMegapixel = [
  '1024x1024',
  '1264x848',
  '848x1264',
  '1200x896',
  '896x1200',
  '1152x928',
  '928x1152',
  '1376x768',
  '768x1376',
  '1584x672',
] as const
const fourMegapixels =
  '2048x2048 2528x1696 1696x2528 2400x1792 1792x2400 2304x1856 1856x2304 2752x1536 1536x2752 3168x1344'.split(' ')
const image = { type: 'image', maxTokens: 65_536, sizes: oneMegapixel, checked } as const
const embedding = {
  type: 'text',
  embedding: { dimensions: 3_072, minDimensions: 128, maxTexts: 100 },
  checked: rechecked,
} as const

const rules: readonly PriceRule[] = [
  // The page gives 1.75 to 2 times for the priority tier, and no price of each model: the upper end. Checked on 2026-11-22.
  // https://ai.google.dev/gemini-api/docs/optimization
  { ids: /^gemini-/, tiers: { flex: 0.5, priority: 2 } },
  // By query since Gemini 3, by answer before. Second-hand: https://discuss.ai.google.dev/t/142326 and release notes of
  // token counters; not confirmed on Google's own page, nor for Gemini 4.
  { ids: /^gemini-/, webSearch: 0.014 },
  { ids: /^gemini-2/, webSearch: 0.035 },
  { ids: /-pro\b/, longPrompts: { above: 200_000, input: 2, output: 1.5 } },
]

export const google = catalogEntries(rules, [
  {
    ...gemini,
    id: 'gemini-4-argon',
    name: 'Gemini 4 Argon',
    description: 'For deep work on complex tasks; thinks before every answer.',
    maxTokens: 32_768,
    pricing: { input: 2, output: 10, cachedInput: 0.1 },
    nextPricing: { from: '2026-12-01', pricing: { input: 4, output: 20, cachedInput: 0.2 } },
    sources: ['https://github.com/BerriAI/litellm/discussions/46238', 'https://www.npmjs.com/package/@ai-sdk/google'],
    doubt: 'Prices come from third parties. A response has at most 32,768 tokens, or 65,536 if it is streamed.',
  },
  {
    ...gemini,
    id: 'gemini-3.8-flash',
    name: 'Gemini 3.8 Flash',
    description: 'Quick and capable; thinks before it answers.',
    pricing: { input: 0.75, output: 3.75, cachedInput: 0.075 },
    nextPricing: { from: '2027-01-01', pricing: { input: 1.5, output: 7.5, cachedInput: 0.15 } },
    sources: [prices, 'https://ai.google.dev/gemini-api/docs/models/gemini-3.8-flash'],
  },
  {
    ...gemini,
    id: 'gemini-3.5-flash',
    name: 'Gemini 3.5 Flash',
    description: 'Quick and capable; 3.8 follows it at a lower price.',
    pricing: { input: 1.5, output: 9, cachedInput: 0.15 },
    sources: [prices],
  },
  {
    ...gemini,
    id: 'gemini-3.5-flash-lite',
    name: 'Gemini 3.5 Flash-Lite',
    description: 'The quickest of its family, for many small requests.',
    pricing: { input: 0.3, output: 2.5, cachedInput: 0.03 },
    sources: [prices, 'https://ai.google.dev/gemini-api/docs/latest-model'],
  },
  {
    ...gemini,
    id: 'gemini-3.1-pro-preview',
    name: 'Gemini 3.1 Pro Preview',
    description: 'For hard reasoning; a preview.',
    pricing: { input: 2, output: 12, cachedInput: 0.2 },
    sources: [prices],
  },
  {
    ...gemini,
    id: 'gemini-2.5-flash',
    name: 'Gemini 2.5 Flash',
    description: 'Of an earlier generation; can answer without thinking.',
    pricing: { input: 0.3, output: 2.5, cachedInput: 0.03 },
    checked: rechecked,
    sources: [
      prices,
      'https://dev.to/aideprecations/what-to-do-before-gemini-25-pro-and-25-flash-are-retired-on-december-1-2026-5gg9',
    ],
    doubt: 'According to third parties, Google replaces it with Gemini 3.5 Flash-Lite on December 1, 2026.',
  },
  {
    ...image,
    id: 'gemini-nano-banana-2.1',
    name: 'Nano Banana 2.1',
    description: 'Draws what is asked for, words included.',
    pricing: { input: 1.5, output: 0.0336 },
    tokenPrices: { input: 1.5, textOutput: 7.5, imageOutput: 30 },
    sources: ['https://github.com/BerriAI/litellm/discussions/44983', imageGuide],
    doubt: 'Prices come from third parties; the prompt limit is that of its predecessors.',
  },
  {
    ...image,
    id: 'gemini-3-pro-image',
    name: 'Nano Banana Pro',
    description: 'Draws with more care, up to four megapixels here.',
    sizes: [...oneMegapixel, ...fourMegapixels],
    pricing: { input: 2, output: 0.1344 },
    tokenPrices: { input: 2, textOutput: 12, imageOutput: 120 },
    sources: [
      prices,
      imageGuide,
      'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/3-pro-image',
    ],
  },
  {
    ...image,
    id: 'gemini-3.1-flash-lite-image',
    name: 'Nano Banana 2 Lite',
    description: 'Draws quickly, at one megapixel.',
    pricing: { input: 0.25, output: 0.0336 },
    tokenPrices: { input: 0.25, textOutput: 1.5, imageOutput: 30 },
    sources: ['https://ai.google.dev/gemini-api/docs/changelog', imageGuide],
    doubt: 'Prices come from third parties; the prompt limit is that of its model family.',
  },
  {
    ...embedding,
    id: 'gemini-embedding-2',
    name: 'Gemini Embedding 2',
    description: 'Embeds texts in over 100 languages.',
    maxTokens: 8_192,
    pricing: { input: 0.2, output: 0 },
    sources: [
      'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/embedding-2',
      'https://tokencost.app/blog/gemini-embedding-2-pricing',
    ],
    doubt: 'The price comes from third parties.',
  },
  {
    ...embedding,
    id: 'gemini-embedding-001',
    name: 'Gemini Embedding',
    description: 'Embeds short texts; Gemini Embedding 2 follows it.',
    maxTokens: 2_048,
    pricing: { input: 0.15, output: 0 },
    sources: ['https://developers.googleblog.com/en/gemini-embedding-available-gemini-api/', prices],
  },
  {
    ...earlier,
    id: 'gemini-3.1-flash-lite',
    name: 'Gemini 3.1 Flash-Lite',
    pricing: { input: 0.25, output: 1.5, cachedInput: 0.025 },
  },
  {
    ...earlier,
    id: 'gemini-3-flash-preview',
    name: 'Gemini 3 Flash Preview',
    pricing: { input: 0.5, output: 3, cachedInput: 0.05 },
  },
  {
    ...earlier,
    id: 'gemini-2.5-pro',
    name: 'Gemini 2.5 Pro',
    pricing: { input: 1.25, output: 10, cachedInput: 0.125 },
  },
  {
    ...earlier,
    id: 'gemini-2.5-flash-lite',
    name: 'Gemini 2.5 Flash-Lite',
    pricing: { input: 0.1, output: 0.4, cachedInput: 0.01 },
  },
])
