import { catalogEntries } from '../catalog-entry.ts'

/** Answers in JSON, but not of a schema. */
const model = {
  type: 'text',
  contextSize: 1_000_000,
  maxTokens: 384_000,
  chat: true,
  tools: true,
  reasoning: true,
  checked: '2026-11-22',
  sources: ['https://api-docs.deepseek.com/quick_start/pricing'],
  doubt:
    'The prices apply to peak hours (weekdays 01:00 to 04:00 and 06:00 to 10:00 UTC); at other times, DeepSeek charges half.',
} as const

export const deepseek = catalogEntries(
  [],
  [
    {
      ...model,
      id: 'deepseek-v4-pro',
      name: 'DeepSeek V4 Pro',
      description: 'The more capable of the two; reasons when asked to.',
      pricing: { input: 1.32, output: 3.96, cachedInput: 0.044 },
    },
    {
      ...model,
      id: 'deepseek-flash',
      name: 'DeepSeek V4.1 Flash',
      description: 'The faster of the two; reasons when asked to.',
      vision: true,
      pricing: { input: 0.3, output: 1.2, cachedInput: 0.006 },
      doubt: `${model.doubt} Third parties say that it reads images.`,
    },
  ],
)
