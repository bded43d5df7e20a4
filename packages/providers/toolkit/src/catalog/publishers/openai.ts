import { catalogEntries, type PriceRule } from '../catalog-entry.ts'

const checked = '2026-11-21'
const rechecked = '2026-11-22'
const models = 'https://developers.openai.com/api/docs/models'
const embeddingsGuide = 'https://developers.openai.com/api/docs/guides/embeddings'
/** Its copy of July 2026. */
const secondHand = 'https://models.dev'
const unconfirmed = { sources: [secondHand], doubt: "Not confirmed on OpenAI's own pages." } as const
/** Every model reads images from https addresses itself, calls tools, and follows schemas. */
const chat = { type: 'text', chat: true, tools: true, vision: true, urls: true, structured: true, checked } as const
const gpt6 = { ...chat, contextSize: 1_050_000, maxTokens: 128_000, reasoning: true, checked: rechecked } as const
const gpt54 = { ...chat, contextSize: 400_000, maxTokens: 128_000, reasoning: true } as const
const gpt41 = { ...chat, contextSize: 1_047_576, maxTokens: 32_768 } as const
const image = {
  type: 'image',
  maxTokens: 8_000,
  sizes: ['1024x1024', '1536x1024', '1024x1536'],
  maxImages: 10,
  checked,
} as const
type OfSizes = readonly [square: number, oblong: number]
/** In US dollars an image. */
function imagePrices(low: OfSizes, medium: OfSizes, high: OfSizes) {
  const bySize = ([square, oblong]: OfSizes) => ({ '1024x1024': square, '1536x1024': oblong, '1024x1536': oblong })
  return { low: bySize(low), medium: bySize(medium), high: bySize(high) }
}
const embedding = {
  type: 'text',
  maxTokens: 8_192,
  checked: rechecked,
  sources: [`${models}/text-embedding-3-large`, embeddingsGuide],
  doubt: 'The smallest dimensions are those of the guide; no page states a minimum.',
} as const

const earlier = { ...chat, earlier: true, checked: '2026-11-23' } as const
const answering = { ...earlier, description: 'Answers at once; an earlier model.' } as const
const reasoning = { ...earlier, description: 'Reasons before it answers; an earlier model.', reasoning: true } as const
const gpt4o = { ...answering, ...unconfirmed, contextSize: 128_000, maxTokens: 16_384 } as const
const gpt5 = { ...reasoning, ...unconfirmed, contextSize: 400_000, maxTokens: 128_000 } as const
const gptLong = { ...reasoning, ...unconfirmed, contextSize: 1_050_000, maxTokens: 128_000 } as const
const oSeries = { ...reasoning, ...unconfirmed, contextSize: 200_000, maxTokens: 100_000 } as const
const gpt56 = {
  ...gptLong,
  sources: ['https://vercel.com/ai-gateway/models/gpt-5.6-terra.md', 'https://docs.apiyi.com/models/index.md'],
  doubt:
    'The prices come from third parties, and the limits are those of Terra. The prices of long prompts and of cache writes are not known.',
} as const
const noCachePrice = 'No price for cached input is published.'

/** Checked on 2026-11-22: https://openai.com/api-fast-mode and https://developers.openai.com/api/docs/pricing */
const rules: readonly PriceRule[] = [
  // A search with the tool `web_search`, whose results count as prompt tokens too. Not confirmed on OpenAI's own pages.
  { ids: /^(gpt-|o\d)/, webSearch: 0.01 },
  { ids: /^(gpt-[56]|o\d)/, tiers: { flex: 0.5, priority: 2, fast: 2 } },
  { ids: /^gpt-5\.5(-2|$)/, tiers: { priority: 2.5, fast: 2.5 } },
  { ids: /^gpt-4\.1/, tiers: { priority: 1.75, fast: 1.75 } },
  // https://vercel.com/changelog/openai-ultrafast-mode-now-available-on-ai-gateway
  { ids: /^gpt-6-astra/, tiers: { ultrafast: 6 } },
  { ids: /^gpt-6/, cacheWrite: 1.25 },
  { ids: /^gpt-(?:6|5\.[45](?:-pro)?$)/, longPrompts: { above: 272_000, input: 2, output: 1.5 } },
]

export const openai = catalogEntries(rules, [
  {
    ...gpt6,
    id: 'gpt-6-astra',
    name: 'GPT-6 Astra',
    description: 'The most capable of its family; reasons before it answers.',
    pricing: { input: 10, output: 50, cachedInput: 1 },
    ...unconfirmed,
    sources: [secondHand, `${models}/gpt-6-astra`, 'https://github.com/BerriAI/litellm/discussions/39633'],
  },
  {
    ...gpt6,
    id: 'gpt-6.1-sol',
    name: 'GPT-6.1 Sol',
    description: 'For code and professional work; reasons before it answers.',
    pricing: { input: 2, output: 10, cachedInput: 0.1 },
    sources: [`${models}/gpt-6.1-sol`, secondHand, 'https://github.com/coder/mux/issues/3705'],
    doubt: 'The price of cache writes is that of its model family; its own page states none.',
  },
  {
    ...gpt6,
    id: 'gpt-6.1-terra',
    name: 'GPT-6.1 Terra',
    description: 'Between Sol and Luna; reasons before it answers.',
    pricing: { input: 1, output: 5, cachedInput: 0.05 },
    sources: [secondHand, 'https://github.com/TheKrush/PromptFuel/releases/tag/v1.0.24'],
    doubt: 'The limits are those of its model family, not confirmed on its own page.',
  },
  {
    ...gpt6,
    id: 'gpt-6-luna',
    name: 'GPT-6 Luna',
    description: 'The smallest of its family; reasons when asked to.',
    pricing: { input: 0.1, output: 0.5, cachedInput: 0.01 },
    sources: [secondHand, 'https://github.com/TheKrush/PromptFuel/releases/tag/v1.0.21'],
    doubt: 'The limits are those of its model family, not confirmed on its own page.',
  },
  {
    ...gpt54,
    id: 'gpt-5.4-mini',
    name: 'GPT-5.4 mini',
    description: 'Small and quick; reasons when asked to.',
    pricing: { input: 0.75, output: 4.5, cachedInput: 0.075 },
    sources: ['https://developers.openai.com/docs/models'],
  },
  {
    ...gpt54,
    ...unconfirmed,
    id: 'gpt-5.4-nano',
    name: 'GPT-5.4 nano',
    description: 'The smallest of its family.',
    pricing: { input: 0.2, output: 1.25, cachedInput: 0.02 },
  },
  {
    ...gpt41,
    ...unconfirmed,
    id: 'gpt-4.1',
    name: 'GPT-4.1',
    description: 'Answers at once, without reasoning; takes a temperature.',
    pricing: { input: 2, output: 8, cachedInput: 0.5 },
  },
  {
    ...gpt41,
    ...unconfirmed,
    id: 'gpt-4.1-mini',
    name: 'GPT-4.1 mini',
    description: 'Answers at once, at a lower price.',
    pricing: { input: 0.4, output: 1.6, cachedInput: 0.1 },
  },
  {
    ...chat,
    ...unconfirmed,
    id: 'gpt-4o-mini',
    name: 'GPT-4o mini',
    description: 'Small, of an earlier generation.',
    contextSize: 128_000,
    maxTokens: 16_384,
    pricing: { input: 0.15, output: 0.6, cachedInput: 0.075 },
  },
  {
    ...image,
    id: 'gpt-image-2.5-flare',
    name: 'GPT Image 2.5 Flare',
    description: 'Draws quickly; billed by token.',
    tokenPrices: { input: 5, textOutput: 30, imageOutput: 30 },
    sources: ['https://docs.laozhang.ai/en/announcements/gpt-image-2-6-2026-11.md'],
    doubt:
      'No price per image is published; token prices come from third parties. A prompt may have 32,000 characters.',
  },
  {
    ...image,
    id: 'gpt-image-1.5',
    name: 'GPT Image 1.5',
    description: 'Draws, of an earlier generation; billed by token.',
    pricing: { input: 5, output: 0.034, images: imagePrices([0.009, 0.013], [0.034, 0.05], [0.133, 0.2]) },
    tokenPrices: { input: 5, textOutput: 10, imageOutput: 32 },
    sources: [
      'https://docs.apiyi.com/en/api-capabilities/gpt-image-2/historical-versions',
      'https://www.llmreference.com/model/gpt-image-1.5/openai-api',
    ],
    doubt:
      'The prices come from third parties. Without token counts, `output` is that of a square image at medium quality.',
  },
  {
    ...image,
    id: 'gpt-image-1',
    name: 'GPT Image 1',
    description: 'Draws; an earlier model, billed by token.',
    earlier: true,
    pricing: { input: 5, output: 0.042, images: imagePrices([0.011, 0.016], [0.042, 0.063], [0.167, 0.25]) },
    tokenPrices: { input: 5, textOutput: 40, imageOutput: 40 },
    sources: [
      'https://www.burncloud.com/aiapi-detail/gpt-image-1.html',
      'https://community.openai.com/t/what-is-the-difference-between-image-generation-and-output-of-image-tokens/1371851',
    ],
    doubt: 'The prices come from third parties.',
  },
  {
    ...image,
    id: 'gpt-image-1-mini',
    name: 'GPT Image 1 mini',
    description: 'Draws at a lower price; an earlier model, billed by token.',
    earlier: true,
    pricing: { input: 2, output: 0.011, images: imagePrices([0.005, 0.006], [0.011, 0.015], [0.036, 0.052]) },
    tokenPrices: { input: 2, textOutput: 8, imageOutput: 8 },
    sources: [`${models}/gpt-image-1-mini`],
  },
  {
    ...embedding,
    id: 'text-embedding-3-large',
    name: 'Text Embedding 3 Large',
    description: 'Embeds texts in many languages.',
    embedding: { dimensions: 3_072, minDimensions: 256, maxTexts: 128 },
    pricing: { input: 0.13, output: 0 },
  },
  {
    ...embedding,
    id: 'text-embedding-3-small',
    name: 'Text Embedding 3 Small',
    description: 'Embeds texts at a lower price.',
    embedding: { dimensions: 1_536, minDimensions: 256, maxTexts: 256 },
    pricing: { input: 0.02, output: 0 },
  },
  {
    ...embedding,
    ...unconfirmed,
    earlier: true,
    id: 'text-embedding-ada-002',
    name: 'Text Embedding Ada 002',
    description: 'Embeds texts; an earlier model, and the default of LangChain.',
    maxTokens: 8_191,
    embedding: { dimensions: 1_536, maxTexts: 256 },
    pricing: { input: 0.1, output: 0 },
  },
  { ...gpt56, id: 'gpt-5.6-sol', name: 'GPT-5.6 Sol', pricing: { input: 4, output: 20, cachedInput: 0.4 } },
  { ...gpt56, id: 'gpt-5.6-terra', name: 'GPT-5.6 Terra', pricing: { input: 2, output: 12, cachedInput: 0.2 } },
  { ...gpt56, id: 'gpt-5.6-luna', name: 'GPT-5.6 Luna', pricing: { input: 0.2, output: 1.2, cachedInput: 0.02 } },
  { ...gptLong, id: 'gpt-5.5', name: 'GPT-5.5', pricing: { input: 5, output: 30, cachedInput: 0.5 } },
  { ...gptLong, id: 'gpt-5.4', name: 'GPT-5.4', pricing: { input: 2.5, output: 15, cachedInput: 0.25 } },
  {
    ...gptLong,
    id: 'gpt-5.5-pro',
    name: 'GPT-5.5 pro',
    pricing: { input: 30, output: 180 },
    doubt: `${unconfirmed.doubt} ${noCachePrice}`,
  },
  { ...gpt5, id: 'gpt-5.2', name: 'GPT-5.2', pricing: { input: 1.75, output: 14, cachedInput: 0.175 } },
  { ...gpt5, id: 'gpt-5.1', name: 'GPT-5.1', pricing: { input: 1.25, output: 10, cachedInput: 0.125 } },
  { ...gpt5, id: 'gpt-5', name: 'GPT-5', pricing: { input: 1.25, output: 10, cachedInput: 0.125 } },
  { ...gpt5, id: 'gpt-5-mini', name: 'GPT-5 mini', pricing: { input: 0.25, output: 2, cachedInput: 0.025 } },
  {
    ...reasoning,
    contextSize: 400_000,
    maxTokens: 128_000,
    id: 'gpt-5-nano',
    name: 'GPT-5 nano',
    pricing: { input: 0.05, output: 0.4, cachedInput: 0.005 },
    sources: [`${models}/gpt-5-nano`],
  },
  {
    ...answering,
    ...unconfirmed,
    id: 'gpt-4.1-nano',
    name: 'GPT-4.1 nano',
    contextSize: 1_047_576,
    maxTokens: 32_768,
    pricing: { input: 0.1, output: 0.4, cachedInput: 0.025 },
  },
  { ...gpt4o, id: 'gpt-4o', name: 'GPT-4o', pricing: { input: 2.5, output: 10, cachedInput: 1.25 } },
  {
    ...gpt4o,
    id: 'gpt-4o-2024-05-13',
    name: 'GPT-4o (2024-05-13)',
    maxTokens: 4_096,
    structured: false,
    pricing: { input: 5, output: 15 },
    doubt: `${unconfirmed.doubt} ${noCachePrice}`,
  },
  {
    ...answering,
    id: 'gpt-4-turbo',
    name: 'GPT-4 Turbo',
    contextSize: 128_000,
    maxTokens: 4_096,
    structured: false,
    pricing: { input: 10, output: 30 },
    sources: [`${models}/gpt-4-turbo`, secondHand],
    doubt: noCachePrice,
  },
  { ...oSeries, id: 'o3', name: 'o3', pricing: { input: 2, output: 8, cachedInput: 0.5 } },
  { ...oSeries, id: 'o4-mini', name: 'o4-mini', pricing: { input: 1.1, output: 4.4, cachedInput: 0.275 } },
  {
    ...oSeries,
    id: 'o3-mini',
    name: 'o3-mini',
    vision: false,
    urls: false,
    pricing: { input: 1.1, output: 4.4, cachedInput: 0.55 },
  },
  { ...oSeries, id: 'o1', name: 'o1', pricing: { input: 15, output: 60, cachedInput: 7.5 } },
])
