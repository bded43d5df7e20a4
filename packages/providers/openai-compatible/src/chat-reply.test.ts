import { answerText } from '@fairlead/core/provider'
import { describe, expect, test, vi } from 'vitest'
import { asked, call, completion, replyingWith } from './testing/ask-replying.ts'

/** The usage of an answer whose usage on the wire is this. */
async function usageFor(usage: unknown) {
  return (await (await replyingWith(completion({ content: 'Hello' }, {}, usage))).write()).usage
}

async function answerFor(message: object, about: object = {}) {
  return (await replyingWith(completion(message, about))).write()
}

describe('a chat reply', () => {
  test('a chat reply returns the texts, the reasoning, and other blocks of a message in parts', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hmm' }] },
      { type: 'text', text: 'Hel' },
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: 'lo' },
    ]
    expect((await answerFor({ content })).parts).toEqual([
      { type: 'reasoning', text: 'hmm' },
      { type: 'text', text: 'Hello' },
      {
        type: 'opaque',
        provider: 'acme',
        dialect: 'openai-chat',
        kind: 'reference',
        data: { type: 'reference', reference_ids: [1] },
      },
    ])
  })

  test('a chat reply returns the text without the reasoning beside it', async () => {
    const message = { content: 'Hello', reasoning_content: 'hmm', reasoning: 'hmm' }
    expect(answerText(await answerFor(message))).toBe('Hello')
  })

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
    ['eos', 'stop'],
  ])('a chat reply maps the finish reason %s to %s', async (wire, finishReason) => {
    expect(await answerFor({ content: 'Hello' }, { finish_reason: wire })).toMatchObject({ finishReason })
  })

  test.each([
    ['vLLM', { stop_reason: 'END' }, 'END'],
    ['vLLM, for a token', { stop_reason: 128_009 }, undefined],
    ['vLLM, for the end', { stop_reason: null }, undefined],
    ['SGLang', { matched_stop: 'END' }, 'END'],
    ['SGLang, for a token', { matched_stop: 128_009 }, undefined],
  ])('a chat reply reads the stop sequence of %s', async (_server, about, stopSequence) => {
    const { finishReason, ...answer } = await answerFor({ content: 'Hello' }, about)
    expect([finishReason, answer.stopSequence]).toEqual(['stop', stopSequence])
  })

  test('a chat reply returns an empty text that the filter removed', async () => {
    expect(await answerFor({ content: null }, { finish_reason: 'content_filter' })).toMatchObject({
      parts: [],
      finishReason: 'content_filter',
    })
  })

  test('a chat reply returns a refusal as an answer with its usage', async () => {
    expect(await answerFor({ content: null, refusal: 'I can’t help with that.' })).toMatchObject({
      parts: [{ type: 'refusal', text: 'I can’t help with that.' }],
      finishReason: 'refusal',
      usage: expect.anything(),
    })
  })

  test.each(['error', 'insufficient_system_resource'])(
    'a chat reply rejects the finish reason %s',
    async (finish_reason) => {
      await expect(answerFor({ content: 'Hel' }, { finish_reason })).rejects.toMatchObject({ failure: 'retry' })
    },
  )

  test.each([null, undefined, '', ' '])(
    'a chat reply returns a complete reply whose finish reason is %j with a warning',
    async (reason) => {
      expect(await answerFor({ content: 'Hello' }, { finish_reason: reason })).toMatchObject({
        finishReason: 'stop',
        warnings: [{ field: null, issue: 'the provider did not say why the answer ended' }],
      })
    },
  )

  test('a chat reply counts cached, written, and reasoning tokens', async () => {
    const openai = {
      prompt_tokens: 9,
      completion_tokens: 30,
      total_tokens: 39,
      prompt_tokens_details: { cached_tokens: 4 },
    }
    expect(await usageFor(openai)).toEqual({ promptTokens: 9, completionTokens: 30, cachedPromptTokens: 4 })
    const written = { ...openai, prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 5 } }
    expect(await usageFor(written)).toEqual({
      promptTokens: 9,
      completionTokens: 30,
      cachedPromptTokens: 4,
      cacheWriteTokens: 5,
    })
    const xai = { prompt_tokens: 9, completion_tokens: 30, total_tokens: 139 }
    expect(await usageFor(xai)).toEqual({ promptTokens: 9, completionTokens: 130 })
    const deepseek = { prompt_tokens: 9, completion_tokens: 30, prompt_cache_hit_tokens: 8 }
    expect(await usageFor(deepseek)).toEqual({ promptTokens: 9, completionTokens: 30, cachedPromptTokens: 8 })
  })

  test('a chat reply warns about reasoning tokens when maxTokens is reached', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 64, completion_tokens_details: { reasoning_tokens: 60 } }
    const { write } = await replyingWith(completion({ content: '' }, { finish_reason: 'length' }, usage))
    expect(await write()).toMatchObject({
      finishReason: 'length',
      warnings: [{ field: 'maxTokens', issue: '60 of the tokens were used for reasoning' }],
    })
  })

  test.each([null, undefined, {}, { prompt_tokens: -1, completion_tokens: 2 }, { prompt_tokens: 1.5 }, 'many'])(
    'a chat reply returns no usage for the counts %o',
    async (usage) => {
      expect(await usageFor(usage ?? null)).toBeUndefined()
    },
  )
})

describe('a streamed chat reply', () => {
  const text = (content: unknown) => ({ data: { choices: [{ index: 0, delta: { content }, finish_reason: null }] } })
  const end = (about: object = {}) => ({
    data: { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...about },
  })
  const done = { data: '[DONE]' }
  const started = { type: 'part_start', index: 0, part: { type: 'text', text: '' } }
  const ended = { type: 'part_end', index: 0 }
  const aText = ['part_start', 'part_delta', 'part_end']

  test('a streamed chat reply reports counts that come before the end once, and the last ones at the end', async () => {
    const counted = (chunk: { readonly data: object }, completion_tokens: number) => ({
      data: { ...chunk.data, usage: { prompt_tokens: 5, completion_tokens } },
    })
    const events = [counted(text('Hel'), 1), counted(text('lo'), 2), counted(end(), 2), done]
    const { stream } = await replyingWith({ events })
    expect(await stream()).toEqual([
      { type: 'usage', usage: { promptTokens: 5, completionTokens: 1 } },
      started,
      { type: 'part_delta', index: 0, text: 'Hel' },
      { type: 'part_delta', index: 0, text: 'lo' },
      ended,
      { type: 'finish', finishReason: 'stop', usage: { promptTokens: 5, completionTokens: 2 } },
    ])
    const usual = await replyingWith({ events: [text('Hello'), counted(end(), 2), done] })
    expect((await usual.stream()).map(({ type }) => type)).toEqual([...aText, 'finish'])
  })

  test('a streamed chat reply reports that the upstream is alive for comments and empty chunks, up to the finish reason', async () => {
    const empty = JSON.stringify(text('').data)
    const pings = `: OPENROUTER PROCESSING\n\ndata: ${empty}\n\n: OPENROUTER PROCESSING\n\n`
    const rest = [text('Hi'), end()].map(({ data }) => `data: ${JSON.stringify(data)}\n\n`).join('')
    const { provider } = await replyingWith({
      text: `${pings}${rest}data: [DONE]\n\n`,
      headers: { 'content-type': 'text/event-stream' },
    })
    const types: string[] = []
    for await (const { type } of provider.streamText(asked, call)) types.push(type)
    expect(types).toEqual(['alive', 'alive', 'alive', ...aText, 'finish'])
  })

  test('a streamed chat reply skips the filter results that Azure sends first', async () => {
    const filter = { data: { choices: [], prompt_filter_results: [{ prompt_index: 0 }] } }
    const { stream } = await replyingWith({ events: [filter, text('Hi'), end(), done] })
    expect(await stream()).toEqual([
      started,
      { type: 'part_delta', index: 0, text: 'Hi' },
      ended,
      { type: 'finish', finishReason: 'stop' },
    ])
  })

  test.each<[string, object[]]>([
    ['after its end', [end(), { data: { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } } }]],
    ['with its end', [end({ usage: { prompt_tokens: 3, completion_tokens: 1 } })]],
    ['where Groq puts it', [end({ x_groq: { usage: { prompt_tokens: 3, completion_tokens: 1 } } })]],
  ])('a streamed chat reply reads the token counts %s', async (_case, last) => {
    const { stream } = await replyingWith({ events: [text('Hi'), ...(last as (typeof done)[]), done] })
    expect((await stream()).at(-1)).toMatchObject({ usage: { promptTokens: 3, completionTokens: 1 } })
  })

  test('a streamed chat reply names the stop sequence of vLLM', async () => {
    const last = { data: { choices: [{ index: 0, delta: {}, finish_reason: 'stop', stop_reason: 'END' }] } }
    const { stream } = await replyingWith({ events: [text('Hi'), last, done] })
    expect((await stream()).at(-1)).toEqual({ type: 'finish', finishReason: 'stop', stopSequence: 'END' })
  })

  test('a streamed chat reply is complete without an end mark if it has a finish reason', async () => {
    const { stream } = await replyingWith({ events: [text('Hi'), end()] })
    expect((await stream()).at(-1)).toMatchObject({ type: 'finish' })
  })

  test.each<[string, (typeof done)[]]>([
    ['just ends', [text('Hi') as never]],
    ['says nothing', [done]],
    [
      'reports an error',
      [text('Hi') as never, { data: { error: { message: 'overloaded', type: 'server_error' } } } as never, done],
    ],
    [
      'ends with an error',
      [text('Hi') as never, { data: { choices: [{ delta: {}, finish_reason: 'error' }] } } as never, done],
    ],
  ])('a streamed chat reply fails if it %s', async (_case, events) => {
    const { stream } = await replyingWith({ events })
    await expect(stream()).rejects.toMatchObject({ name: 'ProviderError', failure: 'retry' })
  })

  test('a streamed chat reply ends with a warning if it says that it is done, and not why', async () => {
    const { stream } = await replyingWith({ events: [text('Hi'), done] })
    expect((await stream()).at(-1)).toEqual({
      type: 'finish',
      finishReason: 'stop',
      warnings: [{ field: null, issue: 'the provider did not say why the answer ended' }],
    })
  })

  test('a streamed chat reply passes on the pieces of a refusal', async () => {
    const refusing = (refusal: string) => ({ data: { choices: [{ delta: { refusal }, finish_reason: null }] } })
    const { stream } = await replyingWith({ events: [refusing('I can’t '), refusing('do that.'), end(), done] })
    expect(await stream()).toMatchObject([
      { type: 'part_start', part: { type: 'refusal' } },
      { type: 'part_delta', text: 'I can’t ' },
      { type: 'part_delta', text: 'do that.' },
      { type: 'part_end' },
      { type: 'finish', finishReason: 'refusal' },
    ])
  })

  test('a streamed chat reply reports ignored parameters before it and with its finish event', async () => {
    const { provider, stream } = await replyingWith({ events: [text('Hi'), end(), done] }, { preset: 'xai' })
    const warnings = [expect.objectContaining({ field: 'stop' })]
    expect((await stream({ stop: ['x'] })).at(-1)).toMatchObject({ warnings })
    const warn = vi.fn<(warnings: readonly object[]) => void>()
    for await (const event of provider.streamText({ ...asked, stop: ['x'] }, { ...call, warn })) void event
    expect(warn).toHaveBeenCalledExactlyOnceWith(warnings)
  })
})
