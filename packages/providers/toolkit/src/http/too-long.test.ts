import { openTestUpstream, type RecordedReply, replaying, testClock } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { createHttpClient } from '../index.ts'
import { contextWordings, exceedsContext, requestedBeyondLimit } from './too-long.ts'

describe('exceedsContext', () => {
  // Each message with its origin: "issue" is a public report, "source" another program that reads it, "assumed" neither.
  test.each<[string, string, string]>([
    [
      'OpenAI',
      'issue',
      "This model's maximum context length is 4097 tokens. However, your messages resulted in 7575 tokens. Please reduce the length of the messages.",
    ],
    [
      'OpenAI, Responses',
      'source',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ],
    [
      'DeepSeek',
      'issue',
      "This model's maximum context length is 131072 tokens. However, you requested 141403 tokens (133211 in the messages, 8192 in the completion).",
    ],
    [
      'OpenRouter',
      'source',
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens.",
    ],
    ['Poolside', 'source', 'Input length 300000 exceeds the maximum allowed input length of 262144 tokens.'],
    [
      'vLLM, decoder prompt',
      'issue',
      'The decoder prompt (length 21535) is longer than the maximum model length of 16384. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    ],
    ['vLLM, prompt', 'issue', 'Prompt length of 5016 is longer than the maximum model length of 4096.'],
    [
      'vLLM, completion',
      'issue',
      "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
    ],
    ['SGLang', 'source', "The input (140000 tokens) is longer than the model's context length (131072 tokens)."],
    [
      'Together',
      'issue',
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 80125 `inputs` tokens and 4096 `max_new_tokens`',
    ],
    ['TGI', 'issue', 'Input validation error: `inputs` must have less than 1024 tokens. Given: 1168'],
    ['Anthropic', 'issue', 'prompt is too long: 219898 tokens > 200000 maximum'],
    [
      'Anthropic, completion',
      'source',
      'input length and `max_tokens` exceed context limit: 197202 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    ],
    ['Fireworks', 'assumed', 'The prompt is too long: 200000, model maximum context length: 131071'],
    ['Bedrock', 'issue', 'Input is too long for requested model.'],
    ['Bedrock, Titan', 'source', 'Too many input tokens. Max input tokens: 8192, request input token count: 9279'],
    ['DashScope', 'issue', '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]'],
    ['Groq', 'source', 'Please reduce the length of the messages or completion.'],
    [
      'Cerebras',
      'assumed',
      'Please reduce the length of the messages or completion. Current length is 15203 while limit is 8192',
    ],
    [
      'Cohere',
      'issue',
      'too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt or a smaller max_tokens value.',
    ],
    ['Gemini', 'issue', 'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).'],
    ['xAI', 'source', "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    ['Moonshot', 'issue', 'Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)'],
    [
      'Mistral',
      'source',
      'Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
    ],
    ['llama.cpp', 'issue', 'the request exceeds the available context size. try increasing the context size'],
    ['llama-cpp-python', 'issue', 'Requested tokens (2285) exceed context window of 2048'],
    ['Ollama', 'source', 'prompt too long; exceeded max context length by 5000 tokens'],
    ['Ollama, embeddings', 'assumed', 'the input length exceeds the context length'],
    [
      'LM Studio',
      'issue',
      'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    ],
    [
      'LM Studio, older',
      'issue',
      'Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough.',
    ],
    ['GitHub Copilot', 'source', 'prompt token count of 130000 exceeds the limit of 128000'],
    ['MiniMax', 'source', 'invalid params, context window exceeds limit (2013)'],
    ['Z.ai', 'assumed', 'Prompt exceeds max length'],
  ])('exceedsContext knows the words of %s (%s)', (_server, _origin, message) => {
    expect(exceedsContext(message, 'invalid_request')).toBe(true)
    // Xinference sends vLLM's words with status 500.
    expect(exceedsContext(`[address=0.0.0.0:43769] ${message}`, 'retry')).toBe(true)
  })

  test.each([
    ['invalid_request', 'max_tokens: 200000 > 128000, which is the maximum allowed number of output tokens'],
    ['invalid_request', 'messages.0.content: text content blocks must be non-empty'],
    ['rate_limited', 'Too many tokens, please wait before trying again.'],
    ['retry', 'context length: internal error'],
    ['credential', 'prompt is too long'],
  ] as const)('exceedsContext does not take a failure of the class %s for it: %s', (failure, message) => {
    expect(exceedsContext(message, failure)).toBe(false)
  })

  test('exceedsContext names the source of each wording', () => {
    for (const { source } of contextWordings) expect(source).toMatch(/^https:\/\/|^assumed/)
  })
})

const groq =
  'Request too large for model `llama-3.1-8b-instant` in organization `org_01hw8f0aa0ekmrn70ffm2zkdv1` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 90000, please reduce your message size and try again.'
const openai =
  'Request too large for gpt-4o (for limit gpt-4o) in organization org-vyUrKHsIdLcZGKR3zqCqllrS on tokens per min (TPM): Limit 30000, Requested 61337. The input or output tokens must be reduced in order to run successfully.'

describe('requestedBeyondLimit', () => {
  test.each<[string, string, number]>([
    ['Groq, from an issue', groq, 90_000],
    ['OpenAI, from an issue', openai, 61_337],
    [
      'Azure, assumed',
      'Rate limit exceeded: the request has 90,000 tokens, the token limit is 10,000 per minute.',
      90_000,
    ],
    [
      'Anthropic through a gateway, assumed',
      'This request would exceed the rate limit of 40,000 input tokens per minute (limit: 40000, requested: 52000)',
      52_000,
    ],
    ['another order, assumed', 'Requested 90000 tokens, which exceeds the limit of 6000 tokens per minute', 90_000],
    ['no numbers, assumed', 'Request too large for gpt-4o. Reduce it.', 0],
  ])('requestedBeyondLimit is the size of a request that exceeds the whole limit (%s)', (_origin, message, tokens) => {
    expect(requestedBeyondLimit(message)).toBe(tokens)
  })

  test.each([
    [
      'Groq, from an issue',
      'Rate limit reached for model `llama-3.1-8b-instant` on tokens per minute (TPM): Limit 6000, Used 5034, Requested 1443. Please try again in 4.77s.',
    ],
    [
      'OpenAI, from an issue',
      'Rate limit reached for gpt-4o in organization org-uOtiSEwvUnroadaOnJJquBEC on tokens per min (TPM): Limit 30000, Used 29937, Requested 385. Please try again in 644ms.',
    ],
    [
      'Anthropic, from an issue',
      'This request would exceed the rate limit for your organization (7f54fbff-3504-477a-b4a2-08359988239d) of 40,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.',
    ],
    [
      'Azure, from an issue',
      'Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-05-01-preview have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 9 seconds.',
    ],
  ])('requestedBeyondLimit is undefined for a request that may pass later (%s)', (_origin, message) => {
    expect(requestedBeyondLimit(message)).toBeUndefined()
  })
})

describe('a client with one key', () => {
  async function asking(reply: RecordedReply) {
    const upstream = await openTestUpstream()
    const clock = testClock()
    const client = createHttpClient({
      id: 'acme',
      baseUrl: upstream.url,
      apiKey: 'key-one',
      clock,
      explainError: ({ body }) => ({ failure: 'rate_limited', message: (body as { message: string }).message }),
    })
    onTestFinished(async () => {
      await client.close()
      await upstream.close()
    })
    upstream.answer(replaying(reply))
    const ask = () => client.getJson({ path: '/x', schema: z.object({}), signal: new AbortController().signal })
    return { ask, clock, upstream }
  }

  test.each([
    [413, groq, 90_000],
    [413, 'Slow down.', undefined],
    [429, openai, 61_337],
  ])(
    'a client with one key does not suspend it after a %i for a request that never fits: %s',
    async (status, message, neededTokens) => {
      const { ask, upstream } = await asking({ status, headers: { 'retry-after': '60' }, json: { message } })
      await expect(ask()).rejects.toMatchObject({ failure: 'too_long', retryAfterMs: undefined, neededTokens })
      upstream.answer(replaying({ json: {} }))
      await expect(ask()).resolves.toEqual({})
    },
  )

  test('a client with one key names neither the account nor the project of the operator in what callers see', async () => {
    const { ask } = await asking({ status: 429, json: { message: openai } })
    await expect(ask()).rejects.toMatchObject({
      message: expect.stringContaining('org-vyUrKHsIdLcZGKR3zqCqllrS'),
      detail: expect.stringMatching(/^Request too large for gpt-4o \(for limit gpt-4o\) in organization on tokens/),
    })
  })

  test.each([
    ['Please try again in 6ms.', 6],
    ['Please try again in 4.77s. Need more tokens?', 4_770],
    ['Please try again in 1m2.5s.', 62_500],
    ['Please retry after 26 seconds. Please go here', 26_000],
    ['Rate limit is exceeded. Try again in 2 minutes', 120_000],
    ['Please try again later.', 1_000],
  ])('a client with one key suspends it as long as the message says, and no longer: %s', async (message, delayMs) => {
    const { ask, clock, upstream } = await asking({ status: 429, json: { message } })
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited', retryAfterMs: delayMs })
    upstream.answer(replaying({ json: {} }))
    clock.advance(Math.min(delayMs, 60_000) - 1)
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited' })
    clock.advance(1)
    await expect(ask()).resolves.toEqual({})
  })
})
