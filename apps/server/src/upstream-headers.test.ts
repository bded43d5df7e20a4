import { type Provider, ProviderError, type ResponseFacts } from '@fairlead/core/provider'
import { embedder, failing, openTestUpstream, fakePainter, replaying, scripted, fakeTextModel } from '@fairlead/testing'
import { anthropic, type AnthropicOptions } from '@fairlead/provider-anthropic'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

const headersOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => /^x-upstream|^anthropic|ratelimit-.*requests/.test(name)))

function post(body: object, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

const chat = { model: 'any', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }
const chatPaths = ['/generate', '/openai/v1/chat/completions', '/anthropic/v1/messages']
const paths: readonly (readonly [string, object])[] = [
  ...chatPaths.flatMap((path) => [[path, chat] as const, [path, { ...chat, stream: true }] as const]),
  ['/generate', { model: 'whole', prompt: 'Hi', stream: true }],
  ['/openai/v1/responses', { model: 'any', input: 'Hi' }],
  ['/generate/image', { model: 'picture', prompt: 'a lake' }],
  ['/openai/v1/images/generations', { model: 'picture', prompt: 'a lake', size: '1024x1024' }],
  ['/embeddings', { model: 'vectors', texts: ['Hi'] }],
  ['/openai/v1/embeddings', { model: 'vectors', input: 'Hi' }],
  ['/analyze', { model: 'analyst', text: 'A fine day.', tasks: ['sentiment'] }],
]

/** Providers whose upstream sends these facts with every answer. */
function telling(response: ResponseFacts): Provider[] {
  const { streamText, ...spoken } = scripted('spoken', 'Hello.', { response })
  const whole = { ...spoken, id: 'whole', models: [fakeTextModel({ id: 'whole' })] }
  const analysis = JSON.stringify({ sentiment: { score: 0.8, label: 'positive' }, language: 'en' })
  const analyst = scripted('analyst', analysis, { response })
  const vectors = embedder('vectors')
  return [
    {
      ...spoken,
      async *streamText(request, call) {
        yield { type: 'start', response }
        yield* streamText!(request, call)
      },
    },
    whole,
    { ...analyst, models: [fakeTextModel({ id: 'analyst', structured: true })] },
    { ...vectors, embed: async (request, call) => ({ ...(await vectors.embed(request, call)), response }) },
    fakePainter('painter', { response }),
  ]
}

describe('the upstream’s id of the request', () => {
  test.each(paths)('the upstream’s id of the request is in a header of %s for %j', async (path, body) => {
    const { ask } = await serveApp({ core: { providers: telling({ requestId: 'req_up' }) } })
    const response = await ask(path, post(body))
    await response.text()
    expect([response.status, headersOf(response)]).toEqual([200, { 'x-upstream-request-id': 'req_up' }])
  })

  test('the upstream’s id of the request is not that of a target whose stream failed before its first item', async () => {
    const [first, , , vectors] = telling({ requestId: 'req_first' })
    const broken: Provider = {
      ...first!,
      async *streamText() {
        yield { type: 'start', response: { requestId: 'req_first' } }
        throw new ProviderError('give_up', 'broke off')
      },
    }
    const routes = { both: { targets: ['spoken/any', 'second/any'] } }
    const { ask } = await serveApp({ core: { providers: [broken, scripted('second', 'Hi.'), vectors!], routes } })
    const response = await ask('/generate', post({ ...chat, model: 'both', stream: true }))
    expect(await response.text()).toContain('Hi.')
    expect(headersOf(response)).toEqual({})
  })

  test('an embedding that fails has the field of the caller’s list and the upstream’s id of the request', async () => {
    const options = { field: 'texts[0]', upstream: { status: 400, requestId: 'req_up' } }
    const vectors: Provider = {
      ...embedder('vectors', { embedding: { dimensions: 4, maxTexts: 1 } }),
      embed: async ({ texts }) => {
        if (texts[0] === 'bad') throw new ProviderError('invalid_request', 'rejected', options)
        return { embeddings: [[1, 1, 1, 1]] }
      },
    }
    const { ask } = await serveApp({ core: { providers: [vectors] } })
    const response = await ask('/embeddings', post({ model: 'vectors', texts: ['good', 'bad'] }))
    expect(await response.json()).toMatchObject({ error: { details: { field: 'texts[1]' } } })
    expect(headersOf(response)).toEqual({ 'x-upstream-request-id': 'req_up' })
  })

  test('the upstream’s id of the request can be read by pages of allowed origins', async () => {
    const origin = 'https://page.example.com'
    const { ask } = await serveApp({
      config: { corsOrigins: [origin] },
      core: { providers: telling({ requestId: 'req_up' }) },
    })
    const { headers } = await ask('/generate', post(chat, { origin }))
    expect(headers.get('access-control-expose-headers')?.split(',')).toContain('X-Upstream-Request-Id')
  })
})

describe('the rate limits of the upstream', () => {
  const rateLimit = { 'x-ratelimit-remaining-requests': '59', 'anthropic-ratelimit-requests-limit': '60' }

  test.each(paths)(
    'the rate limits of the upstream are in headers of %s for %j if the provider reports them',
    async (path, body) => {
      const { ask } = await serveApp({ core: { providers: telling({ rateLimit }) } })
      const response = await ask(path, post(body))
      await response.text()
      expect([response.status, headersOf(response)]).toEqual([200, rateLimit])
    },
  )

  test.each(chatPaths)('the rate limits of the upstream are in headers of %s after a 429', async (path) => {
    const { ask } = await serveApp({
      core: { providers: [failing('busy', 'rate_limited', { upstream: { status: 429, rateLimit } })] },
    })
    const response = await ask(path, post(chat))
    expect([response.status, headersOf(response)]).toEqual([429, rateLimit])
  })

  test('the rate limits of the upstream never replace headers of the service, and never break a response', async () => {
    const hostile = {
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '0',
      'set-cookie': 'a=b',
      'x-ratelimit-requests\r\nset-cookie': 'a=b',
      'x-ratelimit-limit-requests': '1\r\nset-cookie: a=b',
      'x-ratelimit-reset-requests': '6m0s',
    }
    const { ask } = await serveApp({ core: { providers: telling({ rateLimit: hostile }) } })
    const response = await ask('/generate', post(chat))
    expect([response.status, headersOf(response)]).toEqual([200, { 'x-ratelimit-reset-requests': '6m0s' }])
    expect([response.headers.get('set-cookie'), response.headers.get('x-ratelimit-limit')]).toEqual([null, '1000'])
  })
})

describe('a provider over HTTP', () => {
  const model = 'claude-opus-5-5'
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: 'Hello.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
  }
  const events = [
    { type: 'message_start', message: { ...message, content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ]
  const replies = {
    whole: { json: message },
    stream: {
      headers: { 'content-type': 'text/event-stream' },
      text: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    },
    failed: { status: 429, json: { type: 'error', error: { type: 'rate_limit_error', message: 'Too many.' } } },
  }
  const id = { 'request-id': 'req_up' }
  const limits = { 'anthropic-ratelimit-requests-limit': '60', 'anthropic-ratelimit-requests-remaining': '59' }

  /** The headers of three responses, whole, streamed, and failed. */
  async function answers(path: string, options: AnthropicOptions) {
    const upstream = await openTestUpstream()
    onTestFinished(() => upstream.close())
    const claude = anthropic({ apiKey: 'k', baseUrl: upstream.url, models: 'catalog', ...options })
    const { ask } = await serveApp({ core: { providers: [claude], retries: { perTarget: 0 } } })
    const seen: object[] = []
    for (const [kind, reply] of Object.entries(replies)) {
      const headers = { ...('headers' in reply && reply.headers), ...id, ...limits }
      upstream.answer(replaying({ ...reply, headers }))
      const response = await ask(path, post({ ...chat, model, stream: kind === 'stream' }))
      await response.text()
      seen.push(headersOf(response))
    }
    return seen
  }

  test.each(chatPaths)('a provider over HTTP passes on only its id of a request to %s by default', async (path) => {
    const expected = { 'x-upstream-request-id': 'req_up' }
    expect(await answers(path, {})).toEqual([expected, expected, expected])
  })

  test.each(chatPaths)(
    'a provider over HTTP passes on its rate limits to callers of %s with rateLimitHeaders',
    async (path) => {
      const expected = { 'x-upstream-request-id': 'req_up', ...limits }
      expect(await answers(path, { rateLimitHeaders: true })).toEqual([expected, expected, expected])
    },
  )
})
