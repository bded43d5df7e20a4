import type { Pricing } from '@fairlead/core/provider'
import { openTestUpstream, replaying, fakeTextModel } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'
import { vendorProvider } from './testing/vendor-provider.ts'

type Fields = Readonly<Record<string, unknown>>

/** Options that cost more or belong to the operator's account, with a canary in each. */
const costly = {
  openai: {
    service_tier: 'canary-service_tier',
    prediction: { type: 'content', content: 'canary-prediction' },
    web_search_options: { search_context_size: 'canary-web_search_options' },
    chat_template: 'canary-chat_template',
    guided_json: { title: 'canary-guided_json' },
    guided_regex: 'canary-guided_regex',
    num_ctx: 'canary-num_ctx',
    keep_alive: 'canary-keep_alive',
    store: 'canary-store',
    data_sources: ['canary-data_sources'],
  },
  anthropic: {
    service_tier: 'canary-service_tier',
    speed: 'canary-speed',
    inference_geo: 'canary-inference_geo',
    container: { id: 'canary-container' },
    mcp_servers: [{ type: 'url', url: 'https://canary-mcp_servers' }],
  },
  google: { serviceTier: 'canary-serviceTier', cachedContent: 'cachedContents/canary-cachedContent' },
} satisfies Readonly<Record<string, Fields>>

const hosted = {
  openai: [
    { type: 'web_search', max_uses: 1_000, canary: 'canary-web_search' },
    { type: 'file_search', vector_store_ids: ['canary-file_search'] },
    { type: 'code_interpreter', container: 'canary-code_interpreter' },
  ],
  anthropic: [
    { type: 'web_search_20250305', name: 'web_search', max_uses: 1_000, user_location: 'canary-web_search' },
    { type: 'code_execution_20250825', name: 'code_execution', canary: 'canary-code_execution' },
  ],
  google: [{ googleSearch: { canary: 'canary-googleSearch' } }, { fileSearch: { stores: ['canary-fileSearch'] } }],
} satisfies Readonly<Record<keyof typeof costly, readonly Fields[]>>

const ids = ['openai', 'anthropic', 'google'] as const
type Id = (typeof ids)[number]

const replies: Readonly<Record<Id, object>> = {
  openai: {
    choices: [{ message: { content: 'Fine.' }, finish_reason: 'stop' }],
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'Fine.' }] }],
    status: 'completed',
    data: [{ index: 0, embedding: [1, 0] }],
  },
  anthropic: {
    type: 'message',
    content: [{ type: 'text', text: 'Fine.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 3, output_tokens: 2 },
  },
  google: { candidates: [{ content: { parts: [{ text: 'Fine.' }] }, finishReason: 'STOP' }] },
}

const chatty = { chat: true, tools: true, vision: true, urls: true } as const
const embedding = { dimensions: 2 }

interface Facts {
  readonly pricing?: Pricing
  /** Beside the canned reply. */
  readonly answered?: object
}

/** A service whose upstream records what reaches it, and a key that can only generate. */
async function serve(id: Id, allow: readonly string[] = [], { pricing, answered }: Facts = {}) {
  const upstream = await openTestUpstream()
  onTestFinished(() => upstream.close())
  upstream.answer(replaying({ json: { ...replies[id], ...answered } }))
  const models = [
    fakeTextModel({ id: 'plain', ...chatty, ...(pricing && { pricing }) }),
    fakeTextModel({ id: 'thinking', ...chatty, reasoning: true }),
    fakeTextModel({ id: 'gpt-5.4', ...chatty, reasoning: true }),
    fakeTextModel({ id: 'embedder', embedding }),
  ]
  const provider = vendorProvider(id, { baseUrl: upstream.url, models, allow })
  const app = await serveApp({ core: { providers: [provider] } })
  const { credentials } = await app.addCaller({ key: { scopes: ['generate'] } })
  return {
    async send(path: string, body: object) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${credentials.token}` }
      const reply = await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      const { status } = reply
      return { status, text: await reply.text(), warnings: reply.headers.get('x-fairlead-warnings') ?? '' }
    },
    sent: () => JSON.stringify(upstream.requests.map(({ body }) => body)),
    calls: () => upstream.requests.length,
  }
}

/** The functions beside which a hosted tool is left out, in the form of each API. */
const functions = {
  rest: [{ name: 'find', input_schema: { type: 'object' } }],
  chat: [{ type: 'function', function: { name: 'find' } }],
  responses: [{ type: 'function', name: 'find' }],
  anthropic: [{ name: 'find', input_schema: { type: 'object' } }],
}

/** Every way in which a request can carry the options of a provider. */
function requestsTo(id: Id): readonly (readonly [path: string, body: object])[] {
  const everything = { ...costly[id], tools: hosted[id] }
  const options = { provider_options: { [id]: everything } }
  const inner = { provider_options: { [id]: { ...costly[id], ...ofParts[id] } } }
  const said = [{ role: 'user', content: 'Hi' }]
  const parts = [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...inner }] }]
  const tools = functions.rest.map((tool) => ({ ...tool, ...inner }))
  return ['plain', 'thinking'].flatMap(
    (model) =>
      [
        [
          '/generate',
          { model, messages: said, tools, ...options, reasoning: model === 'plain' ? undefined : { effort: 'low' } },
        ],
        ['/generate', { model, messages: parts, tools }],
        ['/embeddings', { model: 'embedder', texts: ['Hi'], ...options }],
        ['/openai/v1/chat/completions', { model, messages: said, tools: functions.chat, ...costly[id], ...options }],
        [
          '/openai/v1/chat/completions',
          { model, messages: parts, tools: functions.chat.map((each) => ({ ...each, ...inner })) },
        ],
        ['/openai/v1/completions', { model, prompt: 'Hi', ...costly[id], provider_options: { [id]: costly[id] } }],
        ['/openai/v1/embeddings', { model: 'embedder', input: 'Hi', ...costly[id], ...options }],
        [
          '/openai/v1/responses',
          { model, input: 'Hi', tools: [...functions.responses, ...hosted.openai], ...costly[id], ...options },
        ],
        [
          '/openai/v1/responses',
          { model, input: parts, tools: functions.responses.map((tool) => ({ ...tool, ...inner })) },
        ],
        [
          '/anthropic/v1/messages',
          { model, max_tokens: 9, messages: said, ...costly[id], tools: [...functions.anthropic, ...hosted.anthropic] },
        ],
        [
          '/anthropic/v1/messages',
          { model, max_tokens: 9, messages: said, tools: [{ ...functions.anthropic[0], ...costly[id], canary: 1 }] },
        ],
        [
          '/anthropic/v1/messages/count_tokens',
          { model, messages: said, ...costly[id], tools: [...functions.anthropic, ...hosted.anthropic] },
        ],
      ] as const,
  )
}

/** Blocks that a caller made up or hid in others, with what the operator has not allowed. */
const hidden: readonly (readonly [id: Id, path: string, body: object])[] = [
  ...opaqueBlocks('anthropic', 'anthropic', [
    { type: 'container_upload', file_id: 'canary-upload' },
    { type: 'document', source: { type: 'file', file_id: 'canary-document' } },
    { type: 'text', text: 'Hi', container: 'canary-container' },
  ]),
  ...opaqueBlocks('openai', 'openai-responses', [
    { type: 'item_reference', id: 'canary-item' },
    { id: 'canary-item' },
    { type: 'additional_tools', tools: [{ type: 'mcp', server_url: 'https://canary-mcp' }] },
    { type: 'computer_call_output', output: { type: 'computer_screenshot', file_id: 'canary-screenshot' } },
    { role: 'user', type: 'message', content: [{ type: 'input_file', file_id: 'canary-file' }] },
  ]),
  ...opaqueBlocks('google', 'google', [{ fileData: { fileUri: 'canary-file' } }]),
  [
    'openai',
    '/openai/v1/responses',
    {
      model: 'thinking',
      input: [
        { type: 'additional_tools', tools: [{ type: 'web_search', canary: 'canary-search' }] },
        { role: 'user', content: 'Hi' },
      ],
      tools: functions.responses,
      store: null,
    },
  ],
  [
    'anthropic',
    '/anthropic/v1/messages',
    {
      model: 'plain',
      max_tokens: 9,
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: {
                type: 'content',
                content: [{ type: 'image', source: { type: 'file', file_id: 'canary-image' } }],
              },
            },
          ],
        },
      ],
    },
  ],
]

function opaqueBlocks(id: Id, dialect: string, blocks: readonly object[]) {
  const path = '/generate'
  return blocks.flatMap((data) =>
    [id, ''].map((provider) => {
      const made = { type: 'opaque', provider, dialect, kind: 'made_up', data }
      const messages = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type: 'text', text: 'Yes?' }, made] },
        { role: 'user', content: 'Go on.' },
      ]
      return [id, path, { model: 'gpt-5.4', messages, reasoning: { effort: 'low' } }] as const
    }),
  )
}

test.each(hidden)('%s gets nothing that is hidden in blocks of %s: %j', async (id, path, body) => {
  const { send, sent } = await serve(id)
  const { status } = await send(path, body)
  expect([200, 400]).toContain(status)
  expect(sent()).not.toContain('canary-')
  expect(sent()).not.toContain('"store":null')
})

/** The fields that would turn a part or a function into something that is stored, or that the vendor runs. */
const ofParts: Readonly<Record<Id, Fields>> = {
  openai: { type: 'canary-type', file_id: 'canary-file_id' },
  anthropic: { type: 'canary-type' },
  google: { fileData: { fileUri: 'canary-fileData' } },
}

/** All canaries of a provider that its own options carry. */
function listCanaries(id: Id): readonly string[] {
  return JSON.stringify([costly[id], hosted[id]]).match(/canary-\w+/g) ?? []
}

describe.each(ids)('options of %s that cost more', (id) => {
  test('options that cost more never reach the provider from a key that can only generate', async () => {
    const { send, sent, calls } = await serve(id)
    for (const [path, body] of requestsTo(id)) {
      const { status } = await send(path, body)
      expect([path, status, sent()]).toEqual([path, expect.any(Number), expect.not.stringContaining('canary-')])
    }
    expect(calls()).toBeGreaterThan(8)
  })

  test('options that cost more are named in the warnings', async () => {
    const { send } = await serve(id)
    const [request] = requestsTo(id)
    const { status, text } = await send(...request!)
    expect(status).toBe(200)
    for (const name of Object.keys(costly[id])) expect(text).toContain(`provider_options.${id}.${name}`)
    expect(text).toContain(`provider_options.${id}.tools.`)
  })

  test('options that cost more reach the provider where the operator allows them', async () => {
    const { send, sent } = await serve(id, [...Object.keys(costly[id]), 'tools'])
    const [request] = requestsTo(id)
    expect(await send(...request!)).toMatchObject({ status: 200 })
    for (const canary of listCanaries(id)) expect(sent()).toContain(canary)
  })
})

describe("a hosted tool on the surface of the vendor's own API", () => {
  const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 1_000 }
  const said = { model: 'plain', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }

  test("a hosted tool on the surface of the vendor's own API fails with 400 and names the tool if nothing else remains", async () => {
    const { send, calls } = await serve('anthropic')
    const { status, text } = await send('/anthropic/v1/messages', { ...said, tools: [search] })
    expect([status, calls()]).toEqual([400, 0])
    expect(text).toContain('has not allowed the hosted tool \\"web_search_20250305\\"')
    const asked = { model: 'thinking', input: 'Hi', tools: [{ type: 'web_search' }] }
    const openai = await serve('openai')
    expect(await openai.send('/openai/v1/responses', asked)).toMatchObject({ status: 400 })
    expect(openai.calls()).toBe(0)
  })

  test("a hosted tool on the surface of the vendor's own API is left out and named beside functions", async () => {
    const { send, sent } = await serve('anthropic')
    const tools = [...functions.anthropic, search]
    const { status, warnings } = await send('/anthropic/v1/messages', { ...said, tools })
    expect([status, sent()]).toEqual([200, expect.not.stringContaining('web_search')])
    expect(warnings).toContain('web_search_20250305')
  })

  test("a hosted tool on the surface of the vendor's own API reaches the vendor as the client sent it where the operator allows it", async () => {
    const { send, sent } = await serve('anthropic', ['web_search', 'speed'])
    expect(await send('/anthropic/v1/messages', { ...said, speed: 'fast', tools: [search] })).toMatchObject({
      status: 200,
    })
    expect(JSON.parse(sent())).toMatchObject([{ speed: 'fast', tools: [search] }])
  })
})

describe('the default value of such an option', () => {
  test.each<[Id, object]>([
    ['openai', { service_tier: 'auto', store: false, modalities: ['text'] }],
    ['openai', { service_tier: 'default' }],
    ['anthropic', { service_tier: 'standard_only', speed: 'standard' }],
    ['google', { serviceTier: 'standard' }],
  ])('the default value of an option that costs more reaches %s: %j', async (id, options) => {
    const { send, sent } = await serve(id)
    const body = { model: 'plain', prompt: 'Hi', provider_options: { [id]: options } }
    expect(await send('/generate', body)).toMatchObject({ status: 200, warnings: '' })
    expect(JSON.parse(sent())).toMatchObject([options])
  })
})

describe('the recorded cost of an allowed tier', () => {
  const pricing = { input: 1_000, output: 1_000, tiers: { fast: 2, priority: 3, us: 1.1 } }

  test.each<[string, Id, object, object, number]>([
    ['is that of the speed and region that answered', 'anthropic', {}, { speed: 'fast', inference_geo: 'us' }, 0.011],
    ['is that of the speed that was asked for if the answer names none', 'anthropic', { speed: 'fast' }, {}, 0.01],
    [
      'is the standard cost if the standard speed answered',
      'anthropic',
      { speed: 'fast' },
      { speed: 'standard' },
      0.005,
    ],
    ['is that of the tier that answered', 'openai', { service_tier: 'auto' }, { service_tier: 'priority' }, 0.015],
    ['is that of the tier that was asked for', 'openai', { service_tier: 'priority' }, {}, 0.015],
    [
      'is the standard cost if the tier was full',
      'openai',
      { service_tier: 'priority' },
      { service_tier: 'default' },
      0.005,
    ],
    ['is that of the tier of Gemini', 'google', { serviceTier: 'priority' }, {}, 0.015],
  ])('the recorded cost of an allowed tier %s: %s', async (_title, id, options, reported, costUsd) => {
    const answered = {
      openai: { usage: { prompt_tokens: 3, completion_tokens: 2 }, ...reported },
      anthropic: { usage: { input_tokens: 3, output_tokens: 2, ...reported } },
      google: { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, ...reported } },
    }
    const { send } = await serve(id, id === 'anthropic' ? ['speed'] : ['service_tier'], {
      pricing,
      answered: answered[id],
    })
    const body = { model: 'plain', prompt: 'Hi', provider_options: { [id]: options } }
    const { text } = await send('/generate', body)
    expect(JSON.parse(text).meta.cost_usd).toBeCloseTo(costUsd, 6)
  })
})
