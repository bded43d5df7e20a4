import type { CatalogueEntry } from '../catalogue-entry.ts'

const checked = '2026-11-21'
const rechecked = '2026-11-22'
const models = 'https://developers.openai.com/api/docs/models'
const secondHand = 'https://models.dev'
const notConfirmed = "Not confirmed on OpenAI's own pages."
/** Every model reads images from https addresses itself, calls tools, and follows schemas. */
const chat = { type: 'text', chat: true, tools: true, vision: true, urls: true, structured: true } as const
const gpt6 = { ...chat, contextSize: 1_050_000, maxTokens: 128_000, reasoning: true } as const
const embeddingsGuide = 'https://developers.openai.com/api/docs/guides/embeddings'
const embedding = {
  checked: rechecked,
  doubt: 'The smallest dimensions are those of the guide; no page states a minimum.',
} as const
const drawn = ['1024x1024', '1536x1024', '1024x1536'] as const

export const openaiEntries: readonly CatalogueEntry[] = [
  {
    model: {
      ...gpt6,
      id: 'gpt-6-astra',
      name: 'GPT-6 Astra',
      description: 'The most capable of its family; reasons before it answers.',
      pricing: {
        input: 10,
        output: 50,
        cachedInput: 1,
        cacheWrite: 12.5,
        longPrompts: { above: 272_000, input: 20, output: 75, cachedInput: 2, cacheWrite: 25 },
      },
    },
    checked: rechecked,
    sources: [secondHand, `${models}/gpt-6-astra`, 'https://github.com/BerriAI/litellm/discussions/39633'],
    doubt: notConfirmed,
  },
  {
    model: {
      ...gpt6,
      id: 'gpt-6.1-sol',
      name: 'GPT-6.1 Sol',
      description: 'For code and professional work; reasons before it answers.',
      pricing: {
        input: 2,
        output: 10,
        cachedInput: 0.1,
        cacheWrite: 2.5,
        longPrompts: { above: 272_000, input: 4, output: 15, cachedInput: 0.2, cacheWrite: 5 },
      },
    },
    checked: rechecked,
    sources: [`${models}/gpt-6.1-sol`, secondHand, 'https://github.com/coder/mux/issues/3705'],
    doubt: 'The price of cache writes is that of its model family; its own page states none.',
  },
  {
    model: {
      ...gpt6,
      id: 'gpt-6.1-terra',
      name: 'GPT-6.1 Terra',
      description: 'Between Sol and Luna; reasons before it answers.',
      pricing: {
        input: 1,
        output: 5,
        cachedInput: 0.05,
        cacheWrite: 1.25,
        longPrompts: { above: 272_000, input: 2, output: 7.5, cachedInput: 0.1, cacheWrite: 2.5 },
      },
    },
    checked: rechecked,
    sources: [secondHand, 'https://github.com/TheKrush/PromptFuel/releases/tag/v1.0.24'],
    doubt: 'The limits are those of its model family, not confirmed on its own page.',
  },
  {
    model: {
      ...gpt6,
      id: 'gpt-6-luna',
      name: 'GPT-6 Luna',
      description: 'The smallest of its family; reasons when asked to.',
      pricing: {
        input: 0.1,
        output: 0.5,
        cachedInput: 0.01,
        cacheWrite: 0.125,
        longPrompts: { above: 272_000, input: 0.2, output: 0.75, cachedInput: 0.02, cacheWrite: 0.25 },
      },
    },
    checked: rechecked,
    sources: [secondHand, 'https://github.com/TheKrush/PromptFuel/releases/tag/v1.0.21'],
    doubt: 'The limits are those of its model family, not confirmed on its own page.',
  },
  {
    model: {
      ...chat,
      id: 'gpt-5.4-mini',
      name: 'GPT-5.4 mini',
      description: 'Small and quick; reasons when asked to.',
      contextSize: 400_000,
      maxTokens: 128_000,
      reasoning: true,
      pricing: { input: 0.75, output: 4.5, cachedInput: 0.075 },
    },
    checked,
    sources: ['https://developers.openai.com/docs/models'],
  },
  {
    model: {
      ...chat,
      id: 'gpt-5.4-nano',
      name: 'GPT-5.4 nano',
      description: 'The smallest of its family.',
      contextSize: 400_000,
      maxTokens: 128_000,
      reasoning: true,
      pricing: { input: 0.2, output: 1.25, cachedInput: 0.02 },
    },
    checked,
    sources: [secondHand],
    doubt: notConfirmed,
  },
  {
    model: {
      ...chat,
      id: 'gpt-4.1',
      name: 'GPT-4.1',
      description: 'Answers at once, without reasoning; takes a temperature.',
      contextSize: 1_047_576,
      maxTokens: 32_768,
      pricing: { input: 2, output: 8, cachedInput: 0.5 },
    },
    checked,
    sources: [secondHand],
    doubt: notConfirmed,
  },
  {
    model: {
      ...chat,
      id: 'gpt-4.1-mini',
      name: 'GPT-4.1 mini',
      description: 'Answers at once, at a lower price.',
      contextSize: 1_047_576,
      maxTokens: 32_768,
      pricing: { input: 0.4, output: 1.6, cachedInput: 0.1 },
    },
    checked,
    sources: [secondHand],
    doubt: notConfirmed,
  },
  {
    model: {
      ...chat,
      id: 'gpt-4o-mini',
      name: 'GPT-4o mini',
      description: 'Small, of an earlier generation.',
      contextSize: 128_000,
      maxTokens: 16_384,
      pricing: { input: 0.15, output: 0.6, cachedInput: 0.075 },
    },
    checked,
    sources: [secondHand],
    doubt: notConfirmed,
  },
  {
    model: {
      type: 'image',
      id: 'gpt-image-2.5-flare',
      name: 'GPT Image 2.5 Flare',
      description: 'Draws quickly; billed by token.',
      maxTokens: 8_000,
      sizes: drawn,
      maxImages: 10,
    },
    tokenPrices: { input: 5, textOutput: 30, imageOutput: 30 },
    checked,
    sources: ['https://docs.laozhang.ai/en/announcements/gpt-image-2-6-2026-11.md'],
    doubt:
      'No price per image is published; token prices come from third parties. A prompt may have 32,000 characters.',
  },
  {
    model: {
      type: 'image',
      id: 'gpt-image-1.5',
      name: 'GPT Image 1.5',
      description: 'Draws, of an earlier generation; billed by token.',
      maxTokens: 8_000,
      sizes: drawn,
      maxImages: 10,
      pricing: { input: 5, output: 0.034 },
    },
    checked,
    sources: ['https://docs.apiyi.com/en/api-capabilities/gpt-image-2/historical-versions'],
    doubt:
      'The price is for a square image at medium quality, from third parties; high quality costs four times as much.',
  },
  {
    model: {
      type: 'text',
      id: 'text-embedding-3-large',
      name: 'Text Embedding 3 Large',
      description: 'Embeds texts in many languages.',
      maxTokens: 8_192,
      embedding: { dimensions: 3_072, minDimensions: 256, maxTexts: 128 },
      pricing: { input: 0.13, output: 0 },
    },
    ...embedding,
    sources: [`${models}/text-embedding-3-large`, embeddingsGuide],
  },
  {
    model: {
      type: 'text',
      id: 'text-embedding-3-small',
      name: 'Text Embedding 3 Small',
      description: 'Embeds texts at a lower price.',
      maxTokens: 8_192,
      embedding: { dimensions: 1_536, minDimensions: 256, maxTexts: 256 },
      pricing: { input: 0.02, output: 0 },
    },
    ...embedding,
    sources: [`${models}/text-embedding-3-large`, embeddingsGuide],
  },
]
