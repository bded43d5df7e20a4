import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { testCore } from '@fairlead/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { restAdapter } from './rest-adapter.ts'
import { serve, type ServeOptions } from './testing/serve.ts'

const mounts: [string, ServeOptions][] = [
  ['Express under a path', { mountedAt: '/ai' }],
  ['a Node server, with `basePath`', { basePath: '/ai' }],
  ['a fetch server, with `basePath`', { basePath: '/ai', form: 'fetch' }],
]

describe.each(mounts)('an adapter in %s', (_case, options) => {
  test('a mounted adapter serves operations below the path, with any prefix', async () => {
    const { ask } = await serve(options)
    for (const path of ['/ai/models', '/ai/v1/models?type=text', '/ai/', '/ai']) {
      expect((await ask('GET', path)).status).toBe(200)
    }
    expect((await ask('GET', '/ai/nowhere')).status).toBe(404)
  })

  test('a mounted adapter includes the path in image URLs, with and without a public base URL', async () => {
    const { ask, url } = await serve(options)
    const { json } = await ask('POST', '/ai/generate/image', { body: { prompt: 'a lake', model: 'picture' } })
    expect(json.data.url).toBe(`https://ai.example.com/ai/images/${json.data.id}.png`)
    expect((await fetch(url + new URL(json.data.url).pathname)).status).toBe(200)
  })

  test('a mounted adapter includes the path in Location', async () => {
    const { ask } = await serve(options)
    const { headers } = await ask('POST', '/ai/v1/api-keys', { body: { name: 'laptop', scopes: ['models'] } })
    expect(headers.get('location')).toMatch(/^\/ai\/v1\/api-keys\/key_\d+$/)
  })

  test('a mounted adapter includes the path in the servers of the OpenAPI document, and in `GET /`', async () => {
    const { ask } = await serve(options)
    expect((await ask('GET', '/ai/openapi.json')).json.servers).toEqual([{ url: '/ai' }])
    const { data } = (await ask('GET', '/ai/')).json
    expect(data.documents.openapi).toBe('/ai/openapi.json')
    expect(data.paths).toContain('POST /ai/generate')
  })
})

test('`basePath` is part of the public address in the OpenAPI document', async () => {
  for (const baseUrl of ['https://example.com', 'https://example.com/ai']) {
    const { ask } = await serve({ basePath: '/ai', baseUrl })
    expect((await ask('GET', '/ai/openapi.json')).json.servers).toEqual([{ url: 'https://example.com/ai' }])
  }
})

describe('tryHandle', () => {
  test('tryHandle answers a request whose path the adapter has, and leaves any other to the application', async () => {
    const { core, caller } = await testCore()
    const { tryHandle } = restAdapter(core, { service: { name: 'Shop', version: '1.0.0' } })
    const server = createServer((request, response) => {
      if (!tryHandle(request, response)) response.writeHead(418).end('of the application')
    })
    onTestFinished(() => void server.close().closeAllConnections())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const ask = (path: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { authorization: `Bearer ${caller.token}` } })
    expect((await ask('/models')).status).toBe(200)
    expect((await ask('/models', 'POST')).status).toBe(405)
    expect(await (await ask('/shop')).text()).toBe('of the application')
  })
})

describe('a body that was read before the adapter', () => {
  const asked = { prompt: 'greet me', model: 'any' }

  /** Reads the body before the adapter does, as a body parser would. */
  const parse = (leave: (request: IncomingMessage, body: Buffer) => void): ServeOptions => ({
    before: async (request) => leave(request, await buffer(request)),
  })

  test('a body that was read before the adapter is taken from `request.body`, as `express.json()` leaves it', async () => {
    const { ask } = await serve(
      parse((request, body) => void Object.assign(request, { body: JSON.parse(body.toString()) as unknown })),
    )
    expect((await ask('POST', '/generate', { body: asked })).json.data.content).toBe('hello there')
    expect((await ask('POST', '/generate', { body: { ...asked, top_p: 2 } })).json.error.details.field).toBe('top_p')
  })

  test('a body that was read before the adapter returns an error with a suggested fix if request.body is not set', async () => {
    const { ask } = await serve(parse(() => {}))
    const { status, json } = await ask('POST', '/generate', { body: asked })
    expect([status, json.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(json.error.message).toContain('Mount the adapter before the body parser')
  })

  test('a body that was read before the adapter returns an error with a suggested fix if it is the body of a Request', async () => {
    const { adapter, caller } = await serve()
    const request = new Request('http://localhost/generate', {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    })
    await request.json()
    const response = await adapter.handle(request)
    expect([response.status, ((await response.json()) as { error: { message: string } }).error.message]).toEqual([
      500,
      'The request body was read before it reached Fairlead: pass it on unread.',
    ])
  })
})
