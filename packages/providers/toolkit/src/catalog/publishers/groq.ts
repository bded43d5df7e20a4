import { catalogEntries } from '../catalog-entry.ts'

/** Cached input costs half of the input price, for the models that are cached. */
const cachingPage = 'https://console.groq.com/docs/prompt-caching'
const model = {
  type: 'text',
  contextSize: 131_072,
  chat: true,
  tools: true,
  checked: '2026-11-22',
  sources: ['https://models.dev'],
  doubt: "Not confirmed on Groq's own price list; the price of cached input is unknown.",
} as const
const gptOss = {
  ...model,
  maxTokens: 65_536,
  structured: true,
  reasoning: true,
  sources: [...model.sources, cachingPage],
  doubt: "Not confirmed on Groq's own price list; its page on prompt caching says that cached input costs half.",
} as const

export const groq = catalogEntries(
  [],
  [
    {
      ...gptOss,
      id: 'openai/gpt-oss-120b',
      name: 'GPT OSS 120B',
      description: 'Open weights; reasons before it answers.',
      pricing: { input: 0.15, output: 0.6, cachedInput: 0.075 },
      sources: [...model.sources, 'https://github.com/braintrustdata/braintrust-proxy/issues/925', cachingPage],
    },
    {
      ...gptOss,
      id: 'openai/gpt-oss-20b',
      name: 'GPT OSS 20B',
      description: 'Open weights, small; reasons before it answers.',
      pricing: { input: 0.075, output: 0.3, cachedInput: 0.0375 },
    },
    {
      ...model,
      id: 'qwen/qwen3.8-27b',
      name: 'Qwen3.8 27B',
      description: 'Open weights; reasons when asked to.',
      maxTokens: 16_384,
      vision: true,
      urls: true,
      pricing: { input: 0.8, output: 4 },
    },
    {
      ...model,
      id: 'llama-3.3-70b-versatile',
      name: 'Llama 3.3 70B',
      description: 'Open weights; answers at once.',
      maxTokens: 32_768,
      pricing: { input: 0.59, output: 0.79 },
    },
    {
      ...model,
      id: 'llama-3.1-8b-instant',
      name: 'Llama 3.1 8B',
      description: 'Open weights, small; answers at once.',
      maxTokens: 131_072,
      pricing: { input: 0.05, output: 0.08 },
    },
  ],
)
