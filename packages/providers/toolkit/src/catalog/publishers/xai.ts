import { catalogEntries, type PriceRule } from '../catalog-entry.ts'

const chat = {
  type: 'text',
  chat: true,
  tools: true,
  vision: true,
  urls: true,
  structured: true,
  reasoning: true,
  checked: '2026-11-21',
} as const

const rules: readonly PriceRule[] = [{ ids: /^grok-4/, longPrompts: { above: 200_000, input: 2, output: 2 } }]

export const xai = catalogEntries(rules, [
  {
    ...chat,
    id: 'grok-4.7',
    name: 'Grok 4.7',
    description: 'The most capable of its family; reasons before it answers.',
    contextSize: 500_000,
    maxTokens: 500_000,
    pricing: { input: 2, output: 6, cachedInput: 0.5 },
    sources: ['https://docs.x.ai/developers/grok-4-7', 'https://apidog.com/blog/how-to-use-grok-4-7-api/'],
    doubt: 'The prices of long and cached prompts come from third parties.',
  },
  {
    ...chat,
    id: 'grok-4.3',
    name: 'Grok 4.3',
    description: 'Quick, with a long context; reasons when asked to.',
    contextSize: 1_000_000,
    maxTokens: 30_000,
    pricing: { input: 1.25, output: 2.5, cachedInput: 0.2 },
    sources: ['https://models.dev'],
    doubt: "Not confirmed on xAI's own pages.",
  },
])
