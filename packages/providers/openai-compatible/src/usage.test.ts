import { describe, expect, test } from 'vitest'
import { completion, replyingWith } from './testing/ask-replying.ts'

type Source = 'from SDK types' | 'from a client’s run' | 'assumed'
type Case = [name: string, source: Source, reply: object, usage: object, isWarned?: true]

const of = (usage: object) => ({ usage })
const disagreement = {
  field: null,
  issue: 'the token counts of the server contradict each other: the smaller ones count',
}

const cases: readonly Case[] = [
  [
    'cached tokens beside the prompt, by Anthropic’s names',
    'from a client’s run',
    of({ prompt_tokens: 368, completion_tokens: 19, total_tokens: 10_923, cache_read_input_tokens: 10_536 }),
    { promptTokens: 10_904, completionTokens: 19, cachedPromptTokens: 10_536 },
  ],
  [
    'tokens read from a cache and written to it beside the prompt',
    'from SDK types',
    of({
      prompt_tokens: 8,
      completion_tokens: 20,
      total_tokens: 1_028,
      cache_read_input_tokens: 700,
      cache_creation_input_tokens: 300,
    }),
    { promptTokens: 1_008, completionTokens: 20, cachedPromptTokens: 700, cacheWriteTokens: 300 },
  ],
  [
    'cached tokens beside the prompt without a total',
    'assumed',
    of({ input_tokens: 8, output_tokens: 20, cache_read_input_tokens: 700 }),
    { promptTokens: 708, completionTokens: 20, cachedPromptTokens: 700 },
  ],
  [
    'cached tokens within the prompt, by both names',
    'assumed',
    of({
      prompt_tokens: 900,
      completion_tokens: 20,
      total_tokens: 920,
      prompt_tokens_details: { cached_tokens: 700 },
      cache_read_input_tokens: 700,
    }),
    { promptTokens: 900, completionTokens: 20, cachedPromptTokens: 700 },
  ],
  [
    'cached tokens and hidden reasoning in the total',
    'assumed',
    of({ prompt_tokens: 368, completion_tokens: 19, total_tokens: 11_023, cache_read_input_tokens: 10_536 }),
    { promptTokens: 10_904, completionTokens: 119, cachedPromptTokens: 10_536 },
  ],
  [
    'reasoning beside the answer (xAI)',
    'from SDK types',
    of({
      prompt_tokens: 32,
      completion_tokens: 9,
      total_tokens: 235,
      completion_tokens_details: { reasoning_tokens: 194 },
    }),
    { promptTokens: 32, completionTokens: 203, reasoningTokens: 194 },
  ],
  [
    'reasoning in the total alone (Gemini)',
    'from a client’s run',
    of({ prompt_tokens: 9, completion_tokens: 30, total_tokens: 139 }),
    { promptTokens: 9, completionTokens: 130 },
  ],
  [
    'audio beside the text of the prompt',
    'assumed',
    of({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 215,
      prompt_tokens_details: { audio_tokens: 200 },
    }),
    { promptTokens: 210, completionTokens: 5 },
  ],
  [
    'a total that is less than its parts',
    'assumed',
    of({ prompt_tokens: 10, completion_tokens: 50, total_tokens: 40 }),
    { promptTokens: 10, completionTokens: 30 },
    true,
  ],
  [
    'a total of 0',
    'assumed',
    of({ prompt_tokens: 10, completion_tokens: 50, total_tokens: 0 }),
    { promptTokens: 10, completionTokens: 50 },
  ],
  [
    'zeros by the names of the other API',
    'assumed',
    of({ prompt_tokens: 10, completion_tokens: 50, total_tokens: 60, input_tokens: 0, output_tokens: 0 }),
    { promptTokens: 10, completionTokens: 50 },
  ],
  [
    'other counts by the names of the other API',
    'assumed',
    of({ prompt_tokens: 10, completion_tokens: 50, input_tokens: 10, output_tokens: 70 }),
    { promptTokens: 10, completionTokens: 50 },
    true,
  ],
  [
    'Moonshot’s cached tokens',
    'assumed',
    of({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cached_tokens: 8 }),
    { promptTokens: 10, completionTokens: 5, cachedPromptTokens: 8 },
  ],
  [
    'Gemini’s names',
    'from SDK types',
    {
      usage: null,
      usage_metadata: {
        prompt_token_count: 10,
        candidates_token_count: 5,
        thoughts_token_count: 100,
        total_token_count: 115,
        cached_content_token_count: 4,
      },
    },
    { promptTokens: 10, completionTokens: 105, reasoningTokens: 100, cachedPromptTokens: 4 },
  ],
  [
    'Groq’s place',
    'from SDK types',
    { usage: null, x_groq: { usage: { prompt_tokens: 3, completion_tokens: 1 } } },
    { promptTokens: 3, completionTokens: 1 },
  ],
  [
    'counts beside the choices',
    'assumed',
    { usage: null, prompt_tokens: 3, completion_tokens: 1 },
    { promptTokens: 3, completionTokens: 1 },
  ],
  [
    'Ollama’s own names',
    'assumed',
    { usage: null, prompt_eval_count: 3, eval_count: 1 },
    { promptTokens: 3, completionTokens: 1 },
  ],
  [
    'llama.cpp’s timings',
    'assumed',
    { usage: null, timings: { prompt_n: 3, cache_n: 20, predicted_n: 9 } },
    { promptTokens: 23, completionTokens: 9, cachedPromptTokens: 20 },
  ],
  [
    'equal counts in two places',
    'from a client’s run',
    {
      usage: { prompt_tokens: 3, completion_tokens: 1 },
      x_groq: { usage: { prompt_tokens: 3, completion_tokens: 1 } },
    },
    { promptTokens: 3, completionTokens: 1 },
  ],
  [
    'other counts in two places',
    'assumed',
    {
      usage: { prompt_tokens: 3, completion_tokens: 9 },
      x_groq: { usage: { prompt_tokens: 3, completion_tokens: 1 } },
    },
    { promptTokens: 3, completionTokens: 1 },
    true,
  ],
]

const whole = {
  id: 'x',
  choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }],
}

describe.each(cases)('the usage of a reply with %s (%s)', (_name, _source, reply, usage, isWarned) => {
  const warnings = isWarned ? [disagreement] : undefined

  test('the usage of a reply is read from a whole reply', async () => {
    const { write } = await replyingWith({ json: { ...whole, ...reply } })
    const answer = await write()
    expect(answer.usage).toEqual(usage)
    expect(answer.warnings).toEqual(warnings)
  })

  test('the usage of a reply is read from the end of a stream', async () => {
    const choice = { index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }
    const { stream } = await replyingWith({ events: [{ data: { choices: [choice], ...reply } }, { data: '[DONE]' }] })
    expect((await stream()).at(-1)).toEqual(
      expect.objectContaining({ type: 'finish', usage, ...(warnings && { warnings }) }),
    )
  })
})

describe('the usage of a stream', () => {
  /** Streams pieces, each with the counts of its chunk. */
  async function counting(
    pieces: readonly string[],
    counts: readonly object[],
    place = (usage: object): object => ({ usage }),
  ) {
    const events = pieces.map((content, at) => ({
      data: { choices: [{ index: 0, delta: { content } }], ...place(counts[at] ?? {}) },
    }))
    const end = { data: { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] } }
    const { stream } = await replyingWith({ events: [...events, end, { data: '[DONE]' }] })
    const found = await stream()
    return {
      last: found.flatMap((event) => (event.type === 'finish' ? [event.usage] : []))[0],
      before: found.flatMap((event) => (event.type === 'usage' ? [event.usage.completionTokens] : [])),
    }
  }
  const many = (count: number, text = 'word') => Array.from({ length: count }, () => text)

  test('the usage of a stream is read in its choice (from a client’s run: Moonshot)', async () => {
    const choice = {
      index: 0,
      delta: { content: 'Hi' },
      finish_reason: 'stop',
      usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
    }
    const { stream } = await replyingWith({ events: [{ data: { choices: [choice] } }, { data: '[DONE]' }] })
    expect((await stream()).at(-1)).toMatchObject({ usage: { promptTokens: 3, completionTokens: 1 } })
  })

  test('the usage of a stream is the last of cumulative counts, which are reported as they grow (from SDK types: vLLM)', async () => {
    const counts = many(100).map((_, at) => ({ prompt_tokens: 5, completion_tokens: at + 1 }))
    expect(await counting(many(100), counts)).toEqual({
      last: { promptTokens: 5, completionTokens: 100 },
      before: [1, 18, 36, 56, 78],
    })
  })

  test('the usage of a stream is the sum of counts of single chunks (assumed)', async () => {
    const counts = many(100).map((_, at) => ({ prompt_tokens: at === 0 ? 5 : 0, completion_tokens: 1 + (at % 2) }))
    const { last } = await counting(many(100, 'longer'), counts)
    expect(last).toEqual({ promptTokens: 5, completionTokens: 150 })
  })

  test('the usage of a stream is the last of equal counts of the whole answer (assumed)', async () => {
    const counts = many(40).map(() => ({ prompt_tokens: 5, completion_tokens: 10 }))
    const { last } = await counting(many(40, 'x'), counts)
    expect(last).toEqual({ promptTokens: 5, completionTokens: 10 })
  })

  test('the usage of a stream is the last if the counts come only with it (assumed)', async () => {
    const counts = many(20).map((_, at) => ({ prompt_tokens: 5, completion_tokens: at === 19 ? 500 : 0 }))
    expect((await counting(many(20), counts)).last).toEqual({ promptTokens: 5, completionTokens: 500 })
  })

  test('the usage of a stream is read on after its caller has left, if the operator says so', async () => {
    const readOn = { maxMs: 30_000 }
    const { provider } = await replyingWith(completion(), { readOn })
    expect(provider).toHaveProperty('readOn', readOn)
  })
})
