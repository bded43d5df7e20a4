import { collectAnswer, type Model, ProviderError, type TextRequest } from '@fairlead/core/provider'
import {
  openTestUpstream,
  type RecordedEvent,
  type RecordedReply,
  replaying,
  type TestUpstream,
} from '@fairlead/testing'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { anthropic, type AnthropicOptions } from './index.ts'
import { named, said, type WireEvent, wireMessage } from './testing/messages.ts'

let upstream: TestUpstream
beforeEach(async () => {
  upstream = await openTestUpstream()
  return () => upstream.close()
})

const asked: TextRequest = {
  model: 'claude-haiku-5-5',
  messages: [said('user', 'Greet me.')],
  maxTokens: 64,
  temperature: 0.7,
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
}
const call = { signal: new AbortController().signal, deadline: Infinity, requestId: 'req_1' }

function open(reply: RecordedReply, options: AnthropicOptions = {}) {
  upstream.answer(replaying(reply))
  const provider = anthropic({ apiKey: 'sk-ant-canary', baseUrl: upstream.url, ...options })
  onTestFinished(() => provider.close?.())
  return provider
}

const message = (facts?: Readonly<Record<string, unknown>>): RecordedReply => ({ json: wireMessage(facts) })

const answer = (facts: Readonly<Record<string, unknown>>) => open(message(facts)).generateText!(asked, call)
const refusal = { stop_reason: 'refusal', stop_details: { type: 'refusal', category: 'bio', explanation: 'Not that.' } }

describe('a response', () => {
  test('a response has the text of its blocks, the token counts, and what else the API says of it', async () => {
    const { usage, id, model, type: _type, role: _role, content: _content, ...own } = wireMessage()
    expect(await answer({})).toEqual({
      parts: [{ type: 'text', text: 'Hello there.', native: { anthropic: { citations: null } } }],
      finishReason: 'stop',
      usage: { promptTokens: 12, completionTokens: 6, cachedPromptTokens: 0, native: { anthropic: usage } },
      response: { id, model, serviceTier: 'standard', native: { anthropic: own } },
      warnings: [],
    })
  })

  test('a response has blocks that only the API knows as they are, between texts that stay apart', async () => {
    const blocks = [
      { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: { query: 'lake' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_01',
        content: [{ type: 'web_search_result', url: 'u' }],
      },
      { type: 'block_of_tomorrow', secret: null },
    ]
    const texts = ['Hello', ' there.', 'Bye.'].map((text) => ({ type: 'text' as const, text }))
    const { parts } = await answer({ content: [texts[0], ...blocks, ...texts.slice(1)] })
    const opaque = blocks.map((data) => ({
      type: 'opaque',
      provider: 'anthropic',
      dialect: 'anthropic',
      kind: data.type,
      data,
    }))
    expect(parts).toEqual([texts[0], ...opaque, ...texts.slice(1)])
  })

  test.each([
    [
      { type: 'char_location', cited_text: 'Wet.', document_index: 1, document_title: 'Lakes', start_char_index: 3 },
      { quote: 'Wet.', document: 1, title: 'Lakes' },
    ],
    [
      {
        type: 'web_search_result_location',
        cited_text: 'Wet.',
        title: null,
        url: 'https://a.example',
        encrypted_index: 'x',
      },
      { quote: 'Wet.', url: 'https://a.example' },
    ],
    [
      { type: 'search_result_location', cited_text: 'Wet.', title: 'Lakes', source: 'https://b.example' },
      { quote: 'Wet.', title: 'Lakes', url: 'https://b.example' },
    ],
  ])('a response has the citations of a text: %j', async (citation, read) => {
    const { parts } = await answer({ content: [{ type: 'text', text: 'It is wet.', citations: [citation] }] })
    const citations = [{ ...read, native: { anthropic: citation } }]
    expect(parts).toEqual([{ type: 'text', text: 'It is wet.', citations }])
  })

  test('a response keeps the fields of a tool call that the API needs back', async () => {
    const use = { type: 'tool_use', id: 'toolu_01', name: 'find', input: {}, toolset_name: null }
    const caller = { type: 'code_execution_20260120', tool_id: 'srvtoolu_01' }
    const { parts } = await answer({ content: [{ ...use, caller }], stop_reason: 'tool_use' })
    expect(parts).toEqual([
      {
        type: 'tool_call',
        id: 'toolu_01',
        name: 'find',
        inputText: '{}',
        input: {},
        providerOptions: { anthropic: { caller } },
        native: { anthropic: { caller, toolset_name: null } },
      },
    ])
  })

  test('a response has provider options with the configured id', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' },
      { type: 'text', text: 'Hello.' },
    ]
    const { parts } = await open(message({ content }), { id: 'claude' }).generateText!(asked, call)
    expect(parts?.[0]).toEqual({ type: 'reasoning', text: 'Hm.', providerOptions: { claude: { signature: 'EqQB' } } })
  })

  test('a response counts prompt tokens that the cache read or wrote', async () => {
    const usage = { input_tokens: 5, output_tokens: 2, cache_creation_input_tokens: 100, cache_read_input_tokens: 30 }
    expect(await answer({ usage })).toMatchObject({
      usage: { promptTokens: 135, completionTokens: 2, cachedPromptTokens: 30, cacheWriteTokens: 100 },
    })
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'pause'],
    ['compaction', 'pause'],
    ['refusal', 'refusal'],
    ['tool_use', 'tool_calls'],
    ['reason_of_tomorrow', 'stop'],
  ])('a response maps the stop reason %s to %s', async (stop_reason, finishReason) => {
    expect(await answer({ stop_reason })).toMatchObject({ parts: [{ text: 'Hello there.' }], finishReason })
  })

  test('a response warns of a stop reason that it does not know, which its facts have', async () => {
    const { warnings, response } = await answer({ stop_reason: 'reason_of_tomorrow' })
    expect(warnings).toMatchObject([{ issue: expect.stringContaining('does not know') }])
    expect(response?.native?.anthropic).toMatchObject({ stop_reason: 'reason_of_tomorrow' })
  })

  test('a response warns about thinking tokens when maxTokens is reached', async () => {
    const usage = { input_tokens: 5, output_tokens: 64, output_tokens_details: { thinking_tokens: 60 } }
    const { warnings } = await answer({ content: [], stop_reason: 'max_tokens', usage })
    expect(warnings).toEqual([{ field: 'maxTokens', issue: '60 of the tokens were used for reasoning' }])
  })

  test('a response warns that prompt and response filled the context', async () => {
    const { warnings } = await answer({ stop_reason: 'model_context_window_exceeded' })
    expect(warnings).toMatchObject([{ field: 'messages' }])
  })

  test('a response has the explanation of a refusal, if there is one', async () => {
    const refused = { finishReason: 'refusal', usage: expect.anything() }
    const parts = [{ type: 'refusal', text: 'Not that.' }]
    expect(await answer({ content: [], ...refusal })).toMatchObject({ ...refused, parts })
    expect(await answer({ content: [], stop_reason: 'refusal' })).toMatchObject({ ...refused, parts: [] })
  })

  test.each(['{"city":', ['Oslo'], 7])('a response has the text of a tool input that is %j', async (input) => {
    const inputText = typeof input === 'string' ? input : JSON.stringify(input)
    const content = [{ type: 'tool_use', id: 't1', name: 'look', input }]
    const { parts } = await answer({ content, stop_reason: 'tool_use' })
    expect(parts).toEqual([{ type: 'tool_call', id: 't1', name: 'look', inputText }])
  })

  test('a response has warnings about unsupported settings', async () => {
    const { warnings } = await open(message()).generateText!({ ...asked, seed: 1 }, call)
    expect(warnings).toMatchObject([{ field: 'seed' }])
  })

  test('a response reports warnings about unsupported settings before it streams', () => {
    const warn = vi.fn<(warnings: readonly object[]) => void>()
    open(message()).streamText!({ ...asked, seed: 1 }, { ...call, warn })
    expect(warn).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ field: 'seed' })])
  })
})

const begin = { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }
const start = { type: 'message_start', message: { ...wireMessage(), content: [], stop_reason: null } }
const textDelta = (text: string) => ({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } })
const ending = (stop_reason: string, usage: object = { output_tokens: 9 }) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null, stop_details: null },
  usage,
})
const stop = { type: 'message_stop' }

/** The events of the streaming guide, thoughts first. */
const greeting = named(
  start,
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'A greeting.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'EqQB' } },
  { type: 'content_block_stop', index: 0 },
  begin,
  textDelta('Hello'),
  textDelta(' there.'),
  { type: 'content_block_stop', index: 1 },
  ending('end_turn'),
  stop,
)

const greetingTexts = ['A greeting.', 'Hello', ' there.']

function gathered(events: readonly WireEvent[]) {
  return collectAnswer(open({ events: named(...events) }).streamText!(asked, call))
}

async function streamed(events: readonly RecordedEvent[], request: TextRequest = asked) {
  const texts: string[] = []
  try {
    for await (const event of open({ events }).streamText!(request, call)) {
      if (event.type === 'finish') return { texts, finish: event }
      if (event.type === 'part_delta' && event.text) texts.push(event.text)
    }
  } catch (error) {
    return { texts, error: error as ProviderError }
  }
  return { texts }
}

describe('a stream', () => {
  test('a stream yields texts as they arrive, then a finish event', async () => {
    expect(await streamed(greeting)).toEqual({
      texts: greetingTexts,
      finish: {
        type: 'finish',
        finishReason: 'stop',
        usage: {
          promptTokens: 12,
          completionTokens: 9,
          cachedPromptTokens: 0,
          native: { anthropic: { ...wireMessage().usage, output_tokens: 9 } },
        },
        response: expect.objectContaining({ id: wireMessage().id, model: asked.model, serviceTier: 'standard' }),
        warnings: [],
      },
    })
    expect(upstream.requests.at(-1)?.body).toMatchObject({ stream: true })
  })

  test('a stream skips events of unknown types', async () => {
    const events = [...named({ type: 'event_of_tomorrow', index: 7, text: 'secret' }), ...greeting]
    expect(await streamed(events)).toMatchObject({ texts: greetingTexts, finish: { finishReason: 'stop' } })
  })

  test('a stream has the blocks, citations, and deltas that only the API knows', async () => {
    const use = { type: 'server_tool_use', id: 'srvtoolu_01', name: 'web_search', input: {} }
    const citation = { type: 'web_search_result_location', cited_text: 'Wet.', url: 'https://a.example' }
    const compaction = { type: 'compaction', content: null }
    const deltaOf = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta })
    const blockOf = (index: number, content_block: object, ...deltas: readonly WireEvent[]) => [
      { type: 'content_block_start', index, content_block },
      ...deltas,
      { type: 'content_block_stop', index },
    ]
    const { parts } = await gathered([
      start,
      ...blockOf(
        0,
        use,
        deltaOf(0, { type: 'input_json_delta', partial_json: '{"query":' }),
        deltaOf(0, { type: 'input_json_delta', partial_json: '"lake"}' }),
      ),
      ...blockOf(
        1,
        { type: 'text', text: '', citations: [] },
        deltaOf(1, { type: 'citations_delta', citation }),
        deltaOf(1, { type: 'text_delta', text: 'It is wet.' }),
        deltaOf(1, { type: 'delta_of_tomorrow', mood: 'calm' }),
      ),
      ...blockOf(2, compaction, deltaOf(2, { type: 'compaction_delta', content: 'They greeted.' })),
      ending('end_turn'),
      stop,
    ])
    const opaque = { type: 'opaque', provider: 'anthropic', dialect: 'anthropic' }
    expect(parts).toEqual([
      { ...opaque, kind: 'server_tool_use', data: { ...use, input: { query: 'lake' } } },
      {
        type: 'text',
        text: 'It is wet.',
        citations: [{ quote: 'Wet.', url: 'https://a.example', native: { anthropic: citation } }],
        native: { anthropic: { mood: 'calm' } },
      },
      { ...opaque, kind: 'compaction', data: { ...compaction, content: 'They greeted.' } },
    ])
  })

  test('a stream has what its end says of the message', async () => {
    const context_management = { applied_edits: [] }
    const container = { id: 'container_01', expires_at: '2026-11-24T00:00:00Z' }
    const end = { ...ending('end_turn'), context_management, delta: { stop_reason: 'end_turn', container } }
    const { response } = await gathered([start, begin, textDelta('Hi'), end, stop])
    const ended = { stop_reason: 'end_turn', stop_sequence: null, stop_details: null }
    expect(response?.native?.anthropic).toEqual({ container, context_management, ...ended })
  })

  test('a stream ends the blocks that the API did not end', async () => {
    const { parts } = await gathered([start, begin, textDelta('Hi'), ending('end_turn'), stop])
    expect(parts).toEqual([{ type: 'text', text: 'Hi' }])
  })

  test('a stream fails if it continues a block that has not begun', async () => {
    const { error } = await streamed(named(start, textDelta('Hi'), ending('end_turn'), stop))
    expect(error).toMatchObject({ failure: 'retry', message: expect.stringContaining('block 1') })
  })

  test('a stream uses the latest count of each kind', async () => {
    const usage = { input_tokens: 20, output_tokens: 7, cache_read_input_tokens: 4, cache_creation_input_tokens: null }
    const { finish } = await streamed(named(start, begin, textDelta('Hi'), ending('end_turn', usage), stop))
    expect(finish?.usage).toMatchObject({ promptTokens: 24, completionTokens: 7, cachedPromptTokens: 4 })
  })

  test('a stream ends with a refusal, whether the model refused before or after some text', async () => {
    const late = await streamed(named(start, begin, textDelta('Well'), ending('refusal'), stop))
    expect(late.finish).toMatchObject({ finishReason: 'refusal' })
    const early = await streamed(named(start, { ...ending(''), delta: refusal }, stop))
    expect(early.finish).toMatchObject({ finishReason: 'refusal', usage: expect.anything() })
  })

  test.each(greeting.slice(0, -1).map((_, count) => count))(
    'a stream fails if it ends after %i events',
    async (count) => {
      const { error, finish } = await streamed(greeting.slice(0, count))
      expect(finish).toBeUndefined()
      expect(error).toMatchObject({ name: 'ProviderError', failure: 'retry' })
    },
  )

  test.each([
    ['overloaded_error', 'retry'],
    ['api_error', 'retry'],
    ['rate_limit_error', 'rate_limited'],
    ['timeout_error', 'timeout'],
  ])('a stream fails with the error that it ends with: %s', async (type, failure) => {
    const events = [...named(start, begin, textDelta('Hel')), { event: 'error', data: errorBody(type, 'Sorry.') }]
    expect(await streamed(events)).toMatchObject({ texts: ['Hel'], error: { failure } })
  })
})

function errorBody(type: string, words: string, error_code?: string) {
  const details = error_code ? { error_code } : null
  return { type: 'error', error: { type, message: words, details }, request_id: 'req_011' }
}

async function failed(status: number, type: string, words = 'No.', error_code?: string) {
  const reply = { status, json: errorBody(type, words, error_code) }
  return open(reply).generateText!(asked, call).catch((error: ProviderError) => error) as Promise<ProviderError>
}

describe('an error of the API', () => {
  test.each([
    [400, 'invalid_request_error', 'invalid_request'],
    [400, 'constructor', 'invalid_request'],
    [401, 'authentication_error', 'credential'],
    [402, 'billing_error', 'credential'],
    [403, 'permission_error', 'credential'],
    [404, 'not_found_error', 'give_up'],
    [409, 'conflict_error', 'retry'],
    [413, 'request_too_large', 'too_long'],
    [429, 'rate_limit_error', 'rate_limited'],
    [500, 'api_error', 'retry'],
    [504, 'timeout_error', 'timeout'],
    [529, 'overloaded_error', 'retry'],
    [500, 'error_of_tomorrow', 'retry'],
  ])('an error of the API with status %i and type %s is classified as %s', async (status, type, failure) => {
    expect(await failed(status, type)).toMatchObject({ name: 'ProviderError', failure })
  })

  test.each([
    ['max_tokens: 200000 > 128000, which is the maximum allowed number of output tokens', 'maxTokens'],
    ['messages.0.content: text content blocks must be non-empty', 'messages'],
    ['prompt is too long: 1000050 tokens > 1000000 maximum', 'messages'],
    ['temperature: range: 0..1', 'temperature'],
    ['stop_sequences: each stop sequence must contain non-whitespace', 'stop'],
    ['output_config.format.schema: Invalid schema', 'responseFormat'],
    ['tool_choice: type "tool" and "any" are not supported for this model.', 'toolChoice'],
    ['tools.0.custom.input_schema: JSON schema is invalid.', 'tools'],
    ['This model does not support assistant message prefill.', 'messages'],
    ['constructor: is odd', undefined],
  ])('an error of the API names the invalid field: %s', async (words, field) => {
    expect(await failed(400, 'invalid_request_error', words)).toMatchObject({ field, detail: words })
  })

  test.each([
    [429, 'rate_limit_error'],
    [529, 'overloaded_error'],
  ])(
    'an error of the API has status %i of the upstream and the code %s, also within a stream',
    async (status, code) => {
      expect(await failed(status, code)).toMatchObject({ upstream: { status, code } })
      const events = [...named(start, begin, textDelta('Hel')), { event: 'error', data: errorBody(code, 'Sorry.') }]
      expect(await streamed(events)).toMatchObject({ error: { upstream: { status, code } } })
    },
  )

  test.each([
    'prompt is too long: 1000050 tokens > 1000000 maximum',
    'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens`',
  ])('an error of the API reports too_long for: %s', async (detail) => {
    const expected = { failure: 'too_long', field: 'messages', detail }
    expect(await failed(400, 'invalid_request_error', detail)).toMatchObject(expected)
  })

  test('an error of the API about the account is not an invalid request', async () => {
    const poor = 'Your credit balance is too low to access the Anthropic API.'
    expect(await failed(400, 'invalid_request_error', poor)).toMatchObject({ failure: 'credential' })
    const limited = await failed(400, 'invalid_request_error', 'Over.', 'enforced_spend_limit_reached')
    expect(limited).toMatchObject({ failure: 'credential' })
  })

  test('an error of the API has the delay of retry-after', async () => {
    const reply = { status: 429, headers: { 'retry-after': '7' }, json: errorBody('rate_limit_error', 'Slow down.') }
    await expect(open(reply).generateText!(asked, call)).rejects.toMatchObject({ retryAfterMs: 7_000 })
  })
})

describe('the request', () => {
  test('the request has the headers for the key and the version', async () => {
    await open(message()).generateText!(asked, call)
    const { path, headers } = upstream.requests.at(-1)!
    expect(path).toBe('/v1/messages')
    expect(headers).toMatchObject({ 'x-api-key': 'sk-ant-canary', 'anthropic-version': '2023-06-01' })
    expect(headers).not.toHaveProperty('authorization')
  })

  test.each<[AnthropicOptions, number]>([
    [{}, 128_000],
    [{ models: [] }, 128_000],
    [{ models: [{ type: 'text', id: asked.model, name: 'Mine', description: 'Mine.', maxTokens: 9_000 }] }, 9_000],
  ])('the request has the maximum of the model if none was requested: %#', async (options, max_tokens) => {
    const { maxTokens: _default, ...request } = asked
    await open(message(), options).generateText!(request, call)
    expect(upstream.requests.at(-1)?.body).toMatchObject({ max_tokens })
  })

  test('the request has the maximum of a fetched model', async () => {
    const data = [{ type: 'model', id: 'claude-from-tomorrow', display_name: 'Tomorrow', max_tokens: 9_000 }]
    const { maxTokens: _default, ...request } = { ...asked, model: 'claude-from-tomorrow' }
    const provider = open({ json: { data, has_more: false } }, { models: 'fetched' })
    if (typeof provider.models === 'function') await provider.models(call)
    upstream.answer(replaying(message()))
    await provider.generateText!(request, call)
    expect(upstream.requests.at(-1)?.body).toMatchObject({ max_tokens: 9_000 })
  })
})

describe('health', () => {
  test('health resolves if the API lists models for the key', async () => {
    await expect(open({ json: { data: [], has_more: false } }).health!(call)).resolves.toBeUndefined()
    expect(upstream.requests.at(-1)).toMatchObject({ method: 'GET', path: '/v1/models?limit=1' })
  })

  test('health rejects with the error of the API otherwise', async () => {
    const reply = { status: 401, json: errorBody('authentication_error', 'invalid x-api-key') }
    await expect(open(reply).health!(call)).rejects.toMatchObject({ failure: 'credential' })
  })
})

describe('the models', () => {
  test('the models are the catalog’s or the configured ones', () => {
    const ids = (provider: ReturnType<typeof anthropic>) => (provider.models as readonly Model[]).map(({ id }) => id)
    expect(ids(open(message(), { models: 'catalog' }))).toContain('claude-haiku-5-5')
    expect(ids(open(message(), { models: [] }))).toEqual([])
  })

  test('the models are by default the catalog’s and those that the API lists; a dated one has the price of its family', async () => {
    const data = [{ type: 'model', id: 'claude-haiku-4-5-20251001', display_name: 'Claude Haiku 4.5' }]
    const provider = open({ json: { data, has_more: false } })
    const listed = typeof provider.models === 'function' ? await provider.models(call) : []
    expect(provider.knownModels?.map(({ id }) => id)).toContain('claude-haiku-4-5')
    expect(listed).toHaveLength(provider.knownModels!.length + 1)
    expect(listed.at(-1)).toMatchObject({
      id: 'claude-haiku-4-5-20251001',
      maxTokens: 64_000,
      pricing: { input: 1, output: 5 },
    })
  })

  test('the models that are not listed are dated ones of the catalog, and any other id with "any"', () => {
    const dated = { id: 'claude-haiku-4-5-20251001', maxTokens: 64_000, pricing: { input: 1 } }
    expect(open(message()).findModel?.(dated.id)).toMatchObject(dated)
    expect(open(message()).findModel?.('claude-from-tomorrow')).toBeUndefined()
    expect(open(message(), { models: 'fetched' }).findModel).toBeUndefined()
    const any = open(message(), { models: 'any' })
    expect(any.findModel?.(dated.id)).not.toHaveProperty('assumed')
    expect(any.findModel?.('claude-from-tomorrow')).toMatchObject({
      assumed: true,
      maxTokensUnknown: true,
      tools: true,
    })
  })

  test('the models can be fetched from the API, with limits and without prices', async () => {
    const facts = { type: 'model', created_at: '2026-10-07T00:00:00Z', max_input_tokens: 200_000, max_tokens: 9_000 }
    const data = [
      { id: 'claude-haiku-5-5', display_name: 'Claude Haiku 5.5', ...facts, lifecycle: 'active', capabilities: null },
      {
        id: 'claude-from-tomorrow',
        display_name: 'Claude Tomorrow',
        ...facts,
        max_tokens: null,
        capabilities: { structured_outputs: { supported: true }, image_input: { supported: false } },
      },
      { id: 'claude-gone', display_name: 'Gone', ...facts, lifecycle: 'retired', capabilities: null },
    ]
    const { models } = open({ json: { data, has_more: false, first_id: null, last_id: null } }, { models: 'fetched' })
    const listed = await (typeof models === 'function' && models(call))
    expect(upstream.requests.at(-1)).toMatchObject({ method: 'GET', path: '/v1/models?limit=1000' })
    expect(listed).toMatchObject([
      {
        id: 'claude-haiku-5-5',
        maxTokens: 9_000,
        contextSize: 200_000,
        pricing: { input: 0.1, output: 0.5 },
        chat: true,
        tools: true,
        vision: true,
        urls: true,
        structured: true,
        reasoning: true,
      },
      {
        id: 'claude-from-tomorrow',
        maxTokens: 4_096,
        chat: true,
        tools: true,
        vision: false,
        urls: false,
        structured: true,
        reasoning: false,
      },
    ])
    expect(listed).not.toHaveProperty([1, 'pricing'])
  })
})
