import { seal } from '@fairlead/http'
import { describe, expect, test } from 'vitest'
import { readRequest } from './read-request.ts'
import { able, serve } from './testing/serve.ts'

const base = { model: 'any', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
const ephemeral = { cache_control: { type: 'ephemeral' } }

function read(body: object, { headers = {}, providers = ['anthropic'] } = {}) {
  return readRequest({ body: { ...base, ...body }, headers }, providers)
}

describe('a request of the Messages API', () => {
  test('becomes the input of generate, with everything absent left to the provider', () => {
    const { prompt, settings } = read({})
    expect({ ...prompt, ...settings }).toEqual({
      model: 'any',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      adapt: true,
      providerOptions: { anthropic: { thinking: null, output_config: { effort: null } } },
      maxTokens: 100,
      temperature: null,
      topP: null,
      frequencyPenalty: null,
      presencePenalty: null,
    })
  })

  test('has a system prompt before the messages, and tool results before the rest of a turn', () => {
    const { prompt } = read({
      system: [{ type: 'text', text: 'Be brief.', ...ephemeral }],
      messages: [
        { role: 'user', content: 'Rain?' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'find', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', is_error: true, content: [{ type: 'text', text: 'No.' }] },
            { type: 'text', text: 'Well?' },
          ],
        },
      ],
    })
    expect(prompt['messages']).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', providerOptions: { anthropic: ephemeral } }] },
      { role: 'user', content: [{ type: 'text', text: 'Rain?' }] },
      { role: 'assistant', content: [{ type: 'tool_call', id: 't1', name: 'find', input: {} }] },
      {
        role: 'tool',
        content: [{ type: 'tool_result', toolCallId: 't1', isError: true, content: [{ type: 'text', text: 'No.' }] }],
      },
      { role: 'user', content: [{ type: 'text', text: 'Well?' }] },
    ])
  })

  test.each<[object, object]>([
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aa' } },
      { type: 'image', data: 'aa', mediaType: 'image/png' },
    ],
    [
      { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
      { type: 'image', url: 'https://a.example/b.png' },
    ],
    [
      { type: 'document', title: 'Terms', source: { type: 'url', url: 'https://a.example/b.pdf' } },
      {
        type: 'file',
        mediaType: 'application/pdf',
        url: 'https://a.example/b.pdf',
        filename: 'Terms',
        providerOptions: { anthropic: { title: 'Terms' } },
      },
    ],
    [
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'né' } },
      { type: 'file', mediaType: 'text/plain', data: Buffer.from('né').toString('base64') },
    ],
    [
      {
        type: 'document',
        source: {
          type: 'content',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      },
      { type: 'text', text: 'a\n\nb' },
    ],
  ])('has the block %j as a part', (block, part) => {
    const { prompt } = read({ messages: [{ role: 'user', content: [block] }] })
    expect(prompt['messages']).toEqual([{ role: 'user', content: [part] }])
  })

  test.each<[string, object, unknown]>([
    ['no thinking', {}, undefined],
    ['disabled', { thinking: { type: 'disabled' } }, 'none'],
    ['adaptive', { thinking: { type: 'adaptive' } }, 'high'],
    ['adaptive with an effort', { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, 'xhigh'],
    ['an effort', { output_config: { effort: 'medium' } }, 'medium'],
    ['a small budget', { thinking: { type: 'enabled', budget_tokens: 1_024 } }, 'low'],
    ['a large budget', { thinking: { type: 'enabled', budget_tokens: 32_000 } }, 'high'],
  ])('has for other providers the effort of %s', (_case, body, effort) => {
    expect(read(body).prompt['reasoning']).toEqual(effort && { effort })
  })

  test('gives each provider of Anthropic all that only it understands', () => {
    const own = { top_k: 5, metadata: { user_id: 'ada' }, thinking: { type: 'adaptive' } }
    const { prompt } = read(own, { headers: { 'anthropic-beta': 'a-1,b-2' }, providers: ['anthropic', 'claude-eu'] })
    const options = { ...own, anthropic_beta: 'a-1,b-2', output_config: { effort: null } }
    expect(prompt['providerOptions']).toEqual({ anthropic: options, 'claude-eu': options })
  })

  test('takes sealed data whose options are not an object as data of Anthropic', async () => {
    const { ask } = await serve({ providers: [able().provider] })
    const data = seal({ of: 'text', options: 'abc' })
    const content = [
      { type: 'text', text: 'a' },
      { type: 'redacted_thinking', data },
    ]
    const messages = [...base.messages, { role: 'assistant', content }, ...base.messages]
    expect((await ask('/v1/messages', { ...base, messages })).status).toBe(200)
    const { prompt } = read({ messages })
    expect(prompt['messages']).toMatchObject([
      {},
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'reasoning', providerOptions: { anthropic: { data } } },
        ],
      },
      {},
    ])
  })

  test('chooses a tool of Anthropic in its own terms', () => {
    const choice = { type: 'tool', name: 'web_search' }
    const search = { type: 'web_search_20260318', name: 'web_search' }
    const { prompt } = read({ tools: [{ name: 'find', input_schema: {} }, search], tool_choice: choice })
    expect(prompt).not.toHaveProperty('toolChoice')
    expect(prompt).toMatchObject({ providerOptions: { anthropic: { tools: [search], tool_choice: choice } } })
  })
})

describe('a request of the Anthropic surface for another model', () => {
  const search = { type: 'web_search_20260318', name: 'web_search' }
  const find = { name: 'find', input_schema: { type: 'object' } }

  test('names the tools of Anthropic that the model does without', async () => {
    const { provider, requests } = able()
    const { ask } = await serve({ providers: [provider] })
    const { status, headers } = await ask('/v1/messages', { ...base, tools: [search, find] })
    expect([status, headers.get('x-fairlead-ignored')]).toEqual([200, 'web_search_20260318'])
    expect(requests[0]?.tools).toMatchObject([{ name: 'find' }])
  })

  test.each([
    ['has only such tools', { tools: [search] }],
    ['must call one', { tools: [search, find], tool_choice: { type: 'tool', name: 'web_search' } }],
  ])('is rejected if it %s', async (_case, change) => {
    const { ask } = await serve({ providers: [able().provider] })
    const { status, json } = await ask('/v1/messages', { ...base, ...change })
    expect([status, json.error.message]).toEqual([
      400,
      'tools: "any" cannot run web_search_20260318: use a model of "anthropic", or functions of your own',
    ])
  })

  test('has references to tools as text, and names fields of messages that no model gets', async () => {
    const { provider, requests } = able()
    const { ask } = await serve({ providers: [provider] })
    const content = [{ type: 'tool_reference', tool_name: 'fetch' }]
    const messages = [
      ...base.messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'find', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content }] },
      { role: 'system', content: 'Be brief.', output_config: { effort: 'low' } },
    ]
    const { status, headers } = await ask('/v1/messages', { ...base, messages, tools: [find] })
    expect([status, headers.get('x-fairlead-ignored')]).toEqual([200, 'messages[].output_config'])
    expect(requests[0]?.messages.slice(2)).toMatchObject([
      { role: 'tool', content: [{ content: [{ type: 'text', text: 'The tool fetch is available.' }] }] },
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    ])
  })
})

describe('the names in errors of the Anthropic surface', () => {
  const invalidImage = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'not base64' } }

  const asking = (block: object) => ({ messages: [{ role: 'user', content: [block] }] })
  const answering = (...content: readonly object[]) => ({
    messages: [
      ...base.messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'find', input: {} }] },
      { role: 'user', content },
    ],
  })

  test.each<[object, string]>([
    [{ max_tokens: undefined }, 'max_tokens is required'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ messages: undefined }, 'messages is required'],
    [{ messages: [] }, 'messages must not be empty'],
    [{ messages: ['Hi'] }, 'messages[0] must be an object'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user', content: [{ type: 'video' }] }] }, 'messages[0].content[0].type'],
    [
      { system: 'Be brief.', messages: [{ role: 'user', content: [invalidImage] }] },
      'messages[0].content[0].source.data',
    ],
    [{ system: [{ type: 'text', text: 7 }] }, 'system[0].text'],
    [{ system: '\0' }, 'system must not contain NUL'],
    [{ system: [{ type: 'text', text: '' }] }, 'system must not be empty'],
    [asking({ type: 'text', text: 'a', cache_control: '\0' }), 'messages[0].content[0].cache_control'],
    [asking({ type: 'document', title: '\0', source: { type: 'text', data: 'a' } }), 'messages[0].content[0].title'],
    [{ messages: [{ role: 'assistant', content: [{ type: 'thinking' }] }] }, 'messages[0].content[0].thinking'],
    [answering({ type: 'tool_result', content: 'a' }), 'messages[2].content[0].tool_use_id is required'],
    [
      answering({ type: 'tool_result', tool_use_id: 't1', content: [invalidImage] }),
      'messages[2].content[0].content[0].source.data',
    ],
    [answering({ type: 'text', text: 'a' }), 'messages[1].content[0]: this tool call has no result in a later message'],
    [{ stop_sequences: ['a', 'b', 'c', 'd', 'e'] }, 'stop_sequences'],
    [{ tools: [{ type: 'custom', name: 'a b', input_schema: {} }] }, 'tools[0].name'],
    [{ tools: [{ name: 'find' }] }, 'tools[0].input_schema'],
    [{ tool_choice: { type: 'any' } }, 'tool_choice'],
    [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
    [{ output_config: { format: { type: 'json_schema' } } }, 'output_config.format.schema'],
    [{ messages: 7 }, 'messages must be a list'],
    [{ model: undefined }, 'model'],
  ])('are those of the API for %j', async (change, expected) => {
    const { ask } = await serve({ providers: [able().provider] })
    const { status, json } = await ask('/v1/messages', { ...base, ...change })
    expect([status, json.type, json.error.type]).toEqual([400, 'error', 'invalid_request_error'])
    expect(json.error.message).toContain(expected)
  })

  test.each([
    ['thinking', 'signature'],
    ['redacted_thinking', 'data'],
  ])('are those of the API for %s with more JSON in its %s than a body may have', async (type, name) => {
    const { ask } = await serve({ providers: [able().provider] })
    const sealed = seal({ options: { any: { list: Array.from({ length: 60_000 }, () => 1) } } })
    const messages = [{ role: 'assistant', content: [{ type, thinking: 'a', [name]: sealed }] }]
    const { status, json } = await ask('/v1/messages', { ...base, messages })
    expect(status).toBe(400)
    expect(json.error.message).toContain(`messages[0].content[0].${name} is too much JSON`)
  })

  test('name the tool by its place among all tools', async () => {
    const claude = { ...able().provider, id: 'anthropic' }
    const { ask } = await serve({ providers: [claude] })
    const tools = [
      { type: 'web_search_20260318', name: 'web_search' },
      { name: 'a b', input_schema: {} },
    ]
    const { json } = await ask('/v1/messages', { ...base, tools })
    expect(json.error.message).toContain('tools[1].name')
  })
})
