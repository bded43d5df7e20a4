import type { Pricing, TextModel } from '@fairlead/core/provider'
import type { CatalogueEntry } from '../catalogue-entry.ts'

const checked = '2026-11-23'
/** Its copy of July 2026. */
const secondHand = 'https://models.dev'
const openaiPages = 'https://developers.openai.com/api/docs/models'
const anthropicPrices = 'https://platform.claude.com/docs/en/about-claude/pricing'
const noCachePrice = 'No price for cached input is published.'

type Facts = Pick<TextModel, 'id' | 'name' | 'description' | 'contextSize' | 'maxTokens'> & Partial<TextModel>

function earlier(facts: Facts, pricing: Pricing, source: Pick<CatalogueEntry, 'sources' | 'doubt'>): CatalogueEntry {
  return { model: { type: 'text', ...facts, pricing }, earlier: true, checked, ...source }
}

const openaiDoubt = { sources: [secondHand], doubt: "Not confirmed on OpenAI's own pages." } as const
const chat = { chat: true, tools: true, vision: true, urls: true, structured: true } as const
const answering = { ...chat, description: 'Answers at once; an earlier model.' } as const
const reasoning = { ...chat, description: 'Reasons before it answers; an earlier model.', reasoning: true } as const
const gpt4o = { ...answering, contextSize: 128_000, maxTokens: 16_384 } as const
const gpt5 = { ...reasoning, contextSize: 400_000, maxTokens: 128_000 } as const
const gptLong = { ...reasoning, contextSize: 1_050_000, maxTokens: 128_000 } as const
const oSeries = { ...reasoning, contextSize: 200_000, maxTokens: 100_000 } as const
const above = 272_000

const gpt56 = {
  sources: ['https://vercel.com/ai-gateway/models/gpt-5.6-terra.md', 'https://docs.apiyi.com/models/index.md'],
  doubt:
    'The prices come from third parties, and the limits are those of Terra. The prices of long prompts and of cache writes are not known.',
} as const

export const earlierOpenai: readonly CatalogueEntry[] = [
  earlier({ ...gptLong, id: 'gpt-5.6-sol', name: 'GPT-5.6 Sol' }, { input: 4, output: 20, cachedInput: 0.4 }, gpt56),
  earlier(
    { ...gptLong, id: 'gpt-5.6-terra', name: 'GPT-5.6 Terra' },
    { input: 2, output: 12, cachedInput: 0.2 },
    gpt56,
  ),
  earlier(
    { ...gptLong, id: 'gpt-5.6-luna', name: 'GPT-5.6 Luna' },
    { input: 0.2, output: 1.2, cachedInput: 0.02 },
    gpt56,
  ),
  earlier(
    { ...gptLong, id: 'gpt-5.5', name: 'GPT-5.5' },
    {
      input: 5,
      output: 30,
      cachedInput: 0.5,
      longPrompts: { above, input: 10, output: 45, cachedInput: 1 },
    },
    openaiDoubt,
  ),
  earlier(
    { ...gptLong, id: 'gpt-5.4', name: 'GPT-5.4' },
    {
      input: 2.5,
      output: 15,
      cachedInput: 0.25,
      longPrompts: { above, input: 5, output: 22.5, cachedInput: 0.5 },
    },
    openaiDoubt,
  ),
  earlier(
    { ...gptLong, id: 'gpt-5.5-pro', name: 'GPT-5.5 pro' },
    { input: 30, output: 180, longPrompts: { above, input: 60, output: 270 } },
    { sources: [secondHand], doubt: `${openaiDoubt.doubt} ${noCachePrice}` },
  ),
  earlier({ ...gpt5, id: 'gpt-5.2', name: 'GPT-5.2' }, { input: 1.75, output: 14, cachedInput: 0.175 }, openaiDoubt),
  earlier({ ...gpt5, id: 'gpt-5.1', name: 'GPT-5.1' }, { input: 1.25, output: 10, cachedInput: 0.125 }, openaiDoubt),
  earlier({ ...gpt5, id: 'gpt-5', name: 'GPT-5' }, { input: 1.25, output: 10, cachedInput: 0.125 }, openaiDoubt),
  earlier(
    { ...gpt5, id: 'gpt-5-mini', name: 'GPT-5 mini' },
    { input: 0.25, output: 2, cachedInput: 0.025 },
    openaiDoubt,
  ),
  earlier(
    { ...gpt5, id: 'gpt-5-nano', name: 'GPT-5 nano' },
    { input: 0.05, output: 0.4, cachedInput: 0.005 },
    { sources: [`${openaiPages}/gpt-5-nano`] },
  ),
  earlier(
    { ...answering, contextSize: 1_047_576, maxTokens: 32_768, id: 'gpt-4.1-nano', name: 'GPT-4.1 nano' },
    { input: 0.1, output: 0.4, cachedInput: 0.025 },
    openaiDoubt,
  ),
  earlier({ ...gpt4o, id: 'gpt-4o', name: 'GPT-4o' }, { input: 2.5, output: 10, cachedInput: 1.25 }, openaiDoubt),
  earlier(
    { ...gpt4o, maxTokens: 4_096, structured: false, id: 'gpt-4o-2024-05-13', name: 'GPT-4o (2024-05-13)' },
    { input: 5, output: 15 },
    { sources: [secondHand], doubt: `${openaiDoubt.doubt} ${noCachePrice}` },
  ),
  earlier(
    { ...answering, contextSize: 128_000, maxTokens: 4_096, structured: false, id: 'gpt-4-turbo', name: 'GPT-4 Turbo' },
    { input: 10, output: 30 },
    { sources: [`${openaiPages}/gpt-4-turbo`, secondHand], doubt: noCachePrice },
  ),
  earlier({ ...oSeries, id: 'o3', name: 'o3' }, { input: 2, output: 8, cachedInput: 0.5 }, openaiDoubt),
  earlier({ ...oSeries, id: 'o4-mini', name: 'o4-mini' }, { input: 1.1, output: 4.4, cachedInput: 0.275 }, openaiDoubt),
  earlier(
    { ...oSeries, vision: false, urls: false, id: 'o3-mini', name: 'o3-mini' },
    { input: 1.1, output: 4.4, cachedInput: 0.55 },
    openaiDoubt,
  ),
  earlier({ ...oSeries, id: 'o1', name: 'o1' }, { input: 15, output: 60, cachedInput: 7.5 }, openaiDoubt),
]

const million = { ...reasoning, contextSize: 1_000_000, maxTokens: 128_000 } as const
const early = { ...answering, contextSize: 200_000, maxTokens: 64_000 } as const
const opusPrices = { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 } as const
const sonnetPrices = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 } as const
const overview = 'https://platform.claude.com/docs/en/models/opus-5/overview'
const opus = {
  sources: [anthropicPrices, secondHand],
  doubt: "The limits are not confirmed on Anthropic's own pages.",
} as const
const sonnet = { sources: [secondHand], doubt: "Not confirmed on Anthropic's own pages." } as const

export const earlierAnthropic: readonly CatalogueEntry[] = [
  earlier(
    { ...million, id: 'claude-fable-5-1', name: 'Claude Fable 5.1' },
    { input: 10, output: 50, cachedInput: 0.25, cacheWrite: 12.5 },
    { sources: [anthropicPrices, overview] },
  ),
  earlier(
    { ...million, id: 'claude-fable-5', name: 'Claude Fable 5' },
    { input: 10, output: 50, cachedInput: 1, cacheWrite: 12.5 },
    { sources: [anthropicPrices, overview] },
  ),
  earlier({ ...million, id: 'claude-opus-4-8', name: 'Claude Opus 4.8' }, opusPrices, opus),
  earlier({ ...million, id: 'claude-opus-4-7', name: 'Claude Opus 4.7' }, opusPrices, opus),
  earlier({ ...million, id: 'claude-opus-4-6', name: 'Claude Opus 4.6' }, opusPrices, opus),
  earlier({ ...early, id: 'claude-opus-4-5', name: 'Claude Opus 4.5' }, opusPrices, opus),
  earlier({ ...million, maxTokens: 64_000, id: 'claude-sonnet-4-6', name: 'Claude Sonnet 4.6' }, sonnetPrices, sonnet),
  earlier({ ...early, id: 'claude-sonnet-4-5', name: 'Claude Sonnet 4.5' }, sonnetPrices, sonnet),
]

const gemini = {
  chat: true,
  tools: true,
  vision: true,
  structured: true,
  reasoning: true,
  description: 'Thinks before it answers; an earlier model.',
  contextSize: 1_048_576,
  maxTokens: 65_536,
} as const
const google = { sources: [secondHand], doubt: "Not confirmed on Google's own pages. Audio input costs more." } as const

export const earlierGoogle: readonly CatalogueEntry[] = [
  earlier(
    { ...gemini, id: 'gemini-3.1-flash-lite', name: 'Gemini 3.1 Flash-Lite' },
    { input: 0.25, output: 1.5, cachedInput: 0.025 },
    google,
  ),
  earlier(
    { ...gemini, id: 'gemini-3-flash-preview', name: 'Gemini 3 Flash Preview' },
    { input: 0.5, output: 3, cachedInput: 0.05 },
    google,
  ),
  earlier(
    { ...gemini, id: 'gemini-2.5-pro', name: 'Gemini 2.5 Pro' },
    {
      input: 1.25,
      output: 10,
      cachedInput: 0.125,
      longPrompts: { above: 200_000, input: 2.5, output: 15, cachedInput: 0.25 },
    },
    google,
  ),
  earlier(
    { ...gemini, id: 'gemini-2.5-flash-lite', name: 'Gemini 2.5 Flash-Lite' },
    { input: 0.1, output: 0.4, cachedInput: 0.01 },
    google,
  ),
]
