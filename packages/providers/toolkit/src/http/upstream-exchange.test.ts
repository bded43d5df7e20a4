import { getEventListeners } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import { openTestUpstream, replaying, testClock, type UpstreamAnswer } from '@fairlead/testing'
import { describe, expect, test } from 'vitest'
import { failureOfConnection } from './upstream-exchange.ts'
import type { HttpClientOptions } from '../index.ts'
import { schema, textEvents, textUpstream } from '../testing/text-upstream.ts'

const { ask, client, stream, upstream } = textUpstream()
const { signal } = new AbortController()

describe('a connection', () => {
  test('a connection that is refused fails and names the address', async () => {
    const { url, close } = await openTestUpstream()
    await close()
    await expect(client({ baseUrl: url }).getJson({ path: '/x', schema, signal })).rejects.toMatchObject({
      failure: 'retry',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('a connection that a custom dispatcher cannot open fails', async () => {
    const broken = {
      dispatch() {
        throw new Error('no proxy')
      },
    } as unknown as NonNullable<HttpClientOptions['dispatcher']>
    const call = client({ dispatcher: broken }).getJson({ path: '/x', schema, signal })
    await expect(call).rejects.toMatchObject({ failure: 'retry', message: expect.stringContaining('no proxy') })
  })

  test('a connection is not opened after the client is closed', async () => {
    const made = client()
    await made.close()
    await expect(made.getJson({ path: '/x', schema, signal })).rejects.toMatchObject({ failure: 'give_up' })
    expect(upstream().requests).toEqual([])
  })

  test.each([
    ['ECONNRESET', 'retry'],
    ['UND_ERR_SOCKET', 'retry'],
    ['ENOTFOUND', 'retry'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'give_up'],
    ['CERT_HAS_EXPIRED', 'give_up'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'give_up'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'give_up'],
    ['UND_ERR_INVALID_ARG', 'give_up'],
  ])('the error %s of a connection is classified as %s', (code, failure) => {
    expect(failureOfConnection(code)).toBe(failure)
  })
})

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

describe('silence of the upstream', () => {
  test('silence of the upstream before the reply ends the call and the connection', async () => {
    const clock = testClock()
    let hungUp: Promise<void> | undefined
    const asked = new Promise<void>((resolve) => {
      upstream().answer((_response, request) => {
        hungUp = request.hungUp
        resolve()
      })
    })
    const call = client({ clock, timeouts: { firstByteMs: 120_000 } }).postJson({
      path: '/chat',
      body: {},
      schema,
      signal,
    })
    call.catch(() => {})
    await asked
    clock.advance(120_000)
    await expect(call).rejects.toMatchObject({
      failure: 'timeout',
      message: 'acme: the upstream did not reply within 120000 ms',
    })
    await hungUp
  })

  test('silence of the upstream has no limit by default, because the route has one', async () => {
    const clock = testClock()
    upstream().answer((response) => {
      clock.advance(24 * 3_600_000)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"text": "one"}\n\n')
      setImmediate(() => {
        clock.advance(24 * 3_600_000)
        response.end('data: {"text": "two"}\n\n')
      })
    })
    const texts: unknown[] = []
    for await (const event of client({ clock }).postForEvents({ path: '/chat', body: {}, schema, signal })) {
      texts.push(event)
    }
    expect(texts).toEqual([{ text: 'one' }, { text: 'two' }])
  })

  test('silence of the upstream in the middle of a reply ends the call', async () => {
    const clock = testClock()
    const abort = new AbortController()
    upstream().answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"text": "one"}\n\n')
    })
    const events = client({ clock, timeouts: { idleMs: 30_000 } }).postForEvents({
      path: '/chat',
      body: {},
      schema,
      signal: abort.signal,
    })
    expect(await events.next()).toEqual({ done: false, value: { text: 'one' } })
    const next = events.next()
    next.catch(() => {})
    clock.advance(30_000)
    await expect(next).rejects.toMatchObject({
      failure: 'timeout',
      message: 'acme: the upstream did not send the next chunk within 30000 ms',
    })
  })

  test.each<[string, number, OutgoingHttpHeaders, string, object]>([
    ['a refusal', 503, { 'retry-after': '7' }, 'acme: answered 503: busy', { failure: 'retry', retryAfterMs: 7_000 }],
    ['a page', 200, { 'content-type': 'text/html' }, 'acme: the reply is text/html: busy', { failure: 'retry' }],
    [
      'JSON in the place of a stream',
      200,
      { 'content-type': 'application/json' },
      'acme: the reply is not JSON (4 characters)',
      { failure: 'retry' },
    ],
  ])(
    'silence of the upstream in the middle of %s ends it after five seconds, whatever the timeouts',
    async (_case, status, headers, message, expected) => {
      const clock = testClock()
      upstream().answer((response) => void response.writeHead(status, headers).write('busy'))
      const timeouts = { connectMs: 1e9, firstByteMs: 1e9, idleMs: 1e9 }
      const failed = client({ clock, timeouts })
        .postForEvents({ path: '/chat', body: {}, schema, signal })
        .next()
        .catch((error: unknown) => error)
      const outcome = () => {
        clock.advance(5_000)
        return Promise.race([failed, nextTurn()])
      }
      await expect.poll(outcome, { interval: 5 }).toMatchObject({ ...expected, message })
      await upstream().requests[0]?.hungUp
    },
  )

  test('silence of the upstream while connecting ends the call', async () => {
    const clock = testClock()
    const deaf = { dispatch: () => true } as unknown as NonNullable<HttpClientOptions['dispatcher']>
    const call = client({ clock, dispatcher: deaf }).getJson({ path: '/models', schema, signal })
    clock.advance(5_000)
    await expect(call).rejects.toMatchObject({
      failure: 'timeout',
      message: 'acme: the upstream did not accept a connection within 5000 ms',
    })
  })

  test('silence of the upstream is not detected while the upstream sends slowly', async () => {
    const clock = testClock()
    let speak = (_text: string) => {}
    upstream().answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      speak = (text) => void response.write(`data: {"text": "${text}"}\n\n`)
      speak('0')
    })
    const events = client({ clock }).postForEvents({ path: '/chat', body: {}, schema, signal })
    expect((await events.next()).value).toEqual({ text: '0' })
    for (const text of ['1', '2', '3']) {
      clock.advance(100_000)
      speak(text)
      expect((await events.next()).value).toEqual({ text })
    }
    await events.return()
  })
})

describe('an abort', () => {
  test.each<[string, UpstreamAnswer]>([
    ['before the reply', () => {}],
    [
      'inside the reply',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 99 })
        response.write('{"text":')
      },
    ],
  ])('%s rejects with the reason of the signal and hangs up', async (_case, answer) => {
    const controller = new AbortController()
    let hungUp: Promise<void> | undefined
    const reason = new Error('the caller left')
    const call = ask(
      async (response, request) => {
        await answer(response, request)
        hungUp = request.hungUp
        controller.abort(reason)
      },
      {},
      controller.signal,
    )
    await expect(call).rejects.toBe(reason)
    await hungUp
  })

  test('an abort before the call sends nothing', async () => {
    const before = upstream().requests.length
    const reason = new Error('gone already')
    await expect(ask(replaying({ json: { text: 'x' } }), {}, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(upstream().requests.length).toBe(before)
  })

  test('an abort leaves no listener on the signal after the call', async () => {
    const controller = new AbortController()
    await ask(replaying({ json: { text: 'x' } }), {}, controller.signal)
    await stream(replaying({ events: [...textEvents('a'), { data: '[DONE]' }] }), controller.signal)
    await expect.poll(() => getEventListeners(controller.signal, 'abort'), { interval: 5 }).toEqual([])
  })
})
