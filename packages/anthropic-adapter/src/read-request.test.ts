import { seal } from '@fairlead/http'
import { describe, expect, test } from 'vitest'
import { readRequest } from './read-request.ts'
import { able, serve } from './testing/serve.ts'

const base = { model: 'any', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
const find = { name: 'find', input_schema: { type: 'object' } }
const ephemeral = { cache_control: { type: 'ephemeral' } }

function read(body: object, { headers = {}, providers = ['anthropic'] } = {}) {
  return readRequest(
    { body: { ...base, ...body }, headers, core: { supportsDialect: () => false, searchesWeb: () => false } },
    providers,
  )
}

describe('a request of the Messages API', () => {
  test('a request of the Messages API becomes the input of generate, with everything absent left to the provider', () => {
    const { prompt, settings } = read({})
    expect({ ...prompt, ...settings }).toEqual({
      model: 'any',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      adapt: true,
      maxTokens: 100,
      temperature: null,
      topP: null,
      frequencyPenalty: null,
      presencePenalty: null,
    })
  })

  test('a request of the Messages API has a system prompt before the messages, and tool results before the rest of a turn', () => {
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
  ])('a request of the Messages API has the block %j as a part', (block, part) => {
    const { prompt } = read({ messages: [{ role: 'user', content: [block] }] })
    expect(prompt['messages']).toEqual([{ role: 'user', content: [part] }])
  })

  test.each<[string, object, unknown]>([
    ['no thinking', {}, undefined],
    ['disabled', { thinking: { type: 'disabled' } }, 'none'],
    ['adaptive', { thinking: { type: 'adaptive' } }, 'high'],
    ['adaptive with an effort', { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, 'max'],
    ['an effort', { output_config: { effort: 'medium' } }, 'medium'],
    ['a small budget', { thinking: { type: 'enabled', budget_tokens: 1_024 } }, 'low'],
    ['a large budget', { thinking: { type: 'enabled', budget_tokens: 32_000 } }, 'high'],
  ])('a request of the Messages API has for other providers the effort of %s', (_case, body, effort) => {
    expect(read(body).prompt['reasoning']).toEqual(effort && { effort })
  })

  test('a request of the Messages API has all that it says for providers of Anthropic', () => {
    const own = { top_k: 5, metadata: { user_id: 'ada' }, thinking: { type: 'adaptive' }, field_of_tomorrow: null }
    const settings = { system: 'Be brief.', temperature: 1, stop_sequences: ['a'], output_config: { effort: 'max' } }
    const tools = [{ type: 'bash_20250124', name: 'bash' }, find]
    const sent = { ...own, ...settings, tools, tool_choice: { type: 'any' } }
    const { native } = read({ ...sent, stream: true, n: 2 }, { headers: { 'anthropic-beta': 'a-1,b-2' } })
    expect(native).toEqual({
      dialect: 'anthropic',
      fields: { ...sent, anthropic_beta: 'a-1,b-2' },
      messages: [[], base.messages],
      required: [],
    })
  })

  test('a request of the Messages API has each of its messages once for providers of Anthropic', () => {
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'No.' }
    const messages = [
      { role: 'user', content: 'Rain?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'find', input: {} }] },
      { role: 'user', content: [result, { type: 'text', text: 'Well?' }] },
      { role: 'system', content: 'Be brief.', output_config: { effort: 'low' } },
    ]
    const effort = { role: 'system', output_config: { effort: 'high' } }
    const { native, prompt } = read({ messages: [...messages, effort] })
    expect(prompt['messages']).toHaveLength(5)
    expect(native.messages).toEqual([[messages[0]], [messages[1]], [messages[2]], [], [messages[3], effort]])
  })

  test.each([
    ['a sealed signature', { type: 'thinking', thinking: 'Hm.', signature: seal({ options: {} }) }],
    ['no signature', { type: 'thinking', thinking: 'Hm.', signature: '' }],
    ['sealed data', { type: 'redacted_thinking', data: seal({ options: {} }) }],
    ['an input of text', { type: 'tool_use', id: 't1', name: 'find', input: {}, input_text: '{' }],
    ['an id of another provider', { type: 'tool_use', id: 'call.1', name: 'find', input: {} }],
    ['a blank text', { type: 'text', text: '\n' }],
    ['a citation of another provider', { type: 'text', text: 'a', citations: [{ encrypted_index: '' }] }],
  ])('a request of the Messages API has no message of its own for one with %s', (_case, block) => {
    const content = [{ type: 'text', text: 'I look.' }, block]
    const { native } = read({ messages: [...base.messages, { role: 'assistant', content }] })
    expect(native.messages).toEqual([base.messages, undefined])
  })

  test.each([
    ['image', 'source.file_id', { source: { type: 'file', file_id: 'file_1' } }],
    ['document', 'source.file_id', { source: { type: 'file', file_id: 'file_1' } }],
    ['container_upload', 'type', { file_id: 'file_1' }],
    ['block_of_tomorrow', 'type', {}],
  ])('a request of the Messages API requires a provider of Anthropic for the block %s', (type, field, fields) => {
    const messages = [{ role: 'user', content: [{ type, ...fields }] }]
    const { native, spell } = read({ messages })
    expect(native).toMatchObject({ required: [`messages[0].content[0].${field}`], messages: [messages] })
    expect(spell(native.required![0]!)).toBe(native.required![0])
  })

  test('a request of the Messages API has blocks of an answer that only Anthropic knows as they are', () => {
    const block = { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: { query: 'rain' } }
    const { prompt, native } = read({ messages: [...base.messages, { role: 'assistant', content: [block] }] })
    const part = { type: 'opaque', provider: '', dialect: 'anthropic', kind: 'server_tool_use', data: block }
    expect(prompt['messages']).toMatchObject([{}, { content: [part] }])
    expect(native.required).toEqual([])
  })

  test('a request of the Messages API has the text of a search result and of a summary for other providers', () => {
    const result = { type: 'search_result', title: 'Lakes', source: 'https://a.example' }
    const content = [{ ...result, content: [{ type: 'text', text: 'Wet.' }] }]
    const summary = { role: 'assistant', content: [{ type: 'compaction', content: 'They greeted.' }] }
    const { prompt } = read({ messages: [summary, { role: 'user', content }] })
    expect(prompt['messages']).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'They greeted.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Lakes\nhttps://a.example\nWet.' }] },
    ])
  })

  test('a request of the Messages API takes sealed data whose options are not an object as data of Anthropic', async () => {
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

  test('a request of the Messages API chooses a tool of Anthropic in its own terms', () => {
    const choice = { type: 'tool', name: 'web_search' }
    const search = { type: 'web_search_20260318', name: 'web_search' }
    const { prompt, native } = read({ tools: [find, search], tool_choice: choice })
    expect(prompt).not.toHaveProperty('toolChoice')
    expect(native).toMatchObject({
      fields: { tools: [find, search], tool_choice: choice },
      required: ['tools[1].type'],
    })
  })
})

describe('a request of the Anthropic surface for another model', () => {
  const search = { type: 'web_search_20260318', name: 'web_search' }
  const fetching = { type: 'web_fetch_20260318', name: 'web_fetch' }

  test('a request of the Anthropic surface for another model names the tools of Anthropic that the model does without', async () => {
    const { provider, requests } = able()
    const { ask } = await serve({ providers: [provider] })
    const { status, headers } = await ask('/v1/messages', { ...base, tools: [search, find] })
    expect([status, headers.get('x-fairlead-ignored')]).toEqual([200, 'web_search_20260318'])
    expect(requests[0]?.tools).toMatchObject([{ name: 'find' }])
  })

  test('a request of the Anthropic surface for another model is rejected if it has only a search that the model lacks', async () => {
    const { ask } = await serve({ providers: [able().provider] })
    const { status, json } = await ask('/v1/messages', { ...base, tools: [search] })
    const message = 'tools[0].type: "any" does not search the web; models that do: none'
    expect([status, json.error.message]).toEqual([400, message])
  })

  test.each([
    ['has only such tools', { tools: [fetching] }, 'tools[0].type'],
    ['must call one', { tools: [find, search], tool_choice: { type: 'tool', name: 'web_search' } }, 'tools[1].type'],
    ['asks for a summary of the conversation', { compaction: {} }, 'compaction'],
  ])('a request of the Anthropic surface for another model is rejected if it %s', async (_case, change, field) => {
    const { ask } = await serve({ providers: [able().provider] })
    const { status, json } = await ask('/v1/messages', { ...base, ...change })
    expect([status, json.error.message]).toEqual([400, `${field} is not supported by "any" of the provider "able"`])
  })

  test('a request of the Anthropic surface for another model has references to tools as text, and names fields of messages that no model gets', async () => {
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
  const invalidImage = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'not base64!' } }

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
    [{ messages: [{ role: 'user', content: [{ type: 'video' }] }] }, 'messages[0].content[0].type is not supported by'],
    [{ messages: [{ role: 'user', content: [{}] }] }, 'messages[0].content[0].type is required'],
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
  ])('the names in errors of the Anthropic surface are those of the API for %j', async (change, expected) => {
    const { ask } = await serve({ providers: [able().provider] })
    const { status, json } = await ask('/v1/messages', { ...base, ...change })
    expect([status, json.type, json.error.type]).toEqual([400, 'error', 'invalid_request_error'])
    expect(json.error.message).toContain(expected)
  })

  test.each([
    ['thinking', 'signature'],
    ['redacted_thinking', 'data'],
  ])(
    'the names in errors of the Anthropic surface are those of the API for %s with more JSON in its %s than a body may have',
    async (type, name) => {
      const { ask } = await serve({ providers: [able().provider] })
      const sealed = seal({ options: { any: { list: Array.from({ length: 60_000 }, () => 1) } } })
      const messages = [{ role: 'assistant', content: [{ type, thinking: 'a', [name]: sealed }] }]
      const { status, json } = await ask('/v1/messages', { ...base, messages })
      expect(status).toBe(400)
      expect(json.error.message).toContain(`messages[0].content[0].${name} is too much JSON`)
    },
  )

  test('the names in errors of the Anthropic surface name the tool by its place among all tools', async () => {
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
