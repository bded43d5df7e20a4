import { type AnswerPart, type Provider, ProviderError } from '@fairlead/core/provider'
import { eventsIn, failing, held, scripted, fakeTextModel } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { forms, serve as serveNode, type Served } from './testing/serve.ts'
import { manualProvider } from './testing/manual-provider.ts'
import { asked, openStream } from './testing/open-stream.ts'

/** Answers with these parts. */
function saying(...parts: readonly AnswerPart[]): Provider {
  const usage = { promptTokens: 2, completionTokens: 3 }
  const generateText = async () => ({ parts, finishReason: 'refusal', usage }) as const
  return { contract: 2, id: 'saying', models: [fakeTextModel({ streaming: true })], generateText }
}

describe.each(forms)('%s', (_form, serve) => {
  async function serveManual() {
    const provider = manualProvider()
    return { provider, service: await serve({ providers: [provider] }) }
  }

  describe('Accept: text/event-stream', () => {
    test.each([
      ['text/event-stream', undefined, 'text/event-stream; charset=utf-8'],
      ['Text/Event-Stream; q=0.9', undefined, 'text/event-stream; charset=utf-8'],
      ['text/event-stream', false, 'application/json; charset=utf-8'],
      ['application/json, text/event-stream', undefined, 'application/json; charset=utf-8'],
      ['text/event-stream, */*', undefined, 'application/json; charset=utf-8'],
      ['*/*', undefined, 'application/json; charset=utf-8'],
    ])('a request that accepts %s, with stream: %s, gets %s', async (accept, stream, type) => {
      const { ask } = await serve()
      const { headers } = await ask('POST', '/generate', { body: { ...asked, stream }, headers: { accept } })
      expect(headers.get('content-type')).toBe(type)
    })
  })

  describe('stream: true', () => {
    test('a request with stream: true names the warnings that are known before the first chunk in a header', async () => {
      const { ask } = await serve()
      const { headers, text } = await ask('POST', '/generate', { body: { ...asked, max_tokens: 5_000, adapt: true } })
      const issue = "was lowered to 200, the model's maximum"
      expect(headers.get('x-fairlead-warnings')).toBe(`max_tokens ${issue}`)
      expect(eventsIn(text).at(-1)?.data.meta.warnings).toEqual([{ field: 'max_tokens', issue }])
    })

    test('a request with stream: true returns a refusal and the text of an unreadable tool input, in the result of both forms', async () => {
      const call = { id: 'call_1', name: 'get_weather', inputText: '{"city": Oslo' }
      const { ask } = await serve({
        providers: [saying({ type: 'refusal', text: 'No.' }, { type: 'tool_call', ...call })],
      })
      const whole = await ask('POST', '/generate', { body: { ...asked, stream: false } })
      const { headers, text } = await ask('POST', '/generate', { body: asked })
      expect([whole.headers, headers].map((sent) => sent.get('x-ratelimit-remaining'))).toEqual(['999', '998'])
      const streamed = eventsIn(text)
      for (const json of [whole.json, streamed.at(-1)?.data]) {
        expect(json).toMatchObject({
          data: {
            content: '',
            refusal: 'No.',
            parts: [
              { type: 'refusal', text: 'No.' },
              { type: 'tool_call', id: 'call_1', name: 'get_weather', input: {}, input_text: '{"city": Oslo' },
            ],
            finish_reason: 'content_filter',
            usage: { total_tokens: 5 },
          },
          meta: { warnings: [{ field: 'tools', issue: expect.stringContaining('"get_weather"') }] },
        })
      }
      expect(streamed.slice(0, -1)).toEqual([
        { event: 'refusal', data: { content: '', refusal: 'No.' } },
        {
          event: 'tool_call',
          data: { content: '', tool_call: { id: 'call_1', name: 'get_weather', input_delta: '{"city": Oslo' } },
        },
      ])
    })

    test('a request with stream: true returns chunks and then the whole result, as server-sent events', async () => {
      const { ask } = await serve()
      const { status, headers, text } = await ask('POST', '/generate', { body: asked })
      expect(status).toBe(200)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        vary: 'Authorization',
        'x-ratelimit-remaining': '999',
      })
      expect(eventsIn(text)).toEqual([
        { event: 'chunk', data: { content: 'hello' } },
        { event: 'chunk', data: { content: ' there' } },
        {
          event: 'done',
          data: {
            success: true,
            data: {
              id: expect.stringMatching(/^gen_\d+$/),
              content: 'hello there',
              parts: [{ type: 'text', text: 'hello there' }],
              model: 'any',
              usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 },
              finish_reason: 'stop',
              created: 1773480413,
            },
            meta: expect.objectContaining({ request_id: headers.get('x-request-id'), provider: 'calm' }),
          },
        },
      ])
    })

    test('a request with stream: true also has the fields of the result at the top level, in the quick-start form', async () => {
      const { ask } = await serve()
      const { text } = await ask('POST', '/v1/generate', { body: asked })
      const [done] = eventsIn(text).slice(-1)
      const { success: _, data, meta: __, ...hoisted } = done!.data
      expect(hoisted).toEqual(data)
    })

    test.each([
      ['an invalid field', 400, { ...asked, top_p: 2 }],
      ['an unknown model', 400, { ...asked, model: 'none' }],
      ['a provider that fails at once', 502, asked],
    ])('a request with stream: true returns a JSON error before the first chunk: %s', async (_case, expected, body) => {
      const { ask } = await serve({ providers: [failing('down', 'retry')] })
      const { status, headers, json } = await ask('POST', '/generate', { body })
      expect([status, json.success]).toEqual([expected, false])
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('x-ratelimit-remaining')).toBe('1000')
    })

    test('a request with stream: true ends with an error event and is charged if it fails after the first chunk', async () => {
      const { provider, service } = await serveManual()
      provider.send('hel')
      provider.fail(new ProviderError('retry', 'the upstream broke: secret'))
      const { status, text } = await service.ask('POST', '/v1/generate', { body: asked })
      expect(status).toBe(200)
      expect(text).not.toContain('secret')
      expect(eventsIn(text)).toEqual([
        { event: 'chunk', data: { content: 'hel' } },
        {
          event: 'error',
          data: {
            success: false,
            error: {
              code: 'PROVIDER_ERROR',
              message: expect.any(String),
              details: { provider: 'manual', attempts: 1, field: null, issue: null, issues: [] },
            },
            meta: { request_id: expect.stringMatching(/^req_\d+$/), timestamp: expect.any(String) },
          },
        },
      ])
      await expect
        .poll(() => service.accessLog)
        .toMatchObject([{ status: 200, code: 'PROVIDER_ERROR', provider: 'manual', aborted: false }])
      expect((await service.ask('GET', '/models')).headers.get('x-ratelimit-remaining')).toBe('998')
    })

    test('a request with stream: true sends its headers with the first chunk, and every chunk immediately', async () => {
      const { provider, service } = await serveManual()
      const socket = openStream(service)
      await expect.poll(() => provider.calls.length).toBe(1)
      expect(socket.received).toBe('')
      provider.send('one')
      await expect.poll(() => socket.received).toContain('data: {"content":"one"}')
      expect(socket.received).toMatch(/^HTTP\/1\.1 200 OK/)
      provider.send('two')
      await expect.poll(() => socket.received).toContain('data: {"content":"two"}')
      expect(socket.received).not.toContain('event: done')
      provider.finish()
      await expect.poll(() => socket.received).toContain('event: done')
    })

    test('a request with stream: true sends headers after five seconds without a chunk, then comments, then an error event without charge', async () => {
      const { provider, service } = await serveManual()
      const socket = openStream(service)
      await expect.poll(() => provider.calls.length).toBe(1)
      service.clock.advance(4_999)
      expect((await service.ask('GET', '/')).status).toBe(200)
      expect(socket.received).toBe('')
      service.clock.advance(1)
      await expect.poll(() => socket.received).toMatch(/^HTTP\/1\.1 200 OK[^]*\r\n\r\n$/)
      expect(socket.received).toMatch(/^X-RateLimit-Remaining: 999\r$/im)
      service.clock.advance(15_000)
      await expect.poll(() => socket.received).toContain(': ping\n\n')
      provider.fail(new ProviderError('retry', 'the upstream broke'))
      await expect.poll(() => socket.received).toMatch(/event: error\ndata: .*"PROVIDER_ERROR"/)
      await expect
        .poll(() => service.accessLog)
        .toMatchObject([{ route: '/' }, { status: 200, code: 'PROVIDER_ERROR' }])
      expect((await service.ask('GET', '/models')).headers.get('x-ratelimit-remaining')).toBe('999')
    })

    test('a request with stream: true keeps line breaks inside the data of an event', async () => {
      const { ask } = await serve({ providers: [scripted('calm', 'a\n\nevent: done\r\rdata: {}')] })
      const { text } = await ask('POST', '/generate', { body: asked })
      const chunks = eventsIn(text).filter(({ event }) => event === 'chunk')
      expect(chunks.map(({ data }) => data.content).join('')).toBe('a\n\nevent: done\r\rdata: {}')
    })

    test('a request with stream: true sends a comment every 15 seconds of silence, until it ends', async () => {
      const { provider, service } = await serveManual()
      const socket = openStream(service)
      provider.send('one')
      await expect.poll(() => socket.received).toContain('one')
      const pings = () => socket.received.split(': ping\n\n').length - 1
      service.clock.advance(14_999)
      service.clock.advance(1)
      await expect.poll(pings).toBe(1)
      service.clock.advance(30_000)
      await expect.poll(pings).toBe(3)
      provider.finish()
      await expect.poll(() => socket.received).toContain('event: done')
      service.clock.advance(60_000)
      expect((await service.ask('GET', '/')).status).toBe(200)
      expect(pings()).toBe(3)
    })
  })

  describe('a client that disconnects', () => {
    test('a client that disconnects aborts a call without streaming, and is charged', async () => {
      const provider = held('slow')
      const { ask, accessLog } = await serve({ providers: [provider] })
      const controller = new AbortController()
      const request = ask('POST', '/generate', { body: { ...asked, stream: false }, signal: controller.signal }).catch(
        () => {},
      )
      await expect.poll(() => provider.calls.length).toBe(1)
      controller.abort()
      await request
      await expect.poll(() => provider.calls[0]?.signal.aborted).toBe(true)
      expect(accessLog).toMatchObject([{ aborted: true, route: '/generate', status: 499 }])
      expect((await ask('GET', '/models')).headers.get('x-ratelimit-remaining')).toBe('998')
    })

    test('a client that disconnects aborts a stream before its first chunk', async () => {
      const { provider, service } = await serveManual()
      const socket = openStream(service)
      await expect.poll(() => provider.calls.length).toBe(1)
      socket.destroy()
      await expect.poll(() => provider.closed).toBe(true)
      expect(provider.calls[0]?.signal.aborted).toBe(true)
    })

    test('a client that disconnects aborts a stream between chunks', async () => {
      const { provider, service } = await serveManual()
      const socket = openStream(service)
      provider.send('one')
      await expect.poll(() => socket.received).toContain('one')
      socket.destroy()
      await expect.poll(() => provider.closed).toBe(true)
      await expect.poll(() => service.accessLog).toMatchObject([{ aborted: true, status: 200 }])
    })

    test('a client that disconnects leaves no timer running', async () => {
      const provider = manualProvider()
      const service = await serve({ providers: [provider] })
      const timers = countTimers(service)
      const socket = openStream(service)
      provider.send('one')
      await expect.poll(() => socket.received).toContain('one')
      expect(timers()).toBeGreaterThan(0)
      socket.destroy()
      await expect.poll(timers).toBe(0)
      expect(service.logged).toEqual([])
    })
  })
})

describe('a slow client', () => {
  const piece = 'x'.repeat(200_000)
  const pieces = 39

  /** Sends more than all buffers hold to a client that does not read. */
  async function fillBuffers(provider: ReturnType<typeof manualProvider>, service: Served) {
    const socket = openStream(service, '/generate', { max_tokens: 250_000 })
    socket.pause()
    for (let sent = 0; sent < pieces; sent++) provider.send(piece)
    await expect.poll(service.bufferedBytes).toBeGreaterThan(0)
    return socket
  }

  test('a slow client slows down the stream instead of filling memory', async () => {
    const provider = manualProvider()
    const service = await serveNode({ providers: [provider] })
    const socket = await fillBuffers(provider, service)
    expect(service.bufferedBytes()).toBeLessThan(2 * piece.length)
    provider.finish()
    socket.resume()
    await expect.poll(() => socket.received.endsWith('0\r\n\r\n')).toBe(true)
    expect(socket.received.split('event: chunk')).toHaveLength(pieces + 1)
    expect(socket.received).toContain('event: done')
  })

  test('a slow client is disconnected after 30 seconds without reading', async () => {
    const provider = manualProvider()
    const service = await serveNode({ providers: [provider] })
    await fillBuffers(provider, service)
    service.clock.advance(29_999)
    expect(service.accessLog).toEqual([])
    service.clock.advance(1)
    await expect.poll(() => service.accessLog).toMatchObject([{ aborted: true }])
    await expect.poll(() => provider.closed).toBe(true)
  })
})

describe('a client that stops reading a response without streaming', () => {
  test('a client that stops reading a response without streaming is disconnected after 30 seconds without reading', async () => {
    const service = await serveNode({ providers: [scripted('calm', 'x'.repeat(7_900_000))] })
    openStream(service, '/generate', { stream: false }).pause()
    await expect.poll(service.bufferedBytes).toBeGreaterThan(0)
    const accessLog = () => {
      service.clock.advance(30_000)
      return service.accessLog
    }
    await expect.poll(accessLog).toMatchObject([{ aborted: true, status: 200 }])
  })
})

/** Counts the scheduled timers of the service's clock. */
function countTimers({ clock }: Served): () => number {
  const scheduled = new Set<object>()
  const { schedule } = clock
  clock.schedule = (ms, callback) => {
    const timer = {}
    scheduled.add(timer)
    const cancel = schedule(ms, () => {
      scheduled.delete(timer)
      callback()
    })
    return () => {
      scheduled.delete(timer)
      cancel()
    }
  }
  return () => scheduled.size
}
