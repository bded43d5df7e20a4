import { describe, expect, test } from 'vitest'
import { toUsage } from './to-finish.ts'

const unknown = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined }

describe('the usage of a model of version 2', () => {
  test.each([
    [
      'reasoning within the answer (OpenAI)',
      { inputTokens: 9, outputTokens: 30, totalTokens: 39, reasoningTokens: 20 },
      { promptTokens: 9, completionTokens: 30, reasoningTokens: 20 },
    ],
    [
      'reasoning beside the answer (Google)',
      { inputTokens: 9, outputTokens: 30, totalTokens: 139, reasoningTokens: 100 },
      { promptTokens: 9, completionTokens: 130, reasoningTokens: 100 },
    ],
    [
      'more reasoning than answer (xAI)',
      { inputTokens: 32, outputTokens: 9, totalTokens: undefined, reasoningTokens: 194 },
      { promptTokens: 32, completionTokens: 203, reasoningTokens: 194 },
    ],
    [
      'cached tokens within the prompt (OpenAI)',
      { inputTokens: 9, outputTokens: 30, totalTokens: 39, cachedInputTokens: 4 },
      { promptTokens: 9, completionTokens: 30, cachedPromptTokens: 4 },
    ],
    [
      'cached tokens beside the prompt (Anthropic)',
      { inputTokens: 8, outputTokens: 20, totalTokens: 28, cachedInputTokens: 700 },
      { promptTokens: 708, completionTokens: 20, cachedPromptTokens: 700 },
    ],
    [
      'both beside the others',
      { inputTokens: 8, outputTokens: 20, totalTokens: 135, cachedInputTokens: 7, reasoningTokens: 100 },
      { promptTokens: 15, completionTokens: 120, cachedPromptTokens: 7, reasoningTokens: 100 },
    ],
  ])('the usage of a model of version 2 has %s', (_case, counts, usage) => {
    expect(toUsage(counts)).toEqual(usage)
  })

  test('the usage of a model of version 2 is unknown without counts', () => {
    expect(toUsage(unknown)).toBeUndefined()
  })
})
