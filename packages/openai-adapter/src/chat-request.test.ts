import { describe, expect, test } from 'vitest'
import { able, serve } from './testing/serve.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const user = { role: 'user', content: 'Hi' }
const weather = {
  type: 'function',
  function: { name: 'weather', description: 'Tells it.', parameters: { type: 'object' }, strict: null },
}

async function translated(body: object) {
  const { provider, requests } = able()
  const { ask } = await serve({ providers: [provider] })
  const reply = await ask('/chat/completions', { model: 'any', messages: [user], ...body })
  return { reply, request: requests[0] }
}

describe('a request for a chat completion', () => {
  test('a request for a chat completion leaves absent settings to the provider', async () => {
    const { request } = await translated({ temperature: null, max_tokens: null, seed: null, tools: [], stop: null })
    expect(request).toEqual({
      model: 'any',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      reasoning: { effort: null },
    })
  })

  test.each(['/chat/completions', '/completions'])('%s lowers a limit above that of the model', async (path) => {
    const { provider, requests } = able()
    const { ask } = await serve({ providers: [provider] })
    const content = path === '/completions' ? { prompt: 'Hi' } : { messages: [user] }
    const { headers } = await ask(path, { model: 'any', ...content, max_tokens: 1_001 })
    expect(requests).toMatchObject([{ maxTokens: 1_000, reasoning: { effort: null } }])
    expect(headers.get('x-fairlead-warnings')).toBe("max_tokens was lowered to 1000, the model's maximum")
  })

  test('a request for a chat completion passes all settings on', async () => {
    const { request, reply } = await translated({
      max_completion_tokens: 50,
      max_tokens: 60,
      temperature: 0.5,
      top_p: 0.9,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      seed: 7,
      stop: 'END',
      n: 1,
      reasoning_effort: 'low',
      parallel_tool_calls: false,
      tools: [weather],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      response_format: { type: 'json_schema', json_schema: { name: 'out', schema: { type: 'object' }, strict: true } },
      provider_options: { able: { verbosity: 'low' } },
    })
    expect(reply.headers.get('x-fairlead-ignored')).toBeNull()
    expect(request).toMatchObject({
      maxTokens: 50,
      temperature: 0.5,
      topP: 0.9,
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      seed: 7,
      stop: ['END'],
      reasoning: { effort: 'low' },
      parallelToolCalls: false,
      tools: [{ name: 'weather', description: 'Tells it.', inputSchema: { type: 'object' } }],
      toolChoice: { type: 'tool', name: 'weather' },
      responseFormat: { type: 'json_schema', name: 'out', schema: { type: 'object' }, strict: true },
      providerOptions: { able: { verbosity: 'low' } },
    })
  })

  test.each([
    ['max_tokens', { max_tokens: 9 }],
    ['max_completion_tokens', { max_completion_tokens: 9 }],
  ])('a request for a chat completion takes %s', async (_name, body) => {
    expect((await translated(body)).request).toMatchObject({ maxTokens: 9 })
  })

  test.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'required' }],
  ])('a request for a chat completion takes the tool choice %s', async (choice, toolChoice) => {
    expect((await translated({ tools: [weather], tool_choice: choice })).request).toMatchObject({ toolChoice })
  })

  test('a request for a chat completion takes the response format json_object', async () => {
    const { request } = await translated({ response_format: { type: 'json_object' } })
    expect(request).toMatchObject({ responseFormat: { type: 'json' } })
  })

  test('a request for a chat completion names the fields that it ignores', async () => {
    const { reply } = await translated({
      user: 'u1',
      store: false,
      logit_bias: {},
      logprobs: false,
      service_tier: null,
      'a name, with\nother characters': 1,
    })
    expect([reply.status, reply.headers.get('x-fairlead-ignored')]).toEqual([200, 'user, store, logit_bias'])
  })

  test.each<[string, object, string, RegExp]>([
    ['no messages', { messages: undefined }, 'messages', /^messages is required$/],
    ['messages that are text', { messages: 'Hi' }, 'messages', /must be a list/],
    ['an unknown role', { messages: [{ role: 'robot' }] }, 'messages[0].role', /must be "developer"/],
    [
      'the role function',
      { messages: [{ role: 'function', content: 'x' }] },
      'messages[0].role',
      /not supported by "any"/,
    ],
    ['no content', { messages: [{ role: 'user' }] }, 'messages[0].content', /is required/],
    [
      'audio',
      { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      'messages[0].content[0].type',
      /not supported by "any"/,
    ],
    ['several completions', { n: 2 }, 'n', /not supported by "any"/],
    ['log probabilities', { logprobs: true }, 'logprobs', /not supported/],
    ['audio output', { modalities: ['text', 'audio'] }, 'modalities', /not supported by "any"/],
    ['functions', { functions: [] }, 'functions', /not supported by "any"/],
    ['a web search', { web_search_options: {} }, 'web_search_options', /"any" does not search the web/],
    [
      'a custom tool without a name',
      { tools: [{ type: 'custom', custom: {} }] },
      'tools[0].custom.name',
      /is required/,
    ],
    ['another kind of tool', { tools: [{ type: 'web_search' }] }, 'tools[0].type', /not supported by "any"/],
    ['a tool without a name', { tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name', /./],
    ['a temperature of 3', { temperature: 3 }, 'temperature', /^temperature must be between 0 and 2$/],
    ['a top_p of text', { top_p: '1' }, 'top_p', /^top_p must be a number/],
    [
      'a format without a schema',
      { response_format: { type: 'json_schema', json_schema: {} } },
      'response_format.json_schema.schema',
      /is required/,
    ],
    ['an unknown effort', { reasoning_effort: 'most' }, 'reasoning_effort', /^reasoning_effort must be one of/],
    [
      'a choice that is no tool',
      { tools: [weather], tool_choice: { type: 'function', function: { name: 'x' } } },
      'tool_choice.function.name',
      /must be one of the tools/,
    ],
  ])('a request for a chat completion is rejected with %s', async (_case, body, param, message) => {
    const { reply, request } = await translated(body)
    expect([reply.status, reply.json.error.param, reply.json.error.type]).toEqual([400, param, 'invalid_request_error'])
    expect(reply.json.error.message).toMatch(message)
    expect(request).toBeUndefined()
  })
})

describe('the messages of a chat completion', () => {
  test('the messages of a chat completion are those of core', async () => {
    const { request } = await translated({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'system', content: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }] },
        {
          role: 'user',
          name: 'ada',
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${png}`, detail: 'auto' } },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          refusal: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
            { id: 'c2', type: 'function', function: { name: 'weather', arguments: '' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'Rain' },
        { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'Sun' }] },
        { role: 'assistant', content: '' },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
        { role: 'user', content: 'Why?' },
      ],
      tools: [weather],
    })
    expect(request?.messages).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'system',
        content: [
          { type: 'text', text: 'Be kind.', providerOptions: { anthropic: { cache_control: { type: 'ephemeral' } } } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          {
            type: 'image',
            source: { kind: 'url', url: 'https://example.com/a.png' },
            providerOptions: { openai: { detail: 'low' } },
          },
          { type: 'image', source: { kind: 'data', data: png, mediaType: 'image/png' } },
          {
            type: 'file',
            source: { kind: 'data', data: 'JVBERi0=', mediaType: 'application/pdf' },
            filename: 'a.pdf',
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool_call', id: 'c1', name: 'weather', inputText: '{"city":"Oslo"}', input: { city: 'Oslo' } },
          { type: 'tool_call', id: 'c2', name: 'weather', inputText: '{}', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool_result', toolCallId: 'c1', name: 'weather', content: [{ type: 'text', text: 'Rain' }] },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'tool_result', toolCallId: 'c2', name: 'weather', content: [{ type: 'text', text: 'Sun' }] }],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'No.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Why?' }] },
    ])
  })

  const call = (change: object = {}) => ({
    role: 'assistant',
    content: 'Let me see.',
    reasoning_content: 'Hm.',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' }, ...change }],
  })

  test.each<[string, object[], string]>([
    [
      'arguments with 100,001 values',
      [user, call({ function: { name: 'x', arguments: `{"a":[${'1,'.repeat(60_000)}1]}` } })],
      'messages[1].tool_calls[0].function.arguments',
    ],
    [
      'arguments of more than 5,000,000 characters',
      [user, call({ function: { name: 'x', arguments: `{"a":"${'x'.repeat(5_000_000)}"}` } })],
      'messages[1].tool_calls[0].function.arguments',
    ],
    ['a call without an id', [user, call({ id: undefined })], 'messages[1].tool_calls[0].id'],
    ['a call without a name', [user, call({ function: {} })], 'messages[1].tool_calls[0].function.name'],
    ['a call without a result', [user, call(), user], 'messages[1].tool_calls[0]'],
    [
      'a result without a call',
      [user, { role: 'assistant', content: '' }, { role: 'tool', tool_call_id: 'c9', content: 'x' }],
      'messages[2].tool_call_id',
    ],
    [
      'an image over http',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://x.y/z.png' } }] }],
      'messages[0].content[0]',
    ],
    [
      'an image without a URL',
      [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }],
      'messages[0].content[0].image_url.url',
    ],
    [
      'a stored file',
      [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }],
      'messages[0].content[0].file.file_id',
    ],
    [
      'a text that is a number',
      [{ role: 'user', content: [{ type: 'text', text: 7 }] }],
      'messages[0].content[0].text',
    ],
    [
      'an empty message',
      [user, { role: 'assistant', content: '' }, { role: 'user', content: '' }],
      'messages[2].content',
    ],
  ])(
    'the messages of a chat completion are rejected with %s, with the field as the client spelled it',
    async (_case, messages, param) => {
      const { reply } = await translated({ messages })
      expect([reply.status, reply.json.error.param]).toEqual([400, param])
      expect(reply.json.error.message).toMatch(param)
    },
  )
})
