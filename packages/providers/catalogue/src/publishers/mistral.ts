import type { CatalogueEntry } from '../catalogue-entry.ts'

/** Cached input costs a tenth of the input price. */
const cachingPage = 'https://docs.mistral.ai/inference/conversations/advanced/prompt-caching'
const known = {
  checked: '2026-11-22',
  sources: ['https://models.dev', cachingPage],
  doubt: "Not confirmed on Mistral's own price list; its page on prompt caching says that cached input costs a tenth.",
} as const

export const mistralEntries: readonly CatalogueEntry[] = [
  {
    model: {
      id: 'mistral-large-4',
      type: 'text',
      name: 'Mistral Large 4',
      description: 'The most capable of its family, open weights; a preview.',
      maxTokens: 262_144,
      structured: true,
    },
    checked: known.checked,
    sources: ['https://models.dev', 'https://vercel.com/ai-gateway/models/mistral-large-4.md'],
    doubt:
      'Third parties disagree on the price ($0.70 and $1.36 per million input tokens) and on the context size, so neither is listed.',
  },
  {
    model: {
      id: 'mistral-medium-3.5',
      type: 'text',
      name: 'Mistral Medium 3.5',
      description: 'Between Small and Large; reasons when asked to.',
      contextSize: 262_144,
      maxTokens: 262_144,
      structured: true,
      pricing: { input: 1.5, output: 7.5, cachedInput: 0.15 },
    },
    checked: known.checked,
    sources: [
      'https://docs.mistral.ai/models/model-cards/mistral-medium-3-5-26-04',
      'https://github.com/braintrustdata/braintrust-proxy/issues/505',
      cachingPage,
    ],
    doubt: 'The model card was read in a third-party copy; it states no maximum output.',
  },
  {
    model: {
      id: 'mistral-small-latest',
      type: 'text',
      name: 'Mistral Small 4',
      description: 'Small; reasons when asked to.',
      contextSize: 262_144,
      maxTokens: 256_000,
      structured: true,
      pricing: { input: 0.15, output: 0.6, cachedInput: 0.015 },
    },
    ...known,
  },
  {
    model: {
      id: 'ministral-8b-latest',
      type: 'text',
      name: 'Ministral 8B',
      description: 'Very small; answers at once.',
      contextSize: 262_144,
      maxTokens: 128_000,
      structured: true,
      pricing: { input: 0.15, output: 0.15, cachedInput: 0.015 },
    },
    ...known,
  },
]
