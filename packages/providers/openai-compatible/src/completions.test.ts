import { collectAnswer, type Native } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { openaiCompatible } from './index.ts'
import { asked, call, replyingWith } from './testing/ask-replying.ts'

const logprobs = { tokens: ['One'], token_logprobs: [-0.1], top_logprobs: [{ One: -0.1 }], text_offset: [0] }
const usage = { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 }
const first = { index: 0, text: 'One', logprobs, finish_reason: 'length' }
const second = { index: 1, text: 'Two', logprobs: null, finish_reason: 'stop', stop_reason: 7 }
const head = { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'base' }
const reply = { json: { ...head, choices: [first, second], usage } }
const fields = { prompt: ['a', [1, 2]], n: 1, echo: true, logprobs: 1, suffix: 'z', stop: 'end', min_tokens: 2 }
const native: Native = { 'openai-completions': fields }
const eventsOf = (chunks: readonly object[]) => [...chunks.map((data) => ({ data })), { data: '[DONE]' }]
const vllm = { preset: 'vllm', id: 'vllm' } as const

describe('a client of completions', () => {
  test('a client of completions has its request sent as it wrote it to a server with this API', async () => {
    const { write, sent } = await replyingWith(reply, vllm)
    await write({ native, model: 'base', stop: ['end'], reasoning: { effort: null } })
    const { path, body } = sent()
    expect(path).toBe('/v1/completions')
    expect(body).toEqual({
      ...fields,
      model: 'base',
      max_tokens: 64,
      temperature: 0.7,
      top_p: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
    })
  })

  test('a client of completions gets all choices, probabilities, and counts of a whole reply', async () => {
    const { write } = await replyingWith(reply, vllm)
    expect(await write({ native })).toMatchObject({
      parts: [{ type: 'text', text: 'One' }],
      finishReason: 'length',
      logprobs,
      usage: { promptTokens: 5, completionTokens: 4, native: { 'openai-completions': usage } },
      response: { id: 'cmpl-1', native: { 'openai-completions': { choices: [{}, second] } } },
    })
  })

  test('a client of completions gets all choices of a stream, and asks it for counts', async () => {
    const piece = (index: number, text: string, about: object = {}) => ({
      ...head,
      choices: [{ index, text, logprobs: null, finish_reason: null, ...about }],
    })
    const chunks = [
      piece(1, 'Two'),
      piece(0, 'One', { logprobs }),
      piece(0, '', { finish_reason: 'length' }),
      piece(1, '', { finish_reason: 'stop' }),
      { ...head, choices: [], usage },
    ]
    const { stream, sent } = await replyingWith({ events: eventsOf(chunks) }, vllm)
    const events = await stream({ native })
    expect(sent().body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    const others = events.filter(({ type }) => type === 'native')
    expect(others).toEqual([
      {
        type: 'native',
        dialect: 'openai-completions',
        data: { choices: [piece(1, 'Two').choices[0]] },
        isAnswer: true,
      },
      {
        type: 'native',
        dialect: 'openai-completions',
        data: { choices: [piece(1, '', { finish_reason: 'stop' }).choices[0]] },
      },
    ])
    expect(events).toContainEqual({ type: 'part_delta', index: 0, text: 'One' })
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: 'length',
      logprobs,
      usage: { promptTokens: 5 },
    })
  })

  test('a client of completions may get a text without a character', async () => {
    const silent = { ...head, choices: [{ index: 0, text: '', finish_reason: 'stop' }], usage }
    const { write, stream, reply: answer } = await replyingWith({ json: silent }, vllm)
    expect(await write({ native })).toMatchObject({ parts: [], finishReason: 'stop' })
    answer({ events: eventsOf([silent]) })
    expect((await stream({ native })).at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' })
  })

  test('a client of completions asks for probabilities alone with a maximum of 0', async () => {
    const { write, sent } = await replyingWith(reply, vllm)
    await write({ native: { 'openai-completions': { ...fields, max_tokens: 0 } }, maxTokens: 1 })
    expect(sent().body).toMatchObject({ max_tokens: 0 })
  })

  test('a client of completions cannot set what belongs to the operator', async () => {
    const { write, sent } = await replyingWith(reply, vllm)
    const own = { ...fields, guided_grammar: 'root ::= "a"', prompt_embeds: 'AAAA' }
    const { warnings = [] } = await write({ native: { 'openai-completions': own } })
    expect(sent().body).not.toHaveProperty('guided_grammar')
    expect(sent().body).not.toHaveProperty('prompt_embeds')
    expect(warnings.map(({ field }) => field)).toEqual([
      'providerOptions.vllm.guided_grammar',
      'providerOptions.vllm.prompt_embeds',
    ])
  })

  test.each(['generateText', 'streamText'] as const)(
    'a client of completions that leaves closes its request at the upstream of %s',
    async (method) => {
      const { provider, upstream } = await replyingWith(reply, vllm)
      const controller = new AbortController()
      upstream.answer(() => controller.abort(new Error('gone')))
      const about = { ...call, signal: controller.signal }
      const answer =
        method === 'generateText'
          ? provider.generateText({ ...asked, native }, about)
          : collectAnswer(provider.streamText({ ...asked, native }, about))
      await expect(answer).rejects.toThrow('gone')
      await upstream.requests[0]!.hungUp
    },
  )
})

describe('the models with completions', () => {
  test.each([
    ['gpt-3.5-turbo-instruct', true],
    ['davinci-002', true],
    ['ft:babbage-002:org::1', true],
    ['gpt-4.1', false],
  ])('the models with completions of OpenAI are those that say so: %s', (model, expected) => {
    const { takesDialect } = openaiCompatible({ preset: 'openai', apiKey: 'sk-fine' })
    expect(takesDialect?.('openai-completions', model)).toBe(expected)
    expect(takesDialect?.('openai-chat', model)).toBe(true)
  })

  test('the models with completions are all of a server that the operator names', () => {
    const server = { id: 'mine', baseUrl: 'http://127.0.0.1:1/v1' }
    expect(openaiCompatible(server).dialects).toBeUndefined()
    const { dialects, takesDialect } = openaiCompatible({ ...server, dialect: { completions: true } })
    expect([dialects, takesDialect]).toEqual([['openai-completions'], undefined])
  })
})
