import { replaying, type UpstreamAnswer } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { createHttpClient, type HttpClientOptions } from '../index.ts'
import { apiKey, schema, textUpstream } from '../testing/text-upstream.ts'

const { ask, client, upstream } = textUpstream()
const { signal } = new AbortController()

describe('a JSON request', () => {
  test('a JSON request sends the key and the body to a path below the base URL, and returns the validated reply', async () => {
    expect(await ask(replaying({ json: { text: 'hello', more: 1 } }))).toEqual({ text: 'hello' })
    const { method, path, headers, body } = upstream().requests.at(-1)!
    expect({ method, path, body }).toEqual({ method: 'POST', path: '/v1/chat', body: { prompt: 'hi' } })
    expect(headers).toMatchObject({ authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' })
  })

  test('a JSON request can be a GET without a body', async () => {
    upstream().answer(replaying({ json: { text: 'listed' } }))
    expect(await client().getJson({ path: '/models', schema, signal })).toEqual({ text: 'listed' })
    expect(upstream().requests.at(-1)).toMatchObject({ method: 'GET', path: '/v1/models', body: '' })
  })

  test.each<[number, string]>([
    [400, 'invalid_request'],
    [401, 'credential'],
    [402, 'credential'],
    [403, 'credential'],
    [404, 'give_up'],
    [408, 'timeout'],
    [409, 'retry'],
    [413, 'too_long'],
    [422, 'invalid_request'],
    [429, 'rate_limited'],
    [500, 'retry'],
    [501, 'give_up'],
    [502, 'retry'],
    [503, 'retry'],
    [504, 'timeout'],
    [529, 'retry'],
  ])('a JSON request with the reply status %i fails with %s', async (status, failure) => {
    await expect(ask(replaying({ status, json: {} }))).rejects.toMatchObject({ name: 'ProviderError', failure })
  })

  test('a JSON request follows no redirect, so that no other host receives the key', async () => {
    const before = upstream().requests.length
    const redirect = replaying({ status: 307, headers: { location: `${upstream().url}/elsewhere` }, text: 'this way' })
    await expect(ask(redirect)).rejects.toMatchObject({
      failure: 'give_up',
      message: expect.stringContaining('baseUrl'),
    })
    expect(upstream().requests.length - before).toBe(1)
  })

  test('a JSON request adds the request id of the upstream to the answer that is read from the reply', async () => {
    upstream().answer(replaying({ headers: { 'request-id': 'req_abc' }, json: { text: 'hello' } }))
    const post = { path: '/chat', body: {}, schema, signal }
    expect(await client().postJson(post, ({ text }) => ({ content: text }))).toEqual({
      content: 'hello',
      response: { requestId: 'req_abc' },
    })
  })

  test('a JSON request adds rate limits to answers, events, and errors if the option says so', async () => {
    const rateLimit = { 'x-ratelimit-remaining-tokens': '149' }
    const headers = { ...rateLimit, 'x-other': 'a' }
    const post = { path: '/chat', body: {}, schema, signal }
    const limited = client({ rateLimitHeaders: true })
    upstream().answer(replaying({ headers, json: { text: 'hello' } }))
    expect(await limited.postJson(post, ({ text }) => ({ text }))).toEqual({ text: 'hello', response: { rateLimit } })
    expect(await client().postJson(post, ({ text }) => ({ text }))).toEqual({ text: 'hello' })
    await expect(ask(replaying({ status: 429, headers, json: {} }), { rateLimitHeaders: true })).rejects.toMatchObject({
      upstream: { status: 429, rateLimit },
    })
    const failed = ask(replaying({ status: 429, headers, json: {} }))
    await expect(failed).rejects.toMatchObject({ upstream: { status: 429, rateLimit: undefined } })
    const sent = { ...headers, 'content-type': 'text/event-stream' }
    upstream().answer(replaying({ headers: sent, text: 'data: {"text":"hello"}\n\n' }))
    const seen: unknown[] = []
    for await (const event of limited.postForEvents(post, (events) => events)) seen.push(event)
    expect(seen).toEqual([{ type: 'start', response: { rateLimit } }, { text: 'hello' }])
  })

  test('a JSON request adds the request id to the start event that a provider yields after pings', async () => {
    const headers = { 'x-request-id': 'req_abc', 'content-type': 'text/event-stream' }
    upstream().answer(replaying({ headers, text: 'data: {"text":"hello"}\n\n' }))
    async function* read(events: AsyncIterable<{ readonly text: string }>) {
      yield { type: 'alive' }
      for await (const { text } of events) yield { type: 'start', response: { id: text } }
    }
    const seen: unknown[] = []
    for await (const event of client().postForEvents({ path: '/chat', body: {}, schema, signal }, read))
      seen.push(event)
    expect(seen).toEqual([{ type: 'alive' }, { type: 'start', response: { id: 'hello', requestId: 'req_abc' } }])
  })

  test('a JSON request that fails has the status and the request id of the upstream', async () => {
    const headers = { 'x-request-id': 'req_abc', 'retry-after': '40' }
    await expect(ask(replaying({ status: 429, headers, json: {} }))).rejects.toMatchObject({
      upstream: { status: 429, requestId: 'req_abc', retryAfterMs: 40_000 },
      mayBill: false,
    })
    await expect(ask(replaying({ headers, json: { text: 7 } }))).rejects.toMatchObject({
      upstream: { status: 200, requestId: 'req_abc' },
      mayBill: true,
    })
  })

  test('a JSON request classifies an error by its body before its status', async () => {
    const explainError: HttpClientOptions['explainError'] = ({ status, body }) => ({
      failure: 'content_refused',
      message: `${status} ${(body as { why: string }).why}`,
      field: 'prompt',
      retryAfterMs: 5,
    })
    await expect(ask(replaying({ status: 400, json: { why: 'rude' } }), { explainError })).rejects.toMatchObject({
      failure: 'content_refused',
      detail: '400 rude',
      field: 'prompt',
      retryAfterMs: 5,
    })
  })

  test.each([
    ['no time, which would be at once,', 0, 7_000],
    ['ages', 1e15, 3_600_000],
    ['nonsense', NaN, 7_000],
  ])(
    'a JSON request with %s to wait, in the upstream’s own words, is given a time that makes sense',
    async (_case, said, expected) => {
      const explainError = () => ({ retryAfterMs: said })
      const limited = replaying({ status: 429, headers: { 'retry-after': '7' }, json: {} })
      await expect(ask(limited, { explainError })).rejects.toMatchObject({ retryAfterMs: expected })
    },
  )
})

describe('an invalid reply', () => {
  test('an invalid reply that is a web page fails with its beginning in the message', async () => {
    const page = replaying({ headers: { 'content-type': 'text/html' }, text: '<html>Please sign in' })
    await expect(ask(page)).rejects.toMatchObject({ failure: 'retry', message: expect.stringContaining('sign in') })
  })

  test('an invalid reply that is an error with status 200 is classified by its body', async () => {
    const explainError: HttpClientOptions['explainError'] = ({ status, body }) =>
      status === 200 ? { failure: 'retry', message: (body as { error: string }).error } : undefined
    await expect(ask(replaying({ json: { error: 'lost' } }), { explainError })).rejects.toMatchObject({
      message: 'acme: answered 200: lost',
    })
  })

  test.each<[string, UpstreamAnswer]>([
    ['is cut off JSON', replaying({ headers: { 'content-type': 'application/json' }, text: '{"text": "hel' })],
    ['is empty', replaying({ headers: { 'content-type': 'application/json' }, text: '' })],
    ['has the wrong types', replaying({ json: { text: 7 } })],
    ['is null', replaying({ json: null })],
    ['says JSON and is gzip', replaying({ headers: { 'content-encoding': 'gzip' }, json: { text: 'x' } })],
    [
      'breaks off',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 99 })
        response.write('{"text":', () => response.destroy())
      },
    ],
    ['never begins', (response) => void response.destroy()],
    [
      'is framed twice',
      (response) => {
        const head =
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n'
        response.socket!.end(`${head}2\r\n{}\r\n0\r\n\r\n`)
      },
    ],
    ['is no HTTP', (response) => void response.socket!.end('SSH-2.0-OpenSSH_9.6\r\n')],
  ])('an invalid reply that %s fails with retry', async (_case, answer) => {
    await expect(ask(answer)).rejects.toMatchObject({
      name: 'ProviderError',
      failure: expect.stringMatching(/retry|give_up/),
    })
  })

  test('an invalid reply that never ends is abandoned at the size limit', async () => {
    let request: Promise<void> | undefined
    const endless = ask((response, { hungUp }) => {
      request = hungUp
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && response.write('a'.repeat(64 * 1024)));
      }
      response.on('drain', more)
      more()
    })
    await expect(endless).rejects.toMatchObject({ failure: 'give_up', message: expect.stringContaining('bytes') })
    await request
  })
})

describe('createHttpClient', () => {
  test.each<[string, Partial<HttpClientOptions>, RegExp]>([
    ['an address of another kind', { baseUrl: 'ftp://example.com' }, /baseUrl must be an http/],
    ['an address with a password', { baseUrl: 'https://me:hunter2@example.com' }, /baseUrl must not contain a user/],
    ['an address with a query', { baseUrl: 'https://example.com?key=hunter2' }, /baseUrl must have no query/],
    ['no time at all', { timeouts: { idleMs: 0 } }, /timeouts\.idleMs must be a number above 0/],
    ['an empty key', { apiKey: '' }, /apiKey is empty/],
    ['a key with a line break', { apiKey: ['sk-fine', 'hunter2\n'] }, /apiKey\[1\] has/],
    [
      'a header that would break the request',
      { headers: { 'x-secret': 'hunter2\r\nhost: evil' } },
      /headers\.x-secret has/,
    ],
  ])('createHttpClient rejects %s without repeating it', (_case, options, message) => {
    const make = () => createHttpClient({ id: 'acme', baseUrl: 'https://example.com', ...options })
    expect(make).toThrow(message)
    expect(make).not.toThrow(/hunter2/)
  })
})
