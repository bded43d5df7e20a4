import { connect, type Socket } from 'node:net'
import { ProviderError } from '@fairlead/core/provider'
import { failing, held, scripted } from '@fairlead/core/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { forms, serve as serveNode, type Served } from './testing/serve.ts'
import { told } from './testing/told.ts'

const asked = { prompt: 'greet me', model: 'any', stream: true }

interface SentEvent {
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads into data of all shapes
  readonly data: any
}

/** The events of a whole stream, read as the HTML standard says (9.2.6): comments mean nothing. */
function eventsIn(text: string): SentEvent[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'))
  return blocks.map((block) => {
    const [, type = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
    return { type, data: JSON.parse(data) }
  })
}

/** A caller who reads as it likes, and leaves when it likes. */
function listen({ port, caller }: Served, path = '/generate', fields = {}): Socket & { readonly heard: string } {
  const socket = Object.assign(connect(port, '127.0.0.1'), { heard: '' })
  const body = JSON.stringify({ ...asked, ...fields })
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAuthorization: Bearer ${caller.token}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  )
  socket.setEncoding('utf8')
  socket.on('data', (text) => (socket.heard += text))
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

describe.each(forms)('%s', (_form, serve) => {
  async function serveTold() {
    const provider = told()
    return { provider, house: await serve({ providers: [provider] }) }
  }

  describe('stream: true', () => {
    test('answers with chunks and then the whole result, as server-sent events', async () => {
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
        { type: 'chunk', data: { content: 'hello' } },
        { type: 'chunk', data: { content: ' there' } },
        {
          type: 'done',
          data: {
            success: true,
            data: {
              id: expect.stringMatching(/^gen_\d+$/),
              content: 'hello there',
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

    test('has the result’s own fields beside the whole result too, in the quick-start form', async () => {
      const { ask } = await serve()
      const { text } = await ask('POST', '/v1/generate', { body: asked })
      const [done] = eventsIn(text).slice(-1)
      const { success: _, data, meta: __, ...hoisted } = done!.data
      expect(hoisted).toEqual(data)
    })

    test.each([
      ['a field at fault', 400, { ...asked, top_p: 2 }],
      ['an unknown model', 400, { ...asked, model: 'none' }],
      ['a provider that fails at once', 502, asked],
    ])('answers with a plain JSON error before the first chunk: %s', async (_case, expected, body) => {
      const { ask } = await serve({ providers: [failing('down', 'retry')] })
      const { status, headers, json } = await ask('POST', '/generate', { body })
      expect([status, json.success]).toEqual([expected, false])
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('x-ratelimit-remaining')).toBe('1000')
    })

    test('ends with the error body where it breaks after the first chunk, and is charged', async () => {
      const { provider, house } = await serveTold()
      provider.say('hel')
      provider.fail(new ProviderError('retry', 'the upstream broke: secret'))
      const { status, text } = await house.ask('POST', '/v1/generate', { body: asked })
      expect(status).toBe(200)
      expect(text).not.toContain('secret')
      expect(eventsIn(text)).toEqual([
        { type: 'chunk', data: { content: 'hel' } },
        {
          type: 'error',
          data: {
            success: false,
            error: {
              code: 'PROVIDER_ERROR',
              message: expect.any(String),
              details: { provider: 'told', attempts: 1, field: null, issue: null, issues: [] },
            },
            meta: { request_id: expect.stringMatching(/^req_\d+$/), timestamp: expect.any(String) },
          },
        },
      ])
      await expect
        .poll(() => house.answers)
        .toMatchObject([{ status: 200, code: 'PROVIDER_ERROR', provider: 'told', aborted: false }])
      expect((await house.ask('GET', '/models')).headers.get('x-ratelimit-remaining')).toBe('998')
    })

    test('sends its headers with the first chunk, and every chunk at once', async () => {
      const { provider, house } = await serveTold()
      const socket = listen(house)
      await expect.poll(() => provider.calls.length).toBe(1)
      expect(socket.heard).toBe('')
      provider.say('one')
      await expect.poll(() => socket.heard).toContain('data: {"content":"one"}')
      expect(socket.heard).toMatch(/^HTTP\/1\.1 200 OK/)
      provider.say('two')
      await expect.poll(() => socket.heard).toContain('data: {"content":"two"}')
      expect(socket.heard).not.toContain('event: done')
      provider.finish()
      await expect.poll(() => socket.heard).toContain('event: done')
    })

    test('sends its headers after five seconds without a chunk, then comments, then an error event that is free', async () => {
      const { provider, house } = await serveTold()
      const socket = listen(house)
      await expect.poll(() => provider.calls.length).toBe(1)
      house.clock.advance(4_999)
      expect((await house.ask('GET', '/')).status).toBe(200)
      expect(socket.heard).toBe('')
      house.clock.advance(1)
      await expect.poll(() => socket.heard).toMatch(/^HTTP\/1\.1 200 OK[^]*\r\n\r\n$/)
      expect(socket.heard).toMatch(/^X-RateLimit-Remaining: 999\r$/im)
      house.clock.advance(15_000)
      await expect.poll(() => socket.heard).toContain(': ping\n\n')
      provider.fail(new ProviderError('retry', 'the upstream broke'))
      await expect.poll(() => socket.heard).toMatch(/event: error\ndata: .*"PROVIDER_ERROR"/)
      await expect.poll(() => house.answers).toMatchObject([{ route: '/' }, { status: 200, code: 'PROVIDER_ERROR' }])
      expect((await house.ask('GET', '/models')).headers.get('x-ratelimit-remaining')).toBe('999')
    })

    test('keeps line ends inside its data', async () => {
      const { ask } = await serve({ providers: [scripted('calm', 'a\n\nevent: done\r\rdata: {}')] })
      const { text } = await ask('POST', '/generate', { body: asked })
      const chunks = eventsIn(text).filter(({ type }) => type === 'chunk')
      expect(chunks.map(({ data }) => data.content).join('')).toBe('a\n\nevent: done\r\rdata: {}')
    })

    test('sends a comment every 15 seconds of silence, until it ends', async () => {
      const { provider, house } = await serveTold()
      const socket = listen(house)
      provider.say('one')
      await expect.poll(() => socket.heard).toContain('one')
      const pings = () => socket.heard.split(': ping\n\n').length - 1
      house.clock.advance(14_999)
      house.clock.advance(1)
      await expect.poll(pings).toBe(1)
      house.clock.advance(30_000)
      await expect.poll(pings).toBe(3)
      provider.finish()
      await expect.poll(() => socket.heard).toContain('event: done')
      house.clock.advance(60_000)
      expect((await house.ask('GET', '/')).status).toBe(200)
      expect(pings()).toBe(3)
    })
  })

  describe('a client that disconnects', () => {
    test('aborts a call without streaming, and is charged for it', async () => {
      const provider = held('slow')
      const { ask, answers } = await serve({ providers: [provider] })
      const leaving = new AbortController()
      const asking = ask('POST', '/generate', { body: { ...asked, stream: false }, signal: leaving.signal }).catch(
        () => {},
      )
      await expect.poll(() => provider.calls.length).toBe(1)
      leaving.abort()
      await asking
      await expect.poll(() => provider.calls[0]?.signal.aborted).toBe(true)
      expect(answers).toMatchObject([{ aborted: true, route: '/generate' }])
      expect((await ask('GET', '/models')).headers.get('x-ratelimit-remaining')).toBe('998')
    })

    test('aborts a stream before its first chunk', async () => {
      const { provider, house } = await serveTold()
      const socket = listen(house)
      await expect.poll(() => provider.calls.length).toBe(1)
      socket.destroy()
      await expect.poll(() => provider.left).toBe(true)
      expect(provider.calls[0]?.signal.aborted).toBe(true)
    })

    test('aborts a stream between chunks', async () => {
      const { provider, house } = await serveTold()
      const socket = listen(house)
      provider.say('one')
      await expect.poll(() => socket.heard).toContain('one')
      socket.destroy()
      await expect.poll(() => provider.left).toBe(true)
      await expect.poll(() => house.answers).toMatchObject([{ aborted: true, status: 200 }])
    })

    test('leaves no timer behind', async () => {
      const provider = told()
      const house = await serve({ providers: [provider] })
      const armed = countAlarms(house)
      const socket = listen(house)
      provider.say('one')
      await expect.poll(() => socket.heard).toContain('one')
      expect(armed()).toBeGreaterThan(0)
      socket.destroy()
      await expect.poll(armed).toBe(0)
      expect(house.logged).toEqual([])
    })
  })
})

describe('a slow client', () => {
  const piece = 'x'.repeat(200_000)
  const pieces = 39

  /** Has the provider say more than any buffer holds, to a reader who takes nothing. */
  async function fillUp(provider: ReturnType<typeof told>, house: Served) {
    const socket = listen(house, '/generate', { max_tokens: 250_000 })
    socket.pause()
    for (let said = 0; said < pieces; said++) provider.say(piece)
    await expect.poll(house.waiting).toBeGreaterThan(0)
    return socket
  }

  test('slows down the stream instead of filling memory', async () => {
    const provider = told()
    const house = await serveNode({ providers: [provider] })
    const socket = await fillUp(provider, house)
    expect(house.waiting()).toBeLessThan(2 * piece.length)
    provider.finish()
    socket.resume()
    await expect.poll(() => socket.heard.endsWith('0\r\n\r\n'), { timeout: 5_000 }).toBe(true)
    expect(socket.heard.split('event: chunk')).toHaveLength(pieces + 1)
    expect(socket.heard).toContain('event: done')
  })

  test('is disconnected after 30 seconds without reading', async () => {
    const provider = told()
    const house = await serveNode({ providers: [provider] })
    await fillUp(provider, house)
    house.clock.advance(29_999)
    expect(house.answers).toEqual([])
    house.clock.advance(1)
    await expect.poll(() => house.answers).toMatchObject([{ aborted: true }])
    await expect.poll(() => provider.left).toBe(true)
  })
})

describe('a client that stops reading a response without streaming', () => {
  test('is disconnected after 30 seconds without reading', async () => {
    const house = await serveNode({ providers: [scripted('calm', 'x'.repeat(7_900_000))] })
    listen(house, '/generate', { stream: false }).pause()
    await expect.poll(house.waiting).toBeGreaterThan(0)
    const answers = () => {
      house.clock.advance(30_000)
      return house.answers
    }
    await expect.poll(answers).toMatchObject([{ aborted: true, status: 200 }])
  })
})

/** How many alarms of the house's clock wait to ring. */
function countAlarms({ clock }: Served): () => number {
  const waiting = new Set<object>()
  const { schedule } = clock
  clock.schedule = (ms, ring) => {
    const one = {}
    waiting.add(one)
    const cancel = schedule(ms, () => {
      waiting.delete(one)
      ring()
    })
    return () => {
      waiting.delete(one)
      cancel()
    }
  }
  return () => waiting.size
}
