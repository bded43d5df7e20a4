import type { CatalogueEntry } from '../catalogue-entry.ts'

const checked = '2026-11-21'

const chat = {
  type: 'text',
  chat: true,
  tools: true,
  vision: true,
  urls: true,
  structured: true,
  reasoning: true,
} as const

export const xaiEntries: readonly CatalogueEntry[] = [
  {
    model: {
      id: 'grok-4.7',
      ...chat,
      name: 'Grok 4.7',
      description: 'The most capable of its family; reasons before it answers.',
      contextSize: 500_000,
      maxTokens: 500_000,
      pricing: {
        input: 2,
        output: 6,
        cachedInput: 0.5,
        longPrompts: { above: 200_000, input: 4, output: 12, cachedInput: 1 },
      },
    },
    checked,
    sources: ['https://docs.x.ai/developers/grok-4-7', 'https://apidog.com/blog/how-to-use-grok-4-7-api/'],
    doubt: 'The prices of long and cached prompts come from third parties.',
  },
  {
    model: {
      id: 'grok-4.3',
      ...chat,
      name: 'Grok 4.3',
      description: 'Quick, with a long context; reasons when asked to.',
      contextSize: 1_000_000,
      maxTokens: 30_000,
      pricing: {
        input: 1.25,
        output: 2.5,
        cachedInput: 0.2,
        longPrompts: { above: 200_000, input: 2.5, output: 5, cachedInput: 0.4 },
      },
    },
    checked,
    sources: ['https://models.dev'],
    doubt: "Not confirmed on xAI's own pages.",
  },
]
