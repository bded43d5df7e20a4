import { textAnswer } from '@fairlead/core/provider'
import { scripted } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
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
