import { openTestUpstream, replaying, fakeTextModel } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'
import { vendorProvider } from './testing/vendor-provider.ts'

// The requests and replies are from the types of the vendors' SDKs: `openai`, `@anthropic-ai/sdk`, `@google/genai`.

/** As JSON.parse returns it. */
type Fields = Readonly<Record<string, ReturnType<typeof JSON.parse>>>

const page = { url: 'https://porto.example/harbor', title: 'Harbor' }
const location = { city: 'Porto', country: 'PT' }

/** The answer of Anthropic is two texts, of which the second has the source. */
const searchUse = {
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'web_search',
  input: { query: 'Porto harbor' },
  caller: { type: 'direct' },
}
const results = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  caller: { type: 'direct' },
  content: [{ type: 'web_search_result', ...page, encrypted_content: 'EqgfCio', page_age: null }],
}
const located = {
  type: 'web_search_result_location',
  ...page,
  cited_text: 'Open from nine.',
  encrypted_index: 'Eo8BCioI',
}
const claudeUsage = {
  input_tokens: 900,
  output_tokens: 40,
  server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
}
const claudeHead = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude' }
const claudeTexts = [
  { type: 'text', text: 'I looked. ', citations: null },
  { type: 'text', text: 'It opens at nine.', citations: [located] },
]
const claudeBlocks: readonly Fields[] = [searchUse, results, ...claudeTexts]
const claudeEvents = [
  { type: 'message_start', message: { ...claudeHead, content: [], stop_reason: null, usage: claudeUsage } },
  ...claudeBlocks.flatMap((block, index) => {
    const { text, citations, input } = block
    const begun = text === undefined ? (input ? { ...block, input: {} } : block) : { ...block, text: '' }
    const deltas = [
      ...(input ? [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }] : []),
      ...(text === undefined ? [] : [{ type: 'text_delta', text }]),
      ...((citations ?? []) as Fields[]).map((citation) => ({ type: 'citations_delta', citation })),
    ]
    return [
      { type: 'content_block_start', index, content_block: citations ? { ...begun, citations: [] } : begun },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
  }),
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: claudeUsage },
  { type: 'message_stop' },
]

const searchCall = {
  id: 'ws_1',
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', queries: ['Porto harbor'] },
}
const annotation = { type: 'url_citation', ...page, start_index: 3, end_index: 8 }
const part = { type: 'output_text', text: 'It opens at nine.', annotations: [annotation], logprobs: [] }
const said = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part] }
const response = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'gpt',
  output: [searchCall, said],
  usage: { input_tokens: 900, output_tokens: 40, total_tokens: 940 },
}
const indexes = { item_id: 'msg_1', output_index: 1, content_index: 0 }
const openaiEvents = [
  { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
  { type: 'response.output_item.added', output_index: 0, item: { ...searchCall, status: 'in_progress' } },
  { type: 'response.web_search_call.searching', output_index: 0, item_id: 'ws_1' },
  { type: 'response.output_item.done', output_index: 0, item: searchCall },
  { type: 'response.output_item.added', output_index: 1, item: { ...said, status: 'in_progress', content: [] } },
  { type: 'response.content_part.added', ...indexes, part: { ...part, text: '', annotations: [] } },
  { type: 'response.output_text.delta', ...indexes, delta: 'It opens at nine.' },
  { type: 'response.output_text.annotation.added', ...indexes, annotation_index: 0, annotation },
  { type: 'response.output_item.done', output_index: 1, item: said },
  { type: 'response.completed', response },
]

const grounding = {
  webSearchQueries: ['Porto harbor'],
  groundingChunks: [{ web: { uri: page.url, title: page.title } }],
  groundingSupports: [{ segment: { startIndex: 3, endIndex: 8, text: 'opens' }, groundingChunkIndices: [0] }],
}
const grounded = {
  candidates: [
    {
      content: { role: 'model', parts: [{ text: 'It opens at nine.' }] },
      finishReason: 'STOP',
      groundingMetadata: grounding,
    },
  ],
  usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 40, totalTokenCount: 940 },
  modelVersion: 'gemini-3.8-flash',
  responseId: 'r1',
}

const upstreams = {
  anthropic: {
    whole: { ...claudeHead, content: claudeBlocks, stop_reason: 'end_turn', stop_sequence: null, usage: claudeUsage },
    events: claudeEvents,
  },
  // Without a search, the provider may use chat completions.
  openai: {
    whole: { ...response, choices: [{ message: { content: 'It opens at nine.' }, finish_reason: 'stop' }] },
    events: openaiEvents,
  },
  google: { whole: grounded, events: [grounded] },
} as const
type Id = keyof typeof upstreams

const allowing = { anthropic: 'web_search', openai: 'web_search', google: 'googleSearch' } as const

/** A service with one provider. */
async function serve(id: Id, allow: readonly string[] = [allowing[id]], modelId = 'gemini-3.8-flash') {
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  const { whole, events } = upstreams[id]
  upstream.answer((reply, request) => {
    const isStream = request.path.includes('stream') || (request.body as Fields)['stream'] === true
    const streamed = { events: events.map((data) => ('type' in data ? { event: data.type, data } : { data })) }
    return replaying(isStream ? streamed : { json: whole })(reply, request)
  })
  const pricing = { input: 0, output: 0, webSearch: 0.01 }
  const models = [fakeTextModel({ id: modelId, chat: true, tools: true, maxTokens: 1_000, pricing })]
  const provider = vendorProvider(id, { baseUrl: upstream.url, models, allow })
  const app = await serveApp({ core: { providers: [provider] } })
  const { credentials } = await app.addCaller({ key: { scopes: ['generate', 'models', 'usage'] } })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${credentials.token}` }
  return {
    async send(path: string, body: object) {
      const sent = JSON.stringify({ model: modelId, ...body })
      const reply = await fetch(app.url + path, { method: 'POST', headers, body: sent })
      const text = await reply.text()
      const isJson = reply.headers.get('content-type')?.includes('json')
      return {
        status: reply.status,
        text,
        json: (isJson ? JSON.parse(text) : {}) as Fields,
        ignored: reply.headers.get('x-fairlead-ignored'),
        warnings: reply.headers.get('x-fairlead-warnings') ?? '',
      }
    },
    get: async (path: string) => (await fetch(app.url + path, { headers })).json() as Promise<Fields>,
    /** The last request that reached the upstream. */
    sent: () => upstream.requests.at(-1)?.body as Fields,
    calls: () => upstream.requests.length,
  }
}

const question = 'When does the harbor open?'
const user = { role: 'user', content: question }

/** The clients that ask for a search, each in its own form, and what they find in the answer. */
const clients = {
  chat: {
    path: '/openai/v1/chat/completions',
    body: {
      messages: [user],
      web_search_options: { user_location: { type: 'approximate', approximate: location }, search_context_size: 'low' },
    },
    ignored: 'web_search_options.search_context_size',
    functions: [{ type: 'function', function: { name: 'find' } }],
    sourcesIn: ({ choices: [{ message, delta }] }: Fields) => ((message ?? delta).annotations ?? []) as Fields[],
    next: ({ choices: [{ message }] }: Fields) => ({ messages: [user, message, { role: 'user', content: 'Sure?' }] }),
  },
  responses: {
    path: '/openai/v1/responses',
    body: {
      input: question,
      tools: [
        {
          type: 'web_search',
          user_location: { type: 'approximate', ...location },
          search_context_size: 'low',
        },
      ],
    },
    ignored: 'web_search.search_context_size',
    functions: [{ type: 'function', name: 'find' }],
    sourcesIn: ({ output = [], type, annotation: added }: Fields) =>
      type === 'response.output_text.annotation.added'
        ? [added]
        : output.flatMap(({ content = [] }: Fields) => content.flatMap(({ annotations }: Fields) => annotations ?? [])),
    next: ({ output }: Fields) => ({ input: [user, ...output, { role: 'user', content: 'Sure?' }] }),
  },
  messages: {
    path: '/anthropic/v1/messages',
    body: {
      max_tokens: 100,
      messages: [user],
      tools: [
        {
          type: 'web_search_20250305',
          name: 'web_search',
          user_location: { type: 'approximate', ...location },
          cache_control: { type: 'ephemeral' },
        },
      ],
    },
    ignored: 'cache_control',
    functions: [{ name: 'find', input_schema: { type: 'object' } }],
    sourcesIn: ({ content = [], delta }: Fields) =>
      delta?.citation ? [delta.citation] : content.flatMap(({ citations }: Fields) => citations ?? []),
    next: ({ content }: Fields) => ({
      messages: [user, { role: 'assistant', content }, { role: 'user', content: 'Sure?' }],
    }),
  },
} as const

/** Which client reaches a provider of another API, where it finds its source, and which tool the provider gets. */
const claudeTool = {
  type: 'web_search_20250305',
  name: 'web_search',
  user_location: { type: 'approximate', ...location },
}
const openaiTool = { type: 'web_search', user_location: { type: 'approximate', ...location } }
const nested = (start_index: number, end_index: number) => ({
  type: 'url_citation',
  url_citation: { start_index, end_index, ...page },
})
const flat = (start_index: number, end_index: number) => ({ type: 'url_citation', start_index, end_index, ...page })
const elsewhere = { ...located, cited_text: '', encrypted_index: '' }
const pairs: readonly (readonly [client: keyof typeof clients, to: Id, tool: object, source: object])[] = [
  ['chat', 'anthropic', claudeTool, nested(10, 27)],
  ['chat', 'google', { googleSearch: {} }, nested(3, 8)],
  ['responses', 'anthropic', claudeTool, flat(0, 17)],
  ['responses', 'google', { googleSearch: {} }, flat(3, 8)],
  ['messages', 'openai', openaiTool, elsewhere],
  ['messages', 'google', { googleSearch: {} }, elsewhere],
]

describe('a search of the web', () => {
  test.each(pairs)('a search of the web that a client of %s asks for is one of %s', async (name, to, tool, source) => {
    const client = clients[name]
    const { send, sent } = await serve(to)
    const { status, json, ignored } = await send(client.path, client.body)
    expect([status, ignored]).toEqual([200, client.ignored])
    expect(sent()['tools']).toEqual([tool])
    expect(client.sourcesIn(json)).toEqual([source])
  })

  test.each(pairs)('a search of the web has its sources in a stream of %s from %s', async (name, to, tool, source) => {
    const client = clients[name]
    const { send, sent } = await serve(to)
    const { status, text } = await send(client.path, { ...client.body, stream: true })
    expect([status, sent()['tools']]).toEqual([200, [tool]])
    const events = text
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice('data: '.length)) as Fields)
    const found = events.filter((event) => event['choices']?.length !== 0).flatMap((event) => client.sourcesIn(event))
    expect(found).toEqual([source])
  })

  test.each(pairs)('a search of the web can be sent back in the next turn of %s to %s', async (name, to) => {
    const client = clients[name]
    const { send, sent } = await serve(to)
    const { json } = await send(client.path, client.body)
    const { status, text } = await send(client.path, { ...client.body, ...client.next(json) })
    expect([status, text]).toEqual([200, expect.any(String)])
    const again = JSON.stringify(sent())
    expect(again).toContain('It opens at nine.')
  })

  test('a search of the web by OpenAI goes back to it from a client of Anthropic, which has no such block', async () => {
    const { send, sent } = await serve('openai')
    const { path, body, next } = clients.messages
    const { json } = await send(path, body)
    await send(path, { ...body, ...next(json) })
    expect(sent()['input']).toContainEqual(searchCall)
  })

  test('a search of the web by Anthropic is left out of the next turn with a model of another provider', async () => {
    const { send, sent } = await serve('openai')
    const { path, body, next } = clients.messages
    const { status, warnings } = await send(path, { ...body, ...next({ content: claudeBlocks }) })
    expect([status, warnings]).toEqual([200, expect.stringContaining('blocks of another provider were left out')])
    expect(JSON.stringify(sent()['input'])).toMatch(/I looked.*It opens at nine/)
  })

  test.each(pairs)(
    'a search of the web by a client of %s fails with 400 if the operator of %s has not allowed it',
    async (name, to) => {
      const client = clients[name]
      const { send, calls } = await serve(to, [])
      const { status, text } = await send(client.path, client.body)
      expect([status, calls()]).toEqual([400, 0])
      expect(text).toContain('does not search the web')
    },
  )

  test.each(pairs.filter(([name]) => name !== 'chat'))(
    'a search of the web by a client of %s is left out beside functions if the operator of %s has not allowed it',
    async (name, to) => {
      const client = clients[name]
      const { send, sent } = await serve(to, [])
      const tools = [...client.functions, ...('tools' in client.body ? client.body.tools : [])]
      const { status, ignored } = await send(client.path, { ...client.body, tools })
      expect([status, ignored]).toEqual([200, expect.stringContaining('web_search')])
      expect(JSON.stringify(sent())).not.toMatch(/web_search|googleSearch/)
    },
  )

  test.each(pairs)('a search of the web by a client of %s works beside functions for %s', async (name, to, tool) => {
    const client = clients[name]
    const { send, sent } = await serve(to)
    const tools = [...client.functions, ...('tools' in client.body ? client.body.tools : [])]
    const { status, ignored } = await send(client.path, { ...client.body, tools })
    expect([status, ignored]).toEqual([200, client.ignored])
    expect(sent()['tools']).toEqual([expect.anything(), tool])
  })

  test('a search of the web that a client of chat completions asks for is never left out', async () => {
    const { send, calls } = await serve('anthropic', [])
    const { path, body, functions } = clients.chat
    expect(await send(path, { ...body, tools: functions })).toMatchObject({ status: 400 })
    expect(calls()).toBe(0)
  })

  test('a search of the web that a client of the same API asks for reaches it once, as the client sent it', async () => {
    const claude = await serve('anthropic')
    await claude.send(clients.messages.path, clients.messages.body)
    expect(claude.sent()['tools']).toEqual(clients.messages.body.tools)
    const openai = await serve('openai')
    await openai.send(clients.responses.path, clients.responses.body)
    expect(openai.sent()['tools']).toEqual(clients.responses.body.tools)
  })

  test('a search of the web is beside functions only with models since Gemini 3', async () => {
    const { path, body, functions } = clients.messages
    const asked = { ...body, tools: [...functions, ...body.tools] }
    const { send, sent } = await serve('google')
    await send(path, asked)
    expect(sent()['toolConfig']).toEqual({ includeServerSideToolInvocations: true })
    const earlier = await serve('google', ['googleSearch'], 'gemini-2.5-flash')
    const { status, warnings } = await earlier.send(path, asked)
    expect([status, earlier.sent()['tools']]).toEqual([
      200,
      [expect.objectContaining({ functionDeclarations: expect.anything() })],
    ])
    expect(warnings).toContain('this model cannot search and call functions in one request')
  })
})

describe('the limits of a search', () => {
  const searching = (tool: object) => ({ max_tokens: 100, messages: [user], tools: [{ ...claudeTool, ...tool }] })
  const { path } = clients.messages

  test('the limits of a search reach OpenAI as a filter and as the number of calls', async () => {
    const { send, sent } = await serve('openai')
    await send(path, searching({ max_uses: 2, allowed_domains: ['porto.example'] }))
    expect(sent()).toMatchObject({
      max_tool_calls: 2,
      tools: [{ ...openaiTool, filters: { allowed_domains: ['porto.example'] } }],
    })
  })

  test('the limits of a search reach Anthropic from a client of OpenAI', async () => {
    const { send, sent } = await serve('anthropic')
    const tool = { type: 'web_search_preview', filters: { allowed_domains: ['porto.example'] } }
    const { ignored } = await send('/openai/v1/responses', { input: question, tools: [tool], max_tool_calls: 2 })
    expect([sent()['tools'], ignored]).toEqual([
      [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2, allowed_domains: ['porto.example'] }],
      null,
    ])
  })

  test('the limits of a search to domains fail with 400 with a model that would search others', async () => {
    const { send, calls } = await serve('google')
    const { status, json } = await send(path, searching({ allowed_domains: ['porto.example'] }))
    expect([status, json['error'].message]).toEqual([400, expect.stringContaining('tools[0].allowed_domains')])
    const openai = await serve('openai')
    const blocked = await openai.send(path, searching({ blocked_domains: ['porto.example'] }))
    expect([blocked.status, blocked.json['error'].message]).toEqual([
      400,
      expect.stringContaining('tools[0].blocked_domains'),
    ])
    const asked = { input: question, tools: [{ type: 'web_search', filters: { allowed_domains: ['porto.example'] } }] }
    const { status: ofResponses, json: error } = await send('/openai/v1/responses', asked)
    expect([ofResponses, error['error'].param]).toEqual([400, 'tools[0].filters.allowed_domains'])
    expect(calls() + openai.calls()).toBe(0)
  })

  test('the limits of a search that Gemini does not have are named in the warnings', async () => {
    const { send } = await serve('google')
    const { status, warnings } = await send(path, searching({ max_uses: 2 }))
    expect([status, warnings]).toEqual([200, expect.stringContaining('tools[0].max_uses')])
    expect(warnings).toContain('tools[0].user_location')
  })

  test('the limits of a search to stored pages alone are not those of a search, so that Codex does without', async () => {
    const { send, sent } = await serve('anthropic')
    const tools = [...clients.responses.functions, { type: 'web_search', external_web_access: false }]
    const { status, ignored } = await send('/openai/v1/responses', { input: question, tools })
    expect([status, ignored, JSON.stringify(sent())]).toEqual([
      200,
      'web_search',
      expect.not.stringContaining('web_search'),
    ])
  })

  test('the limits of a search are allowed or blocked domains, not both', async () => {
    const { send } = await serve('anthropic')
    const web_search = { allowed_domains: ['a.example'], blocked_domains: ['b.example'] }
    const { status, json } = await send('/generate', { prompt: question, web_search })
    expect([status, json['error'].details.issues]).toEqual([
      400,
      [{ field: 'web_search.blocked_domains', issue: 'cannot be combined with "allowedDomains"' }],
    ])
  })
})

describe('a forced search', () => {
  test('a forced search is the choice of any tool with a provider of another API', async () => {
    const openai = await serve('openai')
    const { path, body } = clients.messages
    await openai.send(path, { ...body, tool_choice: { type: 'tool', name: 'web_search' } })
    expect(openai.sent()['tool_choice']).toBe('required')
    const claude = await serve('anthropic')
    await claude.send(clients.responses.path, { ...clients.responses.body, tool_choice: { type: 'web_search' } })
    expect(claude.sent()['tool_choice']).toEqual({ type: 'any' })
  })

  test('a forced search beside functions fails with 400, because other APIs cannot choose it', async () => {
    const openai = await serve('openai')
    const { path, body, functions } = clients.messages
    const tools = [...functions, ...body.tools]
    const asked = { ...body, tools, tool_choice: { type: 'tool', name: 'web_search' } }
    expect(await openai.send(path, asked)).toMatchObject({ status: 400 })
    expect(openai.calls()).toBe(0)
  })

  test('a forced search is up to Gemini, with a warning', async () => {
    const { send, sent } = await serve('google')
    const { path, body } = clients.messages
    const { status, warnings } = await send(path, { ...body, tool_choice: { type: 'any' } })
    expect([status, sent()['toolConfig']]).toEqual([200, undefined])
    expect(warnings).toContain('decides itself whether it searches')
  })
})

describe('the searches of an answer', () => {
  const asked = { prompt: question, web_search: { max_uses: 3 } }

  test.each<[Id, number]>([
    ['anthropic', 2],
    ['openai', 1],
    ['google', 1],
  ])('the searches of an answer of %s are counted and priced', async (id, count) => {
    const { send, sent } = await serve(id)
    const { status, json } = await send('/generate', asked)
    expect([status, json['data'].usage.web_searches, json['meta'].cost_usd]).toEqual([200, count, count * 0.01])
    expect(json['data'].parts.at(-1)).toMatchObject({ text: 'It opens at nine.', citations: [page] })
    expect(JSON.stringify(sent()['tools'])).toMatch(/web_search|googleSearch/)
  })

  test('the searches of an answer are in the usage that a client of Anthropic reads', async () => {
    const { send } = await serve('openai')
    const { json } = await send(clients.messages.path, clients.messages.body)
    expect(json['usage']).toMatchObject({ server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 } })
  })

  test.each([
    ['anthropic', clients.messages, 0.02],
    ['openai', clients.responses, 0.01],
  ] as const)(
    'the searches of an answer of %s are priced for a client of its own API too',
    async (id, client, cost) => {
      const { send, get } = await serve(id)
      expect(await send(client.path, client.body)).toMatchObject({ status: 200 })
      expect((await get('/requests'))['data'][0]).toMatchObject({ cost_usd: cost })
    },
  )

  test('the searches of an answer need a model that lists the capability', async () => {
    const allowed = await serve('anthropic')
    const { data } = await allowed.get('/models')
    expect(data[0].capabilities.web_search).toBe(true)
    const { send, get } = await serve('anthropic', [])
    expect((await get('/models'))['data'][0].capabilities.web_search).toBe(false)
    const { status, json } = await send('/generate', asked)
    expect([status, json['error'].details.issues[0]]).toEqual([
      400,
      { field: 'web_search', issue: '"gemini-3.8-flash" does not search the web; models that do: none' },
    ])
  })
})
