import { inspect } from 'node:util'
import { assert, property, string } from 'fast-check'
import { ProviderError } from '@fairlead/core/provider'
import { openTestUpstream, replaying, type RecordedReply, type TestClock, testClock } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { createHttpClient } from '../index.ts'
import { createRedactor } from './redact.ts'

const signal = new AbortController().signal
const fine: RecordedReply = { json: {} }

/** A client with keys `key-one`, `key-two`… of an upstream that answers each key with its own reply. */
async function keyring(replies: Readonly<Record<string, RecordedReply>>) {
  const upstream = await openTestUpstream()
  const clock = testClock()
  const client = createHttpClient({ id: 'acme', baseUrl: upstream.url, apiKey: Object.keys(replies), clock })
  onTestFinished(async () => {
    await client.close()
    await upstream.close()
  })
  const keyOf = (headers: { readonly authorization?: string | undefined }) =>
    headers.authorization?.slice('Bearer '.length) ?? ''
  upstream.answer((response, request) => replaying(replies[keyOf(request.headers)] ?? fine)(response, request))
  return {
    clock,
    ask: (quota = 'large') => client.getJson({ path: '/x', schema: z.object({}), signal, quota }),
    used: () => upstream.requests.map(({ headers }) => keyOf(headers)),
  }
}

const limited = (headers: Record<string, string> = {}): RecordedReply => ({ status: 429, headers, text: 'slow down' })

describe('key rotation', () => {
  test('key rotation uses the keys in turn', async () => {
    const { ask, used } = await keyring({ 'key-one': fine, 'key-two': fine })
    for (let round = 0; round < 4; round++) await ask()
    expect(used()).toEqual(['key-one', 'key-two', 'key-one', 'key-two'])
  })

  test('key rotation replaces a rate-limited key at once, until its delay is over', async () => {
    const { ask, used, clock } = await keyring({ 'key-one': limited({ 'retry-after': '20' }), 'key-two': fine })
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited', retryAfterMs: 0 })
    await ask()
    await ask()
    expect(used()).toEqual(['key-one', 'key-two', 'key-two'])
    clock.advance(20_000)
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited' })
  })

  test('key rotation suspends a key for a minute at most, whatever the upstream asks for', async () => {
    const { ask, used, clock } = await keyring({ 'key-one': limited({ 'retry-after': '3600' }) })
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited' })
    clock.advance(59_999)
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited' })
    expect(used()).toHaveLength(1)
    clock.advance(1)
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited' })
    expect(used()).toHaveLength(2)
  })

  test('key rotation replaces a rejected key', async () => {
    const { ask, used } = await keyring({ 'key-one': { status: 401, json: {} }, 'key-two': fine })
    await expect(ask()).rejects.toMatchObject({ failure: 'credential', retryAfterMs: 0 })
    await ask()
    expect(used()).toEqual(['key-one', 'key-two'])
  })

  test('key rotation tries rejected keys if all are rejected, because a rejection may concern one call', async () => {
    const { ask, used } = await keyring({ 'key-one': { status: 401, json: {} }, 'key-two': { status: 403, json: {} } })
    await expect(ask()).rejects.toMatchObject({ failure: 'credential', retryAfterMs: 0 })
    await expect(ask()).rejects.toMatchObject({ failure: 'credential', retryAfterMs: undefined })
    await expect(ask()).rejects.toMatchObject({ failure: 'credential', retryAfterMs: undefined })
    expect(used()).toEqual(['key-one', 'key-two', 'key-one'])
  })

  test('key rotation does not call the upstream while all keys are rate limited', async () => {
    const { ask, used, clock } = await keyring({
      'key-one': limited({ 'retry-after': '20' }),
      'key-two': limited({ 'retry-after-ms': '1500' }),
    })
    await expect(ask()).rejects.toMatchObject({ retryAfterMs: 0 })
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited', retryAfterMs: 1_500 })
    clock.advance(500)
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited', retryAfterMs: 1_000 })
    expect(used()).toEqual(['key-one', 'key-two'])
    clock.advance(1_000)
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited' })
    expect(used()).toEqual(['key-one', 'key-two', 'key-two'])
  })

  test('key rotation limits keys separately for each quota', async () => {
    const { ask, used } = await keyring({ 'key-one': limited({ 'retry-after': '20' }) })
    await expect(ask('large')).rejects.toMatchObject({ retryAfterMs: 20_000 })
    await expect(ask('small')).rejects.toMatchObject({ retryAfterMs: 20_000 })
    await expect(ask('large')).rejects.toMatchObject({ retryAfterMs: 20_000 })
    expect(used()).toHaveLength(2)
  })

  test('key rotation suspends a key longer each time if the upstream names no delay, for a minute at most', async () => {
    const { ask, clock } = await keyring({ 'key-one': limited() })
    for (const retryAfterMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited', retryAfterMs })
      clock.advance(retryAfterMs)
    }
  })
})

describe('a rate limit that is reported with status 200', () => {
  const schema = z.object({ text: z.string() })
  const overdrawn = { error: 'at its limit' }

  function client(url: string, clock: TestClock) {
    const explainError = () => ({ failure: 'rate_limited' as const })
    const made = createHttpClient({ id: 'acme', baseUrl: url, apiKey: 'key-one', clock, explainError })
    onTestFinished(() => made.close())
    return made
  }

  async function readAll(events: AsyncIterable<{ readonly text: string }>, last?: string) {
    for await (const { text } of events) if (text === last) break
  }

  test.each<[string, RecordedReply]>([
    ['a reply', { json: overdrawn }],
    ['a stream', { events: [{ data: overdrawn }] }],
    ['the middle of a stream', { events: [{ data: { text: 'a' } }, { data: overdrawn }] }],
  ])('a rate limit that is reported with status 200 suspends the key longer each time (%s)', async (_case, reply) => {
    const upstream = await openTestUpstream()
    onTestFinished(() => upstream.close())
    upstream.answer(replaying(reply))
    const clock = testClock()
    const { postJson, postForEvents } = client(upstream.url, clock)
    const post = { path: '/x', body: {}, schema, signal }
    const ask = () => (reply.json === undefined ? readAll(postForEvents(post)) : postJson(post))
    for (const retryAfterMs of [1_000, 2_000, 4_000]) {
      await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited', retryAfterMs })
      clock.advance(retryAfterMs)
    }
  })

  test('a rate limit that is reported with status 200 suspends the key for the first delay again after a stream was read without failure', async () => {
    const upstream = await openTestUpstream()
    onTestFinished(() => upstream.close())
    const clock = testClock()
    const { postForEvents } = client(upstream.url, clock)
    const read = () => readAll(postForEvents({ path: '/x', body: {}, schema, signal }), 'end')
    const limitedFor = async () => {
      upstream.answer(replaying({ events: [{ data: overdrawn }] }))
      const { retryAfterMs } = (await read().catch((error: unknown) => error)) as ProviderError
      clock.advance(retryAfterMs ?? 0)
      return retryAfterMs
    }
    expect([await limitedFor(), await limitedFor()]).toEqual([1_000, 2_000])
    upstream.answer(replaying({ events: [{ data: { text: 'end' } }, { data: { text: 'more' } }] }))
    await read()
    expect(await limitedFor()).toBe(1_000)
  })
})

describe('failures of concurrent calls', () => {
  /** Calls that are all sent before the first is answered. */
  async function askTogether(replies: readonly RecordedReply[]) {
    const upstream = await openTestUpstream()
    const clock = testClock()
    const client = createHttpClient({ id: 'acme', baseUrl: upstream.url, apiKey: 'key-one', clock })
    onTestFinished(async () => {
      await client.close()
      await upstream.close()
    })
    const all = Promise.withResolvers<void>()
    upstream.answer(async (response, request) => {
      const reply = replies[upstream.requests.length - 1] ?? fine
      if (upstream.requests.length === replies.length) all.resolve()
      await all.promise
      await replaying(reply)(response, request)
    })
    const ask = () => client.getJson({ path: '/x', schema: z.object({}), signal })
    await Promise.allSettled(replies.map(ask))
    return { ask, clock }
  }

  test('failures of concurrent calls count as one failure, so that a burst causes no long suspension', async () => {
    const { ask } = await askTogether(Array.from({ length: 6 }, () => limited()))
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited', retryAfterMs: 1_000 })
  })

  test('failures of concurrent calls never shorten the delay that the upstream named', async () => {
    const { ask } = await askTogether([limited({ 'retry-after': '20' }), limited(), limited()])
    await expect(ask()).rejects.toMatchObject({ failure: 'rate_limited', retryAfterMs: 20_000 })
  })
})

describe('Retry-After', () => {
  test.each<[Record<string, string>, number]>([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after-ms': '120', 'retry-after': '7' }, 120],
    [{ 'retry-after': 'Sat, 14 Mar 2026 09:27:03 GMT' }, 9_411],
    [{ 'retry-after': 'Sat, 14 Mar 2026 12:00:30 GMT', date: 'Sat, 14 Mar 2026 12:00:00 GMT' }, 30_000],
    [{ 'retry-after': '99999999' }, 3_600_000],
    // An empty statement counts as none.
    [{ 'retry-after': '0' }, 1_000],
    [{ 'retry-after': '-5' }, 1_000],
    [{ 'retry-after': 'soon' }, 1_000],
    [{ 'retry-after': 'Sat, 14 Mar 2020 09:27:03 GMT' }, 1_000],
  ])('Retry-After of %o is %i ms', async (headers, retryAfterMs) => {
    // The upstream's own date would be today's.
    const { ask } = await keyring({ 'key-one': limited({ date: 'Sat, 14 Mar 2026 09:26:53.589 GMT', ...headers }) })
    await expect(ask()).rejects.toMatchObject({ retryAfterMs })
  })

  test('Retry-After that was sent twice counts once, with its first value', async () => {
    const upstream = await openTestUpstream()
    const client = createHttpClient({ id: 'acme', baseUrl: upstream.url })
    onTestFinished(async () => {
      await client.close()
      await upstream.close()
    })
    upstream.answer((response) => void response.setHeader('retry-after', ['7', '9']).writeHead(429).end('slow down'))
    await expect(client.getJson({ path: '/x', schema: z.object({}), signal })).rejects.toMatchObject({
      failure: 'rate_limited',
      retryAfterMs: 7_000,
    })
  })

  test('Retry-After of a reply that breaks off counts', async () => {
    const upstream = await openTestUpstream()
    const client = createHttpClient({ id: 'acme', baseUrl: upstream.url })
    onTestFinished(async () => {
      await client.close()
      await upstream.close()
    })
    upstream.answer((response) => {
      response.writeHead(429, { 'retry-after': '7' }).write('slow', () => response.destroy())
    })
    await expect(client.getJson({ path: '/x', schema: z.object({}), signal })).rejects.toMatchObject({
      failure: 'rate_limited',
      retryAfterMs: 7_000,
      message: 'acme: answered 429: slow',
    })
  })

  test('Retry-After of an overloaded upstream is passed on', async () => {
    const { ask } = await keyring({ 'key-one': { status: 503, headers: { 'retry-after': '3' }, text: 'busy' } })
    await expect(ask()).rejects.toMatchObject({ failure: 'retry', retryAfterMs: 3_000 })
  })
})

describe('redaction', () => {
  const secret = 'live/+"Canary\\0123456789'

  test.each<[string, RecordedReply]>([
    ['as text', { status: 401, text: `no such key: ${secret}` }],
    ['as JSON', { status: 400, json: { error: { message: `no such key: ${secret}` } } }],
    ['in a page', { headers: { 'content-type': 'text/html' }, text: `<p>${secret}</p>` }],
    ['in a redirect', { status: 302, headers: { location: `https://example.com/?key=${secret}` }, text: secret }],
    ['where a message would be cut', { status: 500, text: `${'x'.repeat(300 - secret.length / 2)}${secret}` }],
    ['where a page would be cut', { headers: { 'content-type': 'text/html' }, text: `${'x'.repeat(188)}${secret}` }],
    ['half covered', { status: 401, text: 'Incorrect API key provided: sk-live*****6789' }],
  ])('redaction removes a key that the upstream returns %s', async (_case, reply) => {
    const upstream = await openTestUpstream()
    upstream.answer(replaying(reply))
    const client = createHttpClient({
      id: 'acme',
      baseUrl: upstream.url,
      apiKey: secret,
      explainError({ body }) {
        const words = JSON.stringify(body)
        return body === undefined ? undefined : { message: words, field: words }
      },
    })
    onTestFinished(async () => {
      await client.close()
      await upstream.close()
    })
    const error = await client.getJson({ path: '/x', schema: z.object({}), signal }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'ProviderError' })
    const everything = inspect(error, { depth: Infinity, showHidden: true })
    expect(everything).not.toMatch(/live|Canary|6789/)
  })

  test.each(['a reply', 'a stream'])('redaction removes a key from the errors of a mapping of %s', async (kind) => {
    const upstream = await openTestUpstream()
    const text = `${secret}${'x'.repeat(1_000)}`
    upstream.answer(replaying(kind === 'a reply' ? { json: { text } } : { events: [{ data: { text } }] }))
    const client = createHttpClient({ id: 'acme', baseUrl: upstream.url, apiKey: secret })
    onTestFinished(async () => {
      await client.close()
      await upstream.close()
    })
    const complain = ({ text: words }: { text: string }): never => {
      throw new ProviderError('content_refused', words, { detail: words })
    }
    const post = { path: '/x', body: {}, schema: z.object({ text: z.string() }), signal }
    const asked =
      kind === 'a reply'
        ? client.postJson(post, complain)
        : client
            .postForEvents(post, async function* (events) {
              for await (const event of events) yield complain(event)
            })
            .next()
    const redacted = `[redacted]${'x'.repeat(490)}…`
    await expect(asked).rejects.toMatchObject({
      failure: 'content_refused',
      message: `acme: ${redacted}`,
      detail: redacted,
    })
  })

  test('redaction finds a key in every encoding', () => {
    const spellings = (key: string) => [
      key,
      encodeURIComponent(key),
      JSON.stringify(key),
      Buffer.from(key).toString('base64'),
      Buffer.from(key).toString('base64url'),
    ]
    const keys = string({ minLength: 8, unit: 'grapheme-ascii' })
    assert(
      property(keys, string(), string(), (key, before, after) => {
        const redact = createRedactor([key])
        for (const spelling of spellings(key)) {
          const inner = spelling.replace(/^"|"$/g, '')
          expect(
            redact(`${before} ${spelling} ${after}`).includes(inner) && !`${before} ${after}`.includes(inner),
          ).toBe(false)
        }
      }),
    )
  })

  test('redaction finds a key without its scheme', () => {
    expect(createRedactor(['Token hunter-two'])('no such token: hunter-two')).toBe('no such token: [redacted]')
  })

  test('redaction keeps placeholders', () => {
    expect(createRedactor(['none'])('none of it was read')).toBe('none of it was read')
  })

  test('redaction finds other keys by their shape', () => {
    const text =
      'Bearer abc.def, sk-proj-abcdef123, AIzaSyA1234567890abcd, https://x/?key=hunter2&a=1, gsk_0123456789, fine words'
    expect(createRedactor([])(text)).toBe(
      '[redacted], [redacted], [redacted], https://x/?key=[redacted]&a=1, [redacted], fine words',
    )
  })
})
