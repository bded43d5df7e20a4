import { type ResponseFacts, textAnswer, type TextAnswer } from '@fairlead/core/provider'
import { scripted } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import type { Piece } from './testing/pieces.ts'
import { able, serve } from './testing/serve.ts'

describe('a completion', () => {
  test('a completion has the form of OpenAI', async () => {
    const { provider, requests } = able(textAnswer('Hello.'))
    const { ask } = await serve({ providers: [provider] })
    const { status, json, headers } = await ask('/completions', { model: 'any', prompt: ['Hi'], user: 'u1' })
    expect([status, headers.get('x-fairlead-ignored')]).toEqual([200, 'user'])
    expect(json).toMatchObject({
      id: expect.stringMatching(/^cmpl-\d+$/),
      object: 'text_completion',
      model: 'any',
      choices: [{ index: 0, text: 'Hello.', logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
    })
    expect(requests).toEqual([expect.not.objectContaining({ maxTokens: expect.anything() })])
    expect(requests[0]).toMatchObject({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] })
  })

  test('a completion streams text, and ends with a finish reason, the usage and [DONE]', async () => {
    const { stream } = await serve({ providers: [scripted('calm', 'hello there')] })
    const body = { model: 'any', prompt: 'Hi', stream_options: { include_usage: true } }
    const chunks = await stream('/completions', body)
    const choice = (text: string, finishReason: string | null) => [
      { index: 0, text, logprobs: null, finish_reason: finishReason },
    ]
    expect(chunks.slice(0, -1).map(({ choices }) => choices)).toEqual([
      choice('hello', null),
      choice(' there', null),
      choice('', 'stop'),
      [],
    ])
    expect(chunks.at(-2).usage).toMatchObject({ total_tokens: 4 })
    expect(chunks.at(-1)).toBe('[DONE]')
  })

  test.each<[string, object, string]>([
    ['several prompts', { prompt: ['a', 'b'] }, 'prompt'],
    ['tokens', { prompt: [1, 2] }, 'prompt'],
    ['echo', { echo: true }, 'echo'],
    ['log probabilities', { logprobs: 0 }, 'logprobs'],
    ['a suffix', { suffix: 'x' }, 'suffix'],
    ['best_of', { best_of: 2 }, 'best_of'],
    ['several completions', { n: 2 }, 'n'],
  ])('a completion is rejected with %s', async (_case, change, param) => {
    const { ask } = await serve()
    const { status, json } = await ask('/completions', { model: 'any', prompt: 'Hi', ...change })
    expect([status, json.error.param]).toEqual([400, param])
  })

  test('a completion is rejected without a prompt, and the message does not suggest messages', async () => {
    const { ask } = await serve()
    const { status, json } = await ask('/completions', { model: 'any' })
    expect([status, json.error.message]).toEqual([400, 'prompt is required'])
  })
})

describe('a completion of a provider with this API', () => {
  const dialect = 'openai-completions'
  const logprobs = { tokens: ['One'], token_logprobs: [-0.1], top_logprobs: null, text_offset: [0] }
  const other = { index: 1, text: 'Two', logprobs: null, finish_reason: 'length' }
  const counts = { prompt_tokens: 2, completion_tokens: 5, total_tokens: 7 }
  const response: ResponseFacts = {
    id: 'cmpl-up',
    model: 'base-1',
    native: { [dialect]: { choices: [{ stop_reason: 3, message: {} }, other], kv_transfer_params: null } },
  }
  const answer = textAnswer('One', {
    logprobs,
    response,
    usage: { promptTokens: 2, completionTokens: 5, native: { [dialect]: counts } },
  })

  async function served(whole: Partial<TextAnswer> = answer, pieces?: readonly Piece[]) {
    const { provider, requests } = able(whole, pieces)
    const client = await serve({ providers: [{ ...provider, dialects: [dialect] }] })
    return { ...client, requests }
  }

  test.each<[string, object]>([
    ['several prompts', { prompt: ['a', 'b'] }],
    ['tokens', { prompt: [1, 2] }],
    ['several lists of tokens', { prompt: [[1], [2, 3]] }],
    ['an empty prompt', { prompt: '' }],
    ['echo', { echo: true }],
    ['log probabilities', { logprobs: 0 }],
    ['a suffix', { suffix: 'x' }],
    ['best_of', { best_of: 2 }],
    ['several completions', { n: 2 }],
    ['probabilities of the prompt alone', { max_tokens: 0, echo: true, logprobs: 1 }],
    ['a field of a server', { min_tokens: 3 }],
  ])('a completion of a provider with this API is passed on with %s', async (_case, change) => {
    const { ask, requests } = await served()
    const { status, headers } = await ask('/completions', { model: 'any', prompt: 'Hi', stop: 'x', ...change })
    expect([status, headers.get('x-fairlead-ignored')]).toEqual([200, null])
    expect(requests[0]?.native).toEqual({ [dialect]: { prompt: 'Hi', stop: 'x', ...change } })
  })

  test('a completion of a provider with this API has the reply as the upstream wrote it', async () => {
    const { ask } = await served()
    const { json } = await ask('/completions', { model: 'any', prompt: ['a', 'b'], logprobs: 1 })
    expect(json).toEqual({
      id: 'cmpl-up',
      object: 'text_completion',
      created: expect.any(Number),
      model: 'base-1',
      kv_transfer_params: null,
      choices: [{ index: 0, text: 'One', logprobs, finish_reason: 'stop', stop_reason: 3 }, other],
      usage: counts,
    })
  })

  test('a completion of a provider with this API streams all choices', async () => {
    const pieces: readonly Piece[] = [
      { type: 'start', response },
      { type: 'native', dialect, data: { choices: [other] }, isAnswer: true },
      { type: 'text', text: 'One' },
    ]
    const { stream } = await served(answer, pieces)
    const body = { model: 'any', prompt: ['a', 'b'], stream_options: { include_usage: true } }
    const chunks = await stream('/completions', body)
    expect(chunks.slice(0, -1).map(({ id, choices }) => [id, choices])).toEqual([
      ['cmpl-up', [other]],
      ['cmpl-up', [{ index: 0, text: 'One', logprobs: null, finish_reason: null }]],
      ['cmpl-up', [{ index: 0, text: '', logprobs, finish_reason: 'stop' }]],
      ['cmpl-up', []],
    ])
    expect([chunks.at(-2).usage, chunks.at(-1)]).toEqual([counts, '[DONE]'])
  })

  test.each<[string, object, number, number]>([
    ['each prompt', { prompt: ['a', 'b', 'c'] }, 3, 3],
    ['each completion of each prompt', { prompt: ['a', 'b'], n: 3 }, 6, 2],
    ['the best of several', { best_of: 4 }, 4, 1],
    ['tokens by their number', { prompt: [Array.from({ length: 40 }, () => 7)] }, 1, 40],
  ])('a completion of a provider with this API is estimated for %s', async (_case, change, answers, promptTokens) => {
    const { ask, core } = await served({ parts: [{ type: 'text', text: 'four' }], usage: undefined })
    const { json } = await ask('/completions', { model: 'any', prompt: 'a', ...change })
    expect(json.usage).toMatchObject({ prompt_tokens: promptTokens, completion_tokens: answers })
    expect(core.supportsDialect('able', dialect)).toBe(true)
  })

  test('a completion of a model without this API goes on as a chat, or names the field and the fix', async () => {
    const { provider, requests } = able()
    const chatOnly = { ...provider, dialects: [dialect] as const, takesDialect: () => false }
    const { ask } = await serve({ providers: [chatOnly] })
    const plain = await ask('/completions', { model: 'any', prompt: 'Hi', min_tokens: 3 })
    expect([plain.status, plain.headers.get('x-fairlead-ignored')]).toEqual([200, 'min_tokens'])
    expect(requests[0]).not.toHaveProperty('native')
    const several = await ask('/completions', { model: 'any', prompt: ['a', 'b'] })
    expect(several.json.error).toMatchObject({
      param: 'prompt',
      message: 'prompt is not supported by "any" of the provider "able": send several requests with one each',
    })
  })
})
