import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { serve, type ServeOptions } from './testing/serve.ts'
import { manualProvider } from './testing/manual-provider.ts'

async function withAdapter(options: ServeOptions = {}) {
  const provider = manualProvider()
  const served = await serve({ providers: [provider], ...options })
  const post = (fields: object, init: RequestInit = {}) =>
    served.adapter.handle(
      new Request('http://localhost/generate', {
        method: 'POST',
        headers: { authorization: `Bearer ${served.caller.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: 'greet me', model: 'any', ...fields }),
        ...init,
      }),
    )
  return { ...served, provider, post }
}

async function readText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read()
  return new TextDecoder().decode(value)
}

describe('handle', () => {
  test('handle answers a Request with a Response', async () => {
    const { provider, post, accessLog } = await withAdapter()
    provider.send('hello')
    provider.finish()
    const response = await post({ stream: false })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toMatchObject({ success: true, data: { content: 'hello' } })
    expect(accessLog).toMatchObject([{ route: '/generate', status: 200, aborted: false, address: 'unknown' }])
  })

  test('handle streams each event when the provider sends it', async () => {
    const { provider, post } = await withAdapter()
    provider.send('one')
    const reader = (await post({ stream: true })).body!.getReader()
    expect(await readText(reader)).toBe('event: chunk\ndata: {"content":"one"}\n\n')
    provider.send('two')
    expect(await readText(reader)).toBe('event: chunk\ndata: {"content":"two"}\n\n')
    provider.finish()
    expect(await readText(reader)).toContain('event: done')
    expect((await reader.read()).done).toBe(true)
  })

  test('handle aborts the call when the body is canceled', async () => {
    const { provider, post, accessLog } = await withAdapter()
    provider.send('one')
    const response = await post({ stream: true })
    await response.body!.cancel()
    expect(provider.calls[0]?.signal.aborted).toBe(true)
    expect(provider.closed).toBe(true)
    expect(accessLog).toMatchObject([{ status: 200, aborted: true }])
  })

  test('handle aborts the call when the signal of the request aborts', async () => {
    const { provider, post, accessLog } = await withAdapter()
    const controller = new AbortController()
    const answer = post({ stream: false }, { signal: controller.signal })
    await expect.poll(() => provider.calls.length).toBe(1)
    controller.abort()
    expect((await answer).status).toBe(503)
    expect(provider.closed).toBe(true)
    expect(accessLog).toMatchObject([{ aborted: true }])
  })

  test.each([true, false])('handle keeps nothing of a request that has ended (stream: %s)', async (stream) => {
    const { adapter, caller } = await serve()
    /** Sends the request from a scope that has ended when memory is collected. */
    async function send(): Promise<WeakRef<Request>> {
      const request = new Request('http://localhost/generate', {
        method: 'POST',
        headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: 'greet me', model: 'any', stream }),
      })
      await (await adapter.handle(request)).text()
      return new WeakRef(request)
    }
    const sent = await send()
    await expect.poll(() => isCollected(sent)).toBe(true)
  })

  test('handle ends a stream that stopped with an error that names the provider and the attempts', async () => {
    const { provider, post, clock } = await withAdapter()
    provider.send('one')
    const reader = (await post({ stream: true })).body!.getReader()
    await readText(reader)
    clock.advance(3_600_000)
    let text = ''
    for (let part = 'unread'; part !== ''; text += part) part = await readText(reader)
    expect(text).toContain('"code":"PROVIDER_TIMEOUT","message":"The provider did not respond in time."')
    expect(text).toContain('"provider":"manual","attempts":1')
  })

  test('handle logs the client address that its caller passes', async () => {
    const { adapter, accessLog } = await withAdapter()
    await adapter.handle(new Request('http://localhost/models'), { address: '203.0.113.7' })
    expect(accessLog).toMatchObject([{ address: '203.0.113.7' }])
  })

  test('handle answers HEAD without a body', async () => {
    const { adapter } = await withAdapter()
    const response = await adapter.handle(new Request('http://localhost/', { method: 'HEAD' }))
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0)
  })
})

function isCollected(reference: WeakRef<object>): boolean {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return reference.deref() === undefined
}
