import { describe, expect, test } from 'vitest'
import { able, serve } from './testing/serve.ts'

const weather = { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } }

const search = { type: 'web_search' }

/** The fields that the provider gets for a request, besides the defaults. */
async function requestFor(body: object) {
  const { provider, requests } = able()
  const { ask } = await serve({ providers: [provider] })
  const { status, json, headers } = await ask('/responses', { model: 'any', input: 'Hi', ...body })
  return { status, json, headers, request: requests[0] }
}

describe('a request for a response', () => {
  test('a request for a response leaves what is absent to the provider', async () => {
    const { request } = await requestFor({})
    expect(request).toEqual({
      model: 'any',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      reasoning: { effort: null },
    })
  })

  test('a request for a response is translated with all its settings', async () => {
    const { status, request, headers } = await requestFor({
      instructions: 'Be brief.',
      max_output_tokens: 50,
      temperature: 0.2,
      top_p: 0.9,
      tools: [{ ...weather, description: 'Weather', strict: false }],
      tool_choice: { type: 'function', name: 'get_weather' },
      parallel_tool_calls: false,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'thing', schema: { type: 'object' }, strict: true } },
      include: ['reasoning.encrypted_content'],
      store: false,
      truncation: 'disabled',
      service_tier: 'auto',
      stream: false,
    })
    expect(status).toBe(200)
    expect(headers.get('x-fairlead-ignored')).toBe('reasoning.summary')
    expect(request).toMatchObject({
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
      maxTokens: 50,
      temperature: 0.2,
      topP: 0.9,
      tools: [{ name: 'get_weather', description: 'Weather', inputSchema: weather.parameters, strict: false }],
      toolChoice: { type: 'tool', name: 'get_weather' },
      parallelToolCalls: false,
      reasoning: { effort: 'low' },
      responseFormat: { type: 'json_schema', name: 'thing', schema: { type: 'object' }, strict: true },
    })
  })

  test('a request for a response puts the items of one answer in one message, and the results of its calls in another', async () => {
    const call = (id: string) => ({
      type: 'function_call',
      call_id: id,
      name: 'get_weather',
      arguments: '{"city":"Oslo"}',
    })
    const { request } = await requestFor({
      input: [
        { role: 'developer', content: 'Be brief.' },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look:' },
            { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
          ],
        },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'abc' },
        {
          type: 'message',
          role: 'assistant',
          phase: 'commentary',
          content: [{ type: 'output_text', text: 'Wait.', annotations: [] }],
        },
        call('call_1'),
        call('call_2'),
        { type: 'function_call_output', call_id: 'call_1', output: 'Rain' },
        { type: 'function_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'Sun' }] },
      ],
    })
    const own = { id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'abc' }
    const called = { type: 'tool_call', name: 'get_weather', inputText: '{"city":"Oslo"}', input: { city: 'Oslo' } }
    expect(request?.messages).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          {
            type: 'image',
            source: { kind: 'url', url: 'https://example.com/a.png' },
            providerOptions: { openai: { detail: 'low' } },
          },
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
          { type: 'reasoning', text: 'Hm.', providerOptions: { openai: own } },
          { type: 'text', text: 'Wait.', providerOptions: { openai: { phase: 'commentary' } } },
          { ...called, id: 'call_1' },
          { ...called, id: 'call_2' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool_result', toolCallId: 'call_1', name: 'get_weather', content: [{ type: 'text', text: 'Rain' }] },
          { type: 'tool_result', toolCallId: 'call_2', name: 'get_weather', content: [{ type: 'text', text: 'Sun' }] },
        ],
      },
    ])
  })

  test.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['background', { background: true }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['input[0]', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input[0].type', { input: [{ type: 'computer_call_output', call_id: 'c1' }] }],
    ['input[0].role', { input: [{ role: 'tool', content: 'Hi' }] }],
    ['input[0].content[0].text', { input: [{ role: 'user', content: [{ type: 'input_text' }] }] }],
    ['input[0].call_id', { input: [{ type: 'function_call_output', call_id: 'call_1', output: 'Rain' }] }],
    ['input[0].arguments', { input: [{ type: 'function_call', call_id: 'a', name: 'f', arguments: 7 }] }],
    [
      'input[0].content[0].file_id',
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file_1' }] }] },
    ],
    ['input[0].encrypted_content', { input: [{ type: 'reasoning', encrypted_content: 'fairlead.W10' }] }],
    ['input', { input: undefined }],
    ['instructions', { instructions: [] }],
    ['include', { include: ['message.output_text.logprobs'] }],
    ['tools[0].type', { tools: [{ type: 'image_generation' }] }],
    ['tools[1].type', { tools: [weather, {}] }],
    ['tools[0].type', { tools: [search] }],
    ['tool_choice.type', { tools: [weather, search], tool_choice: search }],
    ['tools[0].name', { tools: [{ type: 'custom', name: { toString: 1 } }] }],
    ['tools[0].tools[0].type', { tools: [{ type: 'namespace', name: 'a', tools: [{ type: 'mcp' }] }] }],
    [
      'tools[1].tools[0].parameters',
      { tools: [weather, { type: 'namespace', name: 'a', tools: [{ ...weather, parameters: 7 }] }] },
    ],
    ['tools[0].parameters', { tools: [{ ...weather, parameters: 7 }] }],
    ['tool_choice.type', { tools: [weather, { type: 'file_search' }], tool_choice: { type: 'file_search' } }],
    ['text.format.schema', { text: { format: { type: 'json_schema', name: 'thing' } } }],
    ['reasoning.effort', { reasoning: { effort: 'huge' } }],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['metadata', { metadata: { a: 7 } }],
  ])('a request for a response fails with 400 that names %s', async (param, body) => {
    const { status, json } = await requestFor(body)
    expect([status, json.error.param]).toEqual([400, param])
    expect(json.error).toMatchObject({ type: 'invalid_request_error', message: expect.stringContaining(param) })
  })

  test('a request for a response has a field of text for a custom tool, and its grammar in the description', async () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
    const { request } = await requestFor({
      tools: [{ type: 'custom', name: 'patch', description: 'Patches files.', format }],
    })
    expect(request?.tools).toEqual([
      {
        name: 'patch',
        description: 'Patches files.\n\nThe field "input" follows this lark grammar:\nstart: "a"',
        inputSchema: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
      },
    ])
  })

  test('a request for a response names the hosted tools that a model does without', async () => {
    const { status, headers, request } = await requestFor({ tools: [weather, search, { type: 'image_generation' }] })
    expect([status, headers.get('x-fairlead-ignored')]).toEqual([200, 'web_search, image_generation'])
    expect(request?.tools).toMatchObject([{ name: 'get_weather' }])
    expect(headers.get('x-fairlead-warnings')).toBeNull()
  })

  test('a request for a response reaches a provider of the API as the client wrote it', async () => {
    const { provider, requests } = able()
    const { ask } = await serve({ providers: [{ ...provider, dialects: ['openai-responses'] }] })
    const items = [
      { type: 'additional_tools', role: 'developer', tools: [{ type: 'custom', name: 'patch' }] },
      { type: 'message', role: 'user', id: 'msg_1', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' },
      { type: 'web_search_call', id: 'ws_1', action: { type: 'search' } },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'get_weather', arguments: '{"city": "Oslo"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'Rain' },
    ]
    const fields = {
      instructions: 'Be brief.',
      tools: [weather, search, { type: 'shell' }],
      tool_choice: search,
      reasoning: { summary: 'auto', context: 'all_turns' },
      text: { verbosity: 'low' },
      include: ['message.output_text.logprobs'],
      prompt_cache_key: 'a',
    }
    const { status, headers } = await ask('/responses', { model: 'any', input: items, top_p: 1, ...fields })
    expect([status, headers.get('x-fairlead-ignored')]).toEqual([200, null])
    expect(requests[0]?.native).toEqual({ 'openai-responses': fields })
    expect(requests[0]?.messages.map(({ role, native }) => [role, native?.['openai-responses']])).toEqual([
      ['system', [items[0]]],
      ['user', [items[1]]],
      ['assistant', items.slice(2, 5)],
      ['tool', [items[5]]],
    ])
  })

  test('a request for a response says that a model without hosted tools cannot run them', async () => {
    const { json } = await requestFor({ tools: [search] })
    expect(json.error.message).toBe('tools[0].type: "any" does not search the web; models that do: none')
  })

  test('a request for a response names a hosted tool that no model can run where it is in the input', async () => {
    const user = { role: 'user', content: 'Hi' }
    const { json } = await requestFor({ input: [user, { type: 'additional_tools', tools: [{ type: 'shell' }] }] })
    expect([json.error.param, json.error.message]).toEqual([
      'input[1].tools[0].type',
      expect.stringContaining('is not supported by "any"'),
    ])
  })

  test('a request for a response leaves the items of tools that ran elsewhere out for other providers', async () => {
    const items = [
      { role: 'user', content: 'Hi' },
      { type: 'web_search_call', id: 'ws_1' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Go on.' },
    ]
    const { status, request, headers } = await requestFor({ input: items })
    expect(status).toBe(200)
    expect(request?.messages[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] })
    expect(headers.get('x-fairlead-warnings')).toMatch(/blocks of another provider were left out/)
  })

  test('a request for a response has its limit and effort lowered to what the model can take', async () => {
    const { status, request, headers } = await requestFor({ max_output_tokens: 128_000, reasoning: { effort: 'max' } })
    expect([status, request?.maxTokens, request?.reasoning]).toEqual([200, 1_000, { effort: 'max' }])
    expect(headers.get('x-fairlead-warnings')).toBe("max_output_tokens was lowered to 1000, the model's maximum")
  })

  test('a request for a response has the tools that are items of its input', async () => {
    const patch = { type: 'custom', name: 'patch' }
    const input = [
      {
        type: 'additional_tools',
        role: 'developer',
        tools: [{ type: 'namespace', name: 'functions', tools: [patch] }],
      },
      { role: 'user', content: 'Hi' },
    ]
    const { request } = await requestFor({ input, tools: [weather] })
    expect(request?.tools).toMatchObject([{ name: 'get_weather' }, { name: 'functions__patch' }])
    expect(request?.messages).toMatchObject([{ role: 'user' }])
    const { json } = await requestFor({
      input: [{ type: 'additional_tools', tools: [{ ...weather, parameters: 7 }] }, input[1]],
    })
    expect(json.error.param).toBe('input[0].tools[0].parameters')
  })

  test('a request for a response names the fields that it ignores in a header', async () => {
    const { headers } = await requestFor({
      store: true,
      truncation: 'auto',
      prompt_cache_key: 'a',
      text: { verbosity: 'low' },
      reasoning: { summary: 'auto', context: 'all_turns' },
      include: ['web_search_call.results'],
    })
    expect(headers.get('x-fairlead-ignored')).toBe(
      'store, truncation, prompt_cache_key, reasoning.summary, reasoning.context, text.verbosity, include',
    )
  })
})
