import { testClock } from '@fairlead/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createHttpClient } from '../index.ts'
import { schema, textUpstream, useTransport } from '../testing/text-upstream.ts'

const { upstream } = textUpstream()
const { signal } = new AbortController()
const get = { path: '/models', schema, signal }

function setup(send: typeof fetch = fetch, options = {}) {
  const client = createHttpClient({ id: 'acme', baseUrl: upstream().url, fetch: send, ...options })
  onTestFinished(() => client.close())
  return client
}

describe('the given fetch', () => {
  test('the given fetch sends the requests, and never follows redirects', async () => {
    const send = vi.fn<typeof fetch>(async () => Response.json({ text: 'hello' }))
    expect(await setup(send).getJson(get)).toEqual({ text: 'hello' })
    const [address, init] = send.mock.calls[0]!
    expect(address).toBe(`${upstream().url}/models`)
    expect(init).toMatchObject({ method: 'GET', redirect: 'manual', headers: { accept: 'application/json' } })
    expect(upstream().requests).toEqual([])
  })

  test('the given fetch may decode a compressed reply', async () => {
    upstream().answer(async (response) => {
      const packed = new Response(JSON.stringify({ text: 'hello' })).body!.pipeThrough(new CompressionStream('gzip'))
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(Buffer.from(await new Response(packed).arrayBuffer()))
    })
    expect(await setup().getJson(get)).toEqual({ text: 'hello' })
  })

  test('the given fetch that cannot connect is a failure with the code of the connection', async () => {
    const client = createHttpClient({ id: 'acme', baseUrl: 'http://127.0.0.1:1', fetch })
    onTestFinished(() => client.close())
    await expect(client.getJson(get)).rejects.toMatchObject({
      failure: 'retry',
      message: expect.stringMatching(/^acme: the connection failed with /),
    })
  })

  test('the given fetch has the time limit of the first byte', async () => {
    const clock = testClock()
    const asked = Promise.withResolvers<void>()
    upstream().answer(() => asked.resolve())
    const call = setup(fetch, { clock, timeouts: { connectMs: 1, firstByteMs: 120_000 } }).getJson(get)
    call.catch(() => {})
    await asked.promise
    clock.advance(119_999)
    clock.advance(1)
    await expect(call).rejects.toMatchObject({
      failure: 'timeout',
      message: expect.stringContaining('within 120000 ms'),
    })
  })

  test('the given fetch is aborted when the client is closed, and not called after that', async () => {
    const asked = Promise.withResolvers<void>()
    upstream().answer(() => asked.resolve())
    const client = setup()
    const call = client.getJson(get)
    call.catch(() => {})
    await asked.promise
    await client.close()
    await expect(call).rejects.toMatchObject({ failure: 'give_up' })
    await expect(client.getJson(get)).rejects.toMatchObject({ failure: 'give_up' })
    expect(upstream().requests).toHaveLength(1)
  })

  test('the given fetch must be a function', () => {
    const options = { id: 'acme', baseUrl: 'https://example.com', fetch: 'fetch' as never }
    expect(() => createHttpClient(options)).toThrow('acme: fetch must be a function')
  })
})

describe('a client with fetch has the behavior of one with a connection pool', async () => {
  useTransport({ fetch })
  await import('./http-client.test.ts')
  await import('./streams.test.ts')
  await import('./lines.test.ts')
  await import('./authorize.test.ts')
  await import('./upstream-exchange.test.ts')
  await import('./bytes.test.ts')
  await import('./poll.test.ts')
})
