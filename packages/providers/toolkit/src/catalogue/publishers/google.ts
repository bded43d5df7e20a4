import type { CatalogueEntry } from '../catalogue-entry.ts'

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
const fourMegapixels = [
  '2048x2048',
  '2528x1696',
  '1696x2528',
  '2400x1792',
  '1792x2400',
  '2304x1856',
  '1856x2304',
  '2752x1536',
  '1536x2752',
  '3168x1344',
] as const

export const googleEntries: readonly CatalogueEntry[] = [
  {
    model: {
      ...gemini,
      id: 'gemini-4-argon',
      name: 'Gemini 4 Argon',
      description: 'For deep work on complex tasks; thinks before every answer.',
      maxTokens: 32_768,
      pricing: { input: 2, output: 10, cachedInput: 0.1 },
    },
    nextPricing: { from: '2026-12-01', pricing: { input: 4, output: 20, cachedInput: 0.2 } },
    checked,
    sources: ['https://github.com/BerriAI/litellm/discussions/46238', 'https://www.npmjs.com/package/@ai-sdk/google'],
    doubt: 'Prices come from third parties. A response has at most 32,768 tokens, or 65,536 if it is streamed.',
  },
  {
    model: {
      ...gemini,
      id: 'gemini-3.8-flash',
      name: 'Gemini 3.8 Flash',
      description: 'Quick and capable; thinks before it answers.',
      pricing: { input: 0.75, output: 3.75, cachedInput: 0.075 },
    },
    nextPricing: { from: '2027-01-01', pricing: { input: 1.5, output: 7.5, cachedInput: 0.15 } },
    checked,
    sources: [prices, 'https://ai.google.dev/gemini-api/docs/models/gemini-3.8-flash'],
  },
  {
    model: {
      ...gemini,
      id: 'gemini-3.5-flash',
      name: 'Gemini 3.5 Flash',
      description: 'Quick and capable; 3.8 follows it at a lower price.',
      pricing: { input: 1.5, output: 9, cachedInput: 0.15 },
    },
    checked,
    sources: [prices],
  },
  {
    model: {
      ...gemini,
      id: 'gemini-3.5-flash-lite',
      name: 'Gemini 3.5 Flash-Lite',
      description: 'The quickest of its family, for many small requests.',
      pricing: { input: 0.3, output: 2.5, cachedInput: 0.03 },
    },
    checked,
    sources: [prices, 'https://ai.google.dev/gemini-api/docs/latest-model'],
  },
  {
    model: {
      ...gemini,
      id: 'gemini-3.1-pro-preview',
      name: 'Gemini 3.1 Pro Preview',
      description: 'For hard reasoning; a preview.',
      pricing: {
        input: 2,
        output: 12,
        cachedInput: 0.2,
        longPrompts: { above: 200_000, input: 4, output: 18, cachedInput: 0.4 },
      },
    },
    checked,
    sources: [prices],
  },
  {
    model: {
      ...gemini,
      id: 'gemini-2.5-flash',
      name: 'Gemini 2.5 Flash',
      description: 'Of an earlier generation; can answer without thinking.',
      pricing: { input: 0.3, output: 2.5, cachedInput: 0.03 },
    },
    checked: rechecked,
    sources: [
      prices,
      'https://dev.to/aideprecations/what-to-do-before-gemini-25-pro-and-25-flash-are-retired-on-december-1-2026-5gg9',
    ],
    doubt: 'According to third parties, Google replaces it with Gemini 3.5 Flash-Lite on December 1, 2026.',
  },
  {
    model: {
      id: 'gemini-nano-banana-2.1',
      type: 'image',
      name: 'Nano Banana 2.1',
      description: 'Draws what is asked for, words included.',
      maxTokens: 65_536,
      sizes: oneMegapixel,
      pricing: { input: 1.5, output: 0.0336 },
    },
    tokenPrices: { input: 1.5, textOutput: 7.5, imageOutput: 30 },
    checked,
    sources: ['https://github.com/BerriAI/litellm/discussions/44983', imageGuide],
    doubt: 'Prices come from third parties; the prompt limit is that of its predecessors.',
  },
  {
    model: {
      id: 'gemini-3-pro-image',
      type: 'image',
      name: 'Nano Banana Pro',
      description: 'Draws with more care, up to four megapixels here.',
      maxTokens: 65_536,
      sizes: [...oneMegapixel, ...fourMegapixels],
      pricing: { input: 2, output: 0.1344 },
    },
    tokenPrices: { input: 2, textOutput: 12, imageOutput: 120 },
    checked,
    sources: [
      prices,
      imageGuide,
      'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/3-pro-image',
    ],
  },
  {
    model: {
      id: 'gemini-3.1-flash-lite-image',
      type: 'image',
      name: 'Nano Banana 2 Lite',
      description: 'Draws quickly, at one megapixel.',
      maxTokens: 65_536,
      sizes: oneMegapixel,
      pricing: { input: 0.25, output: 0.0336 },
    },
    tokenPrices: { input: 0.25, textOutput: 1.5, imageOutput: 30 },
    checked,
    sources: ['https://ai.google.dev/gemini-api/docs/changelog', imageGuide],
    doubt: 'Prices come from third parties; the prompt limit is that of its model family.',
  },
  {
    model: {
      type: 'text',
      id: 'gemini-embedding-2',
      name: 'Gemini Embedding 2',
      description: 'Embeds texts in over 100 languages.',
      maxTokens: 8_192,
      embedding: { dimensions: 3_072, minDimensions: 128, maxTexts: 100 },
      pricing: { input: 0.2, output: 0 },
    },
    checked: rechecked,
    sources: [
      'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/embedding-2',
      'https://tokencost.app/blog/gemini-embedding-2-pricing',
    ],
    doubt: 'The price comes from third parties.',
  },
  {
    model: {
      type: 'text',
      id: 'gemini-embedding-001',
      name: 'Gemini Embedding',
      description: 'Embeds short texts; Gemini Embedding 2 follows it.',
      maxTokens: 2_048,
      embedding: { dimensions: 3_072, minDimensions: 128, maxTexts: 100 },
      pricing: { input: 0.15, output: 0 },
    },
    checked: rechecked,
    sources: ['https://developers.googleblog.com/en/gemini-embedding-available-gemini-api/', prices],
  },
]
