import Anthropic, { APIUserAbortError, AuthenticationError } from '@anthropic-ai/sdk'
import { openTestUpstream, replaying, type TestUpstream } from '@fairlead/testing'
import { anthropic } from '@fairlead/provider-anthropic'
import { local } from '@fairlead/provider-local'
import { beforeEach, describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

let upstream: TestUpstream
beforeEach(async () => {
  upstream = await openTestUpstream()
  return () => upstream.close()
})

const model = 'claude-opus-5-5'
const said = (content: string) => [{ role: 'user' as const, content }]
const usage = {
  input_tokens: 12,
  output_tokens: 6,
  cache_creation_input_tokens: 100,
  cache_read_input_tokens: 2_000,
  output_tokens_details: { thinking_tokens: 4 },
}
const message = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model,
  content: [{ type: 'text', text: 'Hello there.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
}

/** The official client of a service that serves the models of the upstream. */
async function serveClaude(client: { readonly maxRetries?: number } = {}) {
  const claude = anthropic({ apiKey: 'sk-ant-canary', baseUrl: upstream.url, allow: ['web_search'] })
  const app = await serveApp({ core: { providers: [claude, local()], retries: { perTarget: 0 } } })
  const options = { baseURL: `${app.url}/anthropic`, apiKey: app.caller.token, maxRetries: 0, ...client }
  return { ...app, client: new Anthropic(options) }
}

const sent = () => upstream.requests.at(-1)!

describe('@anthropic-ai/sdk with a model of Anthropic', () => {
  test('@anthropic-ai/sdk with a model of Anthropic has its request arrive unchanged, with settings that Fairlead does not know', async () => {
    upstream.answer(replaying({ json: message }))
    const { client } = await serveClaude()
    const request = {
      model,
      max_tokens: 2_000,
      system: [{ type: 'text' as const, text: 'Be brief.', cache_control: { type: 'ephemeral' as const } }],
      messages: [
        {
          role: 'user' as const,
          content: [
            { type: 'text' as const, text: 'Hi', cache_control: { type: 'ephemeral' as const, ttl: '1h' as const } },
            { type: 'image' as const, source: { type: 'url' as const, url: 'https://pictures.example/lake.png' } },
          ],
        },
      ],
      tools: [
        { name: 'find', input_schema: { type: 'object' as const }, cache_control: { type: 'ephemeral' as const } },
        { type: 'web_search_20260318' as const, name: 'web_search' as const, max_uses: 2 },
      ],
      tool_choice: { type: 'auto' as const, disable_parallel_tool_use: true },
      thinking: { type: 'adaptive' as const, display: 'omitted' as const },
      output_config: { effort: 'max' as const },
      metadata: { user_id: 'ada' },
      service_tier: 'standard_only' as const,
      stop_sequences: ['END', 'a', 'b', 'c', 'd', 'e'],
    }
    const { response } = await client.messages
      .create(request, { headers: { 'anthropic-beta': 'compact-2026-01-12,fast-mode-2026-02-01' } })
      .withResponse()
    expect(sent().body).toEqual(request)
    expect(sent().headers).toMatchObject({
      'anthropic-beta': 'compact-2026-01-12,fast-mode-2026-02-01',
      'anthropic-version': '2026-10-21',
      'x-api-key': 'sk-ant-canary',
    })
    expect(response.headers.get('x-fairlead-ignored')).toBeNull()
  })

  test('@anthropic-ai/sdk with a model of Anthropic has absent settings stay absent', async () => {
    upstream.answer(replaying({ json: message }))
    const { client } = await serveClaude()
    const request = { model, max_tokens: 100, messages: said('Hi') }
    const { usage: counted } = await client.messages.create(request)
    expect(sent().body).toEqual(request)
    expect(counted).toMatchObject(usage)
  })

  test('@anthropic-ai/sdk with a model of Anthropic gets thinking with its signature, and sends it back unchanged', async () => {
    const content = [
      { type: 'thinking', thinking: 'It may rain.', signature: 'EqQBCgIYAg' },
      { type: 'redacted_thinking', data: 'EmwKAhgB' },
      { type: 'text', text: 'I look.', citations: null },
      { type: 'text', text: 'Servers of the same API may send no citations.' },
      { type: 'tool_use', id: 'toolu_01', name: 'find', input: { q: 'rain' }, caller: { type: 'direct' } },
    ]
    upstream.answer(replaying({ json: { ...message, content, stop_reason: 'tool_use' } }))
    const { client } = await serveClaude()
    const asked = { model, max_tokens: 100, tools: [{ name: 'find', input_schema: { type: 'object' as const } }] }
    const answer = await client.messages.create({ ...asked, messages: said('Rain?') })
    expect(answer.content).toEqual(content)
    const result = { type: 'tool_result' as const, tool_use_id: 'toolu_01', content: 'No.' }
    await client.messages.create({
      ...asked,
      messages: [...said('Rain?'), { role: 'assistant', content: answer.content }, { role: 'user', content: [result] }],
    })
    expect(sent().body).toMatchObject({
      messages: [...said('Rain?'), { role: 'assistant', content }, { role: 'user', content: [result] }],
    })
  })

  test('@anthropic-ai/sdk with a model of Anthropic counts tokens by the count of the API', async () => {
    upstream.answer(replaying({ json: { input_tokens: 2_095 } }))
    const { client } = await serveClaude()
    expect(await client.messages.countTokens({ model, messages: said('Hi') })).toEqual({ input_tokens: 2_095 })
    expect(sent()).toMatchObject({
      path: '/v1/messages/count_tokens',
      body: { model, messages: [{ role: 'user', content: 'Hi' }] },
    })
  })

  test('@anthropic-ai/sdk with a model of Anthropic gets a refusal of tools that only Anthropic runs for a model of another provider', async () => {
    const { client } = await serveClaude()
    const request = client.messages.create({
      model: 'mirror',
      max_tokens: 10,
      messages: said('Hi'),
      tools: [{ type: 'web_search_20260318', name: 'web_search' }],
    })
    await expect(request).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      apiMessage: expect.stringContaining('tools[0].type: "mirror" does not search the web; models that do: claude-'),
    })
  })
})

describe('an error in @anthropic-ai/sdk', () => {
  test('an error in @anthropic-ai/sdk has the status, type and request id of the API', async () => {
    const { client } = await serveClaude()
    const request = client.messages.create({ model: 'claude-none', max_tokens: 10, messages: said('Hi') })
    await expect(request).rejects.toMatchObject({
      status: 404,
      type: 'not_found_error',
      requestID: expect.stringMatching(/^req_/),
      error: { type: 'error', request_id: expect.stringMatching(/^req_/) },
    })
  })

  test('an error in @anthropic-ai/sdk is an authentication error for a wrong key, as x-api-key or bearer', async () => {
    const { url } = await serveClaude()
    const asked = { model, max_tokens: 10, messages: said('Hi') }
    for (const key of [{ apiKey: 'fl_wrong' }, { authToken: 'fl_wrong', apiKey: null }]) {
      const client = new Anthropic({ baseURL: `${url}/anthropic`, maxRetries: 0, ...key })
      await expect(client.messages.create(asked)).rejects.toBeInstanceOf(AuthenticationError)
    }
  })

  test('an error in @anthropic-ai/sdk says that the prompt is too long, as agents expect', async () => {
    const error = { type: 'invalid_request_error', message: 'prompt is too long: 1000050 tokens > 1000000 maximum' }
    upstream.answer(replaying({ status: 400, json: { type: 'error', error } }))
    const { client } = await serveClaude()
    await expect(client.messages.create({ model, max_tokens: 10, messages: said('Hi') })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('"message":"prompt is too long: 1000050 tokens > 1000000 maximum"'),
    })
  })

  test('an error in @anthropic-ai/sdk is 529 while the provider is busy', async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    upstream.answer(replaying({ status: 529, headers: { 'retry-after': '1' }, json: overloaded }))
    const { client } = await serveClaude()
    const request = client.messages.create({ model, max_tokens: 10, messages: said('Hi') })
    await expect(request).rejects.toMatchObject({ status: 529, type: 'overloaded_error' })
  })

  test('an error in @anthropic-ai/sdk of the provider is retried by the client', async () => {
    const failed = { type: 'error', error: { type: 'api_error', message: 'Internal server error' } }
    upstream.answer((response, request) => {
      const isFirst = upstream.requests.length === 1
      return replaying(isFirst ? { status: 500, json: failed } : { json: message })(response, request)
    })
    const { client } = await serveClaude({ maxRetries: 1 })
    expect(await client.messages.create({ model, max_tokens: 10, messages: said('Hi') })).toMatchObject({
      stop_reason: 'end_turn',
    })
    expect(upstream.requests).toHaveLength(2)
  })

  test('an error in @anthropic-ai/sdk in the middle of a stream rejects the stream', async () => {
    const { client } = await serveClaude()
    upstream.answer(
      replaying({
        events: [
          { event: 'message_start', data: { type: 'message_start', message: { ...message, content: [] } } },
          {
            event: 'content_block_start',
            data: { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          },
          {
            event: 'content_block_delta',
            data: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
          },
          { event: 'error', data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } },
        ],
      }),
    )
    const stream = client.messages.stream({ model, max_tokens: 10, messages: said('Hi') })
    const texts: string[] = []
    stream.on('text', (text) => void texts.push(text))
    await expect(stream.finalMessage()).rejects.toMatchObject({
      type: expect.stringMatching(/^(api|overloaded)_error$/),
    })
    expect(texts).toEqual(['Hel'])
  })

  test('an error in @anthropic-ai/sdk is none when the client aborts, which ends the request upstream', async () => {
    const { client } = await serveClaude()
    upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const start = { type: 'message_start', message: { ...message, content: [] } }
      const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } }
      const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
      for (const event of [start, block, delta])
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    })
    const stream = client.messages.stream({ model, max_tokens: 10, messages: said('Hi') })
    const first = new Promise((resolve) => stream.on('text', resolve))
    const ended = stream.finalMessage().catch((error: unknown) => error)
    expect(await first).toBe('Hel')
    stream.abort()
    expect(await ended).toBeInstanceOf(APIUserAbortError)
    await sent().hungUp
  })
})
