import { catalogEntries } from '../catalog-entry.ts'

/** Cached input costs a tenth of the input price. */
const cachingPage = 'https://docs.mistral.ai/inference/conversations/advanced/prompt-caching'
const embeddingsPage = 'https://docs.mistral.ai/api/endpoint/embeddings'
const checked = '2026-11-22'

/** Every model calls tools, follows schemas, and loads images and documents from https addresses itself. */
const chat = {
  type: 'text',
  chat: true,
  tools: true,
  vision: true,
  urls: true,
  structured: true,
  checked,
  sources: ['https://models.dev', cachingPage],
  doubt: "Not confirmed on Mistral's own price list; its page on prompt caching says that cached input costs a tenth.",
} as const
const embedding = {
  type: 'text',
  maxTokens: 8_192,
  checked,
  doubt: "The dimensions, the limits, and the price come from third parties; Mistral's own pages were not readable.",
} as const

export const mistral = catalogEntries(
  [],
  [
    {
      ...chat,
      id: 'mistral-large-4',
      name: 'Mistral Large 4',
      description: 'The most capable of its family, open weights; a preview.',
      maxTokens: 262_144,
      reasoning: true,
      sources: ['https://models.dev', 'https://vercel.com/ai-gateway/models/mistral-large-4.md'],
      doubt:
        'Third parties disagree on the price ($0.70 and $1.36 per million input tokens) and on the context size, so neither is listed.',
    },
    {
      ...chat,
      id: 'mistral-medium-3.5',
      name: 'Mistral Medium 3.5',
      description: 'Between Small and Large; reasons when asked to.',
      contextSize: 262_144,
      maxTokens: 262_144,
      reasoning: true,
      pricing: { input: 1.5, output: 7.5, cachedInput: 0.15 },
      sources: [
        'https://docs.mistral.ai/models/model-cards/mistral-medium-3-5-26-04',
        'https://github.com/braintrustdata/braintrust-proxy/issues/505',
        cachingPage,
      ],
      doubt: 'The model card was read in a third-party copy; it states no maximum output.',
    },
    {
      ...chat,
      id: 'mistral-small-latest',
      name: 'Mistral Small 4',
      description: 'Small; reasons when asked to.',
      contextSize: 262_144,
      maxTokens: 256_000,
      reasoning: true,
      pricing: { input: 0.15, output: 0.6, cachedInput: 0.015 },
    },
    {
      ...chat,
      id: 'ministral-8b-latest',
      name: 'Ministral 8B',
      description: 'Very small; answers at once.',
      contextSize: 262_144,
      maxTokens: 128_000,
      pricing: { input: 0.15, output: 0.15, cachedInput: 0.015 },
    },
    {
      ...embedding,
      id: 'mistral-embed',
      name: 'Mistral Embed',
      description: 'Embeds texts.',
      embedding: { dimensions: 1_024, maxTexts: 32 },
      pricing: { input: 0.1, output: 0 },
      sources: [embeddingsPage, 'https://opencode.ai/data/mistral/mistral-embed.md'],
    },
    {
      ...embedding,
      id: 'codestral-embed',
      name: 'Codestral Embed',
      description: 'Embeds source code.',
      embedding: { dimensions: 1_536, minDimensions: 256, maxTexts: 32 },
      pricing: { input: 0.15, output: 0 },
      sources: [embeddingsPage, 'https://openrouter.ai/mistralai/codestral-embed-2505/api'],
    },
  ],
)
