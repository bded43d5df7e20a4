import { begun, failing, scripted } from '@fairlead/testing'
import {
  type Provider,
  ProviderError,
  type TextAnswer,
  textAnswer,
  type TextEvent,
  textEvents,
} from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import type { Piece } from './testing/pieces.ts'
import { able, serve } from './testing/serve.ts'

const body = { model: 'any', messages: [{ role: 'user', content: 'Hi' }] }
const tools = ['weather', 'time'].map((name) => ({ type: 'function', function: { name } }))

const called: Partial<TextAnswer> = {
  parts: [
    { type: 'reasoning', text: 'Hm.', providerOptions: { able: { signature: 's' } } },
    {
      type: 'tool_call',
      id: 'c1',
      name: 'weather',
      inputText: '{"city":"Oslo"}',
      input: { city: 'Oslo' },
      providerOptions: { google: { thoughtSignature: 't' } },
    },
    { type: 'tool_call', id: 'c2', name: 'time', inputText: '{}', input: {} },
  ],
  finishReason: 'tool_calls',
  usage: { promptTokens: 7, completionTokens: 5, cachedPromptTokens: 3, cacheWriteTokens: 1, reasoningTokens: 2 },
}

describe('a whole chat completion', () => {
  test('a whole chat completion has the form of OpenAI, without fields that are not set', async () => {
    const { provider } = able(textAnswer('Hello.'))
    const { ask } = await serve({ providers: [provider] })
    const { status, json, headers } = await ask('/chat/completions', body)
    expect(status).toBe(200)
    const id = `chatcmpl-${headers.get('x-request-id')?.slice('req_'.length)}`
    expect(json).toEqual({
      id,
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'any',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12, prompt_tokens_details: { cached_tokens: 0 } },
    })
  })

  test('a whole chat completion has tool calls with arguments as text, reasoning, and the details of the usage', async () => {
    const { provider } = able(called)
    const { ask } = await serve({ providers: [provider] })
    const { json } = await ask('/chat/completions', { ...body, tools })
    expect(json.choices[0]).toEqual({
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        refusal: null,
        reasoning_content: 'Hm.',
        reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: '{"able":{"signature":"s"}}', index: 0 }],
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Oslo"}' },
            extra_content: { google: { thought_signature: 't' } },
          },
          { id: 'c2', type: 'function', function: { name: 'time', arguments: '{}' } },
        ],
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    })
    expect(json.usage).toMatchObject({
      prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 1 },
      completion_tokens_details: { reasoning_tokens: 2 },
    })
  })

  test.each(['length', 'content_filter'] as const)(
    'a whole chat completion says that it ended with %s',
    async (finishReason) => {
      const { provider } = able(textAnswer('Hello', { finishReason }))
      const { ask } = await serve({ providers: [provider] })
      expect((await ask('/chat/completions', body)).json.choices[0].finish_reason).toBe(finishReason)
    },
  )

  test.each(['{"city":', '[1]', '{"id": 12345678901234567890}'])(
    'a whole chat completion has %s as arguments byte for byte',
    async (text) => {
      const { provider, requests } = able(
        {
          parts: [{ type: 'tool_call', id: 'c1', name: 'weather', inputText: text }],
          finishReason: 'tool_calls',
        },
        [{ type: 'tool_call', id: 'c1', name: 'weather', inputDelta: text }],
      )
      const { ask, stream } = await serve({ providers: [provider] })
      const { json } = await ask('/chat/completions', { ...body, tools })
      const { message } = json.choices[0]
      expect(message.tool_calls[0].function.arguments).toBe(text)
      expect(JSON.stringify(await stream('/chat/completions', { ...body, tools }))).toContain(
        JSON.stringify(text).slice(1, -1),
      )
      const messages = [...body.messages, message, { role: 'tool', tool_call_id: 'c1', content: 'No JSON.' }]
      expect((await ask('/chat/completions', { ...body, tools, messages })).status).toBe(200)
      expect(requests.at(-1)?.messages[1]).toMatchObject({ content: [{ type: 'tool_call', inputText: text }] })
    },
  )

  test('a whole chat completion has a refusal with its usage, and takes it back', async () => {
    const { provider, requests } = able({ parts: [{ type: 'refusal', text: 'No.' }], finishReason: 'refusal' }, [
      { type: 'refusal', text: 'No.' },
    ])
    const { ask, stream } = await serve({ providers: [provider] })
    const { json } = await ask('/chat/completions', body)
    const message = { role: 'assistant', content: null, refusal: 'No.' }
    expect(json).toMatchObject({ choices: [{ message, finish_reason: 'stop' }], usage: { total_tokens: 12 } })
    const [first, last] = await stream('/chat/completions', body)
    expect(first).toMatchObject({ choices: [{ delta: message }] })
    expect(last).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
    await ask('/chat/completions', { ...body, messages: [...body.messages, message, ...body.messages] })
    expect(requests.at(-1)?.messages[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'No.' }] })
  })

  test('a whole chat completion can be sent back, with what its provider needs', async () => {
    const { provider, requests } = able(called)
    const { ask, stream } = await serve({ providers: [provider] })
    const { json } = await ask('/chat/completions', { ...body, tools })
    const { message } = json.choices[0]
    const results = ['c1', 'c2'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'x' }))
    await ask('/chat/completions', { ...body, tools, messages: [...body.messages, message, ...results] })
    expect(requests[1]?.messages[1]).toEqual({ role: 'assistant', content: called.parts })
    expect(await stream('/chat/completions', { ...body, tools })).toContainEqual(
      expect.objectContaining({
        choices: [expect.objectContaining({ delta: { reasoning_details: message.reasoning_details } })],
      }),
    )
  })

  test('a whole chat completion keeps reasoning that comes back as text alone', async () => {
    const { provider, requests } = able()
    const { ask } = await serve({ providers: [provider] })
    const answer = { role: 'assistant', content: 'Yes.', reasoning_content: 'Hm.' }
    await ask('/chat/completions', { ...body, messages: [...body.messages, answer, ...body.messages] })
    const content = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ]
    expect(requests[0]?.messages[1]).toEqual({ role: 'assistant', content })
  })

  test('a whole chat completion names settings that the model did not apply in a header', async () => {
    const warnings = [{ field: 'seed', issue: 'is not supported – it has no effect' }]
    const { ask } = await serve({ providers: [able(textAnswer('Hi', { warnings })).provider] })
    const { headers } = await ask('/chat/completions', { ...body, seed: 7 })
    expect(headers.get('x-fairlead-warnings')).toBe('seed is not supported ? it has no effect')
  })

  test('a whole chat completion names settings in the header of a stream if the provider reports them before it', async () => {
    const provider: Provider = {
      ...able().provider,
      async *streamText(_request, call) {
        call.warn?.([{ field: 'seed', issue: 'is not supported' }])
        yield* textEvents(['Hi'], { warnings: [{ field: 'seed', issue: 'is not supported' }] })
      },
    }
    const { ask } = await serve({ providers: [provider] })
    const { headers } = await ask('/chat/completions', { ...body, seed: 7, stream: true })
    expect(headers.get('x-fairlead-warnings')).toBe('seed is not supported')
  })
})

test('a chat completion is answered once for an Idempotency-Key', async () => {
  const { provider, requests } = able()
  const { ask, caller } = await serve({ providers: [provider] })
  const headers = { authorization: `Bearer ${caller.token}`, 'idempotency-key': 'k1' }
  const [first, again] = [await ask('/chat/completions', body, headers), await ask('/chat/completions', body, headers)]
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.json.choices).toEqual(first.json.choices)
  expect(requests).toHaveLength(1)
})

describe('a streamed chat completion', () => {
  const events: Piece[] = [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Let me ' },
    { type: 'text', text: 'look.' },
    {
      type: 'tool_call',
      id: 'c1',
      name: 'weather',
      inputDelta: '',
      providerOptions: { google: { thoughtSignature: 't' } },
    },
    { type: 'tool_call', id: 'c2', name: 'time', inputDelta: '' },
    { type: 'tool_call', id: 'c1', name: 'weather', inputDelta: '{"city":' },
    { type: 'tool_call', id: 'c1', name: 'weather', inputDelta: '"Oslo"}' },
    { type: 'finish', finishReason: 'tool_calls', usage: { promptTokens: 7, completionTokens: 5 } },
  ]

  test('a streamed chat completion begins with the role, names each tool call once, and ends with a finish reason and [DONE]', async () => {
    const { stream } = await serve({ providers: [able(events).provider] })
    const chunks = await stream('/chat/completions', { ...body, tools })
    expect(chunks.at(-1)).toBe('[DONE]')
    const choices = chunks.slice(0, -1).map(({ choices: [choice, ...others] }) => {
      expect(others).toEqual([])
      return choice
    })
    const delta = (each: object) => ({ index: 0, delta: each, finish_reason: null })
    const first = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '' } }
    expect(choices).toEqual([
      delta({ role: 'assistant', content: '', reasoning_content: 'Hm.' }),
      delta({ content: 'Let me ' }),
      delta({ content: 'look.' }),
      delta({ tool_calls: [{ index: 0, ...first, extra_content: { google: { thought_signature: 't' } } }] }),
      delta({ tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'time', arguments: '' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] }),
      delta({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] }),
      { index: 0, delta: {}, finish_reason: 'tool_calls' },
    ])
  })

  test('a streamed chat completion begins without text if it is a tool call alone, as with OpenAI', async () => {
    const { stream } = await serve({ providers: [able(events.slice(4)).provider] })
    const [first] = await stream('/chat/completions', { ...body, tools })
    expect(first.choices[0].delta).toMatchObject({ role: 'assistant', content: null, tool_calls: [{ id: 'c2' }] })
  })

  test('a streamed chat completion has the same id, time and model in all chunks', async () => {
    const { stream } = await serve({ providers: [able(events).provider] })
    const chunks = (await stream('/chat/completions', body)).slice(0, -1)
    const facts = chunks.map(({ choices: _choices, ...rest }) => rest)
    expect(facts[0]).toEqual({
      id: expect.stringMatching(/^chatcmpl-\d+$/),
      object: 'chat.completion.chunk',
      created: expect.any(Number),
      model: 'any',
    })
    expect(new Set(facts.map((each) => JSON.stringify(each))).size).toBe(1)
  })

  test('a streamed chat completion ends with the usage and no choices on request', async () => {
    const { stream } = await serve({ providers: [scripted('calm', 'hello there')] })
    const chunks = await stream('/chat/completions', { ...body, stream_options: { include_usage: true } })
    expect(chunks.at(-2)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
    })
    expect(chunks.filter((chunk) => chunk.usage !== undefined)).toHaveLength(1)
    expect(chunks.at(-1)).toBe('[DONE]')
  })

  test('a streamed chat completion has one chunk with the role if the answer is empty', async () => {
    const { stream } = await serve({ providers: [able([{ type: 'finish', finishReason: 'stop' }]).provider] })
    const [chunk, ...others] = await stream('/chat/completions', body)
    expect(chunk.choices).toEqual([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'stop' }])
    expect(others).toEqual(['[DONE]'])
  })

  test('a streamed chat completion ends with an error, and without [DONE], if the provider fails in the middle', async () => {
    const broken = {
      ...able().provider,
      async *streamText(): AsyncGenerator<TextEvent> {
        yield* begun('Hel')
        throw new ProviderError('give_up', 'the upstream is gone')
      },
    }
    const { stream } = await serve({ providers: [broken] })
    const chunks = await stream('/chat/completions', body)
    expect(chunks).toHaveLength(2)
    expect(chunks[1].error).toMatchObject({
      type: 'server_error',
      param: null,
      code: null,
      message: expect.any(String),
    })
  })

  test('a streamed chat completion is an ordinary error if the provider fails before the first chunk', async () => {
    const { ask } = await serve({ providers: [failing('down', 'give_up')] })
    const { status, json } = await ask('/chat/completions', { ...body, stream: true })
    expect([status, json?.error.type]).toEqual([502, 'server_error'])
  })
})
