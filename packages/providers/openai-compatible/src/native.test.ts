import type { Native, TextRequest } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { openaiCompatible, type OpenaiCompatibleOptions, presets } from './index.ts'
import { completion, replyingWith } from './testing/ask-replying.ts'
import { responsesExchanges } from './testing/responses-exchanges.ts'

const find = { name: 'find', inputSchema: { type: 'object' } } as const
const chatTools = [
  { type: 'function', function: { name: 'find', parameters: { type: 'object' } } },
  {
    type: 'custom',
    custom: { name: 'patch', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'a' } } },
  },
]

/** The request that reaches a server of OpenAI for one in the form of its APIs. */
async function sentFor(
  native: Native,
  about: Partial<TextRequest> = {},
  options: Partial<OpenaiCompatibleOptions> = {},
) {
  const { provider, write, sent, reply } = await replyingWith(completion(), {
    preset: 'openai',
    id: 'openai',
    dialect: { responses: true },
    ...options,
  })
  const answered = await write({ native, ...about }).catch(async (error: unknown) => {
    reply({ json: responsesExchanges.chat.reply })
    if (sent()?.path.endsWith('/responses') !== true) throw error
    return write({ native, ...about })
  })
  return { provider, path: sent().path, body: sent().body as Record<string, unknown>, warnings: answered.warnings }
}

describe('the dialects of a provider', () => {
  test.each(Object.keys(presets) as (keyof typeof presets)[])(
    'the dialects of a provider are those that %s takes whole',
    (preset) => {
      const { dialects } = openaiCompatible({
        preset,
        apiKey: 'sk-fine',
        baseUrl: 'http://127.0.0.1:1/v1',
        dialect: { responses: true },
      })
      const isOpenai = preset === 'openai' || preset === 'azure'
      const lacksCompletions = ['groq', 'mistral', 'deepseek', 'xai', 'perplexity'].includes(preset)
      const own = isOpenai ? ['openai-responses', 'openai-chat', 'openai-completions'] : ['openai-completions']
      expect(dialects).toEqual(lacksCompletions ? undefined : own)
    },
  )
})

describe('a client of one of the APIs', () => {
  test('a client of chat completions has its tools written anew if they have options for single providers', async () => {
    const { body } = await sentFor(
      { 'openai-chat': { user: 'ada', tool_choice: 'auto' } },
      { model: 'gpt-4.1', tools: [find] },
    )
    expect(body).toMatchObject({ user: 'ada', tool_choice: 'auto', tools: [{ function: { name: 'find' } }] })
  })

  const chat: Native = { 'openai-chat': { user: 'ada' } }
  const responses: Native = { 'openai-responses': { user: 'ada' } }

  test.each<[string, Native, Partial<TextRequest>, string]>([
    ['of chat completions gets these', chat, { model: 'gpt-4.1' }, '/v1/chat/completions'],
    [
      'of chat completions gets these for a model that reasons',
      chat,
      { model: 'gpt-6.1-sol', reasoning: { effort: 'low' } },
      '/v1/chat/completions',
    ],
    ['of chat completions gets the other for a model that has no other', chat, { model: 'gpt-5-pro' }, '/v1/responses'],
    [
      'of chat completions gets the other for tools and an effort',
      chat,
      { model: 'gpt-5.4', tools: [find], reasoning: { effort: 'low' } },
      '/v1/responses',
    ],
    [
      'of chat completions gets these for tools and an effort of an older model',
      chat,
      { model: 'gpt-5.2', tools: [find], reasoning: { effort: 'low' } },
      '/v1/chat/completions',
    ],
    ['of responses gets these', responses, { model: 'gpt-4.1' }, '/v1/responses'],
  ])('a client %s', async (_title, native, about, expected) => {
    const { path, body } = await sentFor(native, about)
    expect([path, body['user']]).toEqual([expected, 'ada'])
  })

  test('a client of chat completions has its tools and shared fields in the form of responses', async () => {
    const fields = {
      tools: chatTools,
      tool_choice: { type: 'custom', custom: { name: 'patch' } },
      verbosity: 'low',
      logit_bias: {},
    }
    const about = { model: 'gpt-5.4', tools: [find], reasoning: { effort: 'low' } } as const
    const { body, warnings = [] } = await sentFor({ 'openai-chat': fields }, about)
    expect(body).toMatchObject({
      tools: [
        { type: 'function', name: 'find', parameters: { type: 'object' }, strict: false },
        { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'a' } },
      ],
      tool_choice: { type: 'custom', name: 'patch' },
      text: { verbosity: 'low' },
    })
    expect(body).not.toHaveProperty('logit_bias')
    expect(warnings.map(({ field }) => field)).toContain('logit_bias')
  })

  test('a client of one of the APIs has unknown fields refused if the operator wants it', async () => {
    const native = { 'openai-chat': { user: 'ada', brand_new: 1 } }
    expect((await sentFor(native, { model: 'gpt-4.1' })).body).toMatchObject({ brand_new: 1 })
    const refused = sentFor(native, { model: 'gpt-4.1' }, { unknownFields: 'refuse' })
    await expect(refused).rejects.toMatchObject({
      failure: 'invalid_request',
      field: expect.stringContaining('brand_new'),
    })
    const known = sentFor({ 'openai-chat': { user: 'ada' } }, { model: 'gpt-4.1' }, { unknownFields: 'refuse' })
    expect((await known).body).toMatchObject({ user: 'ada' })
  })

  test('a client of one of the APIs has what costs more left out, with a warning', async () => {
    const { body, warnings } = await sentFor(
      { 'openai-chat': { service_tier: 'priority', user: 'ada' } },
      { model: 'gpt-4.1' },
    )
    expect(body).not.toHaveProperty('service_tier')
    expect(warnings).toMatchObject([{ field: 'providerOptions.openai.service_tier' }])
  })

  const reasoning = { model: 'gpt-5.4', tools: [find], reasoning: { effort: 'low' } } as const

  test.each([
    ['function', { type: 'function', function: { name: 'find', type: 'web_search' } }],
    ['custom tool', { type: 'custom', custom: { name: 'find', type: 'mcp', server_url: 'https://a.example' } }],
  ])('a client of one of the APIs cannot make a %s a hosted tool of the other API', async (_kind, tool) => {
    const { body, path } = await sentFor({ 'openai-chat': { tools: [tool] } }, reasoning)
    expect([path, body['tools']]).toEqual(['/v1/responses', [expect.objectContaining({ type: tool.type })]])
  })

  test.each([
    ['namespace', { type: 'namespace', name: 'mine', tools: [{ type: 'mcp' }] }],
    ['namespace of chat completions', { type: 'namespace', namespace: { name: 'mine', tools: [{ type: 'mcp' }] } }],
  ])('a client of one of the APIs cannot hide a hosted tool in a %s', async (_kind, tool) => {
    const { body } = await sentFor({ 'openai-chat': { tools: [chatTools[0], tool] } }, reasoning)
    expect(JSON.stringify(body)).not.toContain('mcp')
  })

  test.each<[string, Partial<TextRequest>]>([
    ['the API', { native: { 'openai-responses': { store: null } } }],
    ['the options', { providerOptions: { openai: { store: null } } }],
  ])('a client of one of the APIs has no response stored by a null in the form of %s', async (_form, about) => {
    const { body, path } = await sentFor(about.native ?? responses, { model: 'gpt-5.4', ...about })
    expect([path, body['store']]).toEqual(['/v1/responses', false])
  })

  test.each([
    ['has a response stored if the operator allows it', ['store'], true],
    ['has no response stored otherwise', [], false],
  ])('a client of one of the APIs %s', async (_title, allow, store) => {
    const { body } = await sentFor({ 'openai-responses': { store: true } }, { model: 'gpt-5.4' }, { allow })
    expect(body['store']).toBe(store)
  })

  test('a client of one of the APIs cannot refer to stored items with parts of an answer', async () => {
    const opaque = (data: object) =>
      ({ type: 'opaque', provider: 'openai', dialect: 'openai-responses', kind: 'search', data }) as never
    const { body } = await sentFor(responses, {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', content: [opaque({ id: 'stored' }), opaque({ type: 'item_reference', id: 'stored' })] },
        { role: 'user', content: [{ type: 'text', text: 'And?' }] },
      ],
    })
    expect(body['input']).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'user', content: 'And?' },
    ])
  })
})

describe('the notices of a provider', () => {
  const noticesOf = (options: Partial<OpenaiCompatibleOptions>) =>
    openaiCompatible({ preset: 'openai', apiKey: 'sk-fine', ...options }).notices

  test('the notices of a provider say what is lost where the base URL is not that of OpenAI', () => {
    expect(noticesOf({ baseUrl: 'https://proxy.example/v1' })).toEqual([
      expect.stringMatching(
        /^requests of the Responses API go to proxy\.example as chat completions, and lose hosted tools/,
      ),
    ])
  })

  test.each<[string, Partial<OpenaiCompatibleOptions>]>([
    ['OpenAI itself', {}],
    ['a regional address of OpenAI', { baseUrl: 'https://eu.api.openai.com/v1' }],
    ['a server whose dialect the operator set', { baseUrl: 'https://a.example/v1', dialect: { responses: false } }],
    ['a server that never had the Responses API', { preset: 'groq', baseUrl: 'https://a.example/v1' }],
  ])('the notices of a provider are none for %s', (_case, options) => {
    expect(noticesOf(options)).toBeUndefined()
  })
})
