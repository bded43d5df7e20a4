import type { CatalogueEntry } from '../catalogue-entry.ts'

const checked = '2026-11-22'
/** Cache writes are priced for five minutes, Anthropic's default: 1.25 times the input price. */
const pages = 'https://platform.claude.com/docs/en/models'
/** The pages state no maximum of stop sequences. */
const maxStopSequences = 1_000
/** Tools are on the overview, images and their URLs in the guide to vision, reasoning in the guide to efforts. */
const guides = [
  'https://platform.claude.com/docs/en/models/overview',
  'https://platform.claude.com/docs/en/build-with-claude/vision',
  'https://platform.claude.com/docs/en/build-with-claude/effort',
] as const
const current = {
  type: 'text',
  chat: true,
  tools: true,
  vision: true,
  urls: true,
  structured: true,
  maxStopSequences,
} as const
const million = { ...current, contextSize: 1_000_000, maxTokens: 128_000, reasoning: true } as const

export const anthropicEntries: readonly CatalogueEntry[] = [
  {
    model: {
      ...million,
      id: 'claude-fable-5-2',
      name: 'Claude Fable 5.2',
      description: 'For demanding reasoning; thinks before every answer.',
      pricing: { input: 8, output: 40, cachedInput: 0.2, cacheWrite: 10 },
    },
    checked,
    sources: [
      ...guides,
      `${pages}/fable-5-2/migration-guide`,
      'https://github.com/archid21/rightsize/releases/tag/v0.10.2',
    ],
    doubt: "The prompt cache prices come from a third party, not confirmed on Anthropic's own price list.",
  },
  {
    model: {
      ...million,
      id: 'claude-opus-5-5',
      name: 'Claude Opus 5.5',
      description: 'For long work with code and knowledge; thinks before every answer.',
      pricing: { input: 4, output: 20, cachedInput: 0.2, cacheWrite: 5 },
    },
    checked,
    sources: [`${pages}/opus-5-5/overview`, ...guides],
  },
  {
    model: {
      ...million,
      id: 'claude-sonnet-5-5',
      name: 'Claude Sonnet 5.5',
      description: 'Quick and capable.',
      pricing: { input: 2, output: 10, cachedInput: 0.1, cacheWrite: 2.5 },
    },
    checked,
    sources: [`${pages}/sonnet-5-5/overview`, ...guides],
  },
  {
    model: {
      ...million,
      id: 'claude-haiku-5-5',
      name: 'Claude Haiku 5.5',
      description: 'The quickest, for classifying, extracting and routing.',
      pricing: {
        input: 0.1,
        output: 0.5,
        cachedInput: 0.01,
        cacheWrite: 0.125,
        longPrompts: { above: 100_000, input: 0.5, output: 2.5, cachedInput: 0.05, cacheWrite: 0.625 },
      },
    },
    checked,
    sources: [`${pages}/haiku-5-5/overview`, ...guides],
  },
  {
    model: {
      ...million,
      id: 'claude-opus-5',
      name: 'Claude Opus 5',
      description: 'For complex work with code; Opus 5.5 follows it.',
      pricing: { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
    },
    checked,
    sources: [`${pages}/opus-5/overview`, ...guides],
  },
  {
    model: {
      ...million,
      id: 'claude-sonnet-5',
      name: 'Claude Sonnet 5',
      description: 'Quick and capable; Sonnet 5.5 follows it.',
      pricing: { input: 2, output: 10, cachedInput: 0.2, cacheWrite: 2.5 },
    },
    checked,
    sources: [`${pages}/sonnet-5/overview`, ...guides],
  },
  {
    model: {
      ...current,
      id: 'claude-haiku-4-5',
      name: 'Claude Haiku 4.5',
      description: 'Small and quick; takes a temperature, as later ones do not.',
      contextSize: 200_000,
      maxTokens: 64_000,
      reasoning: true,
      pricing: { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25 },
    },
    checked,
    sources: [...guides, 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching'],
  },
]
